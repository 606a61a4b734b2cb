#include "FracasModule.h"

#include "Async/ParallelFor.h"
#include "HAL/PlatformProcess.h"
#include "HAL/UnrealMemory.h"
#include "Interfaces/IPluginManager.h"
#include "Misc/Paths.h"
#include "Modules/ModuleManager.h"

#include <fracas.h>

DEFINE_LOG_CATEGORY(LogFracas);

namespace
{

void* Allocate(size_t Size, size_t Alignment, void*)
{
	return FMemory::Malloc(Size, static_cast<uint32>(Alignment));
}

void Free(void* Block, size_t, size_t, void*)
{
	FMemory::Free(Block);
}

void Log(uint32_t Level, const char* Message, void*)
{
	switch (Level)
	{
	case FC_LOG_ERROR: UE_LOG(LogFracas, Error, TEXT("%s"), UTF8_TO_TCHAR(Message)); break;
	case FC_LOG_WARNING: UE_LOG(LogFracas, Warning, TEXT("%s"), UTF8_TO_TCHAR(Message)); break;
	default: UE_LOG(LogFracas, Log, TEXT("%s"), UTF8_TO_TCHAR(Message)); break;
	}
}

void Parallel(uint32_t Count, uint32_t Grain, fc_range_fn Run, void* Task, void*)
{
	const uint32 Step = FMath::Max<uint32>(Grain, 1);
	const uint32 Ranges = Count / Step + (Count % Step != 0 ? 1 : 0);
	ParallelFor(TEXT("Fracas"), static_cast<int32>(Ranges), 1, [&](int32 Index)
	{
		const uint32 Begin = static_cast<uint32>(Index) * Step;
		Run(Begin, Begin + FMath::Min(Step, Count - Begin), Task);
	});
}

} // namespace

void FFracasModule::StartupModule()
{
#if PLATFORM_WINDOWS
	const FString Folder = IPluginManager::Get().FindPlugin(TEXT("Fracas"))->GetBaseDir();
	const FString Path = FPaths::Combine(Folder, TEXT("Binaries/ThirdParty/FracasLibrary/Win64/fracas.dll"));
	Library = FPlatformProcess::GetDllHandle(*Path);
	if (Library == nullptr)
	{
		UE_LOG(LogFracas, Error, TEXT("%s is missing: run bindings/unreal/fill, which copies it there."), *Path);
		return;
	}
#endif
	if (!fc_abi_compatible(FC_ABI_VERSION))
	{
		UE_LOG(LogFracas, Error, TEXT("The library Fracas %s does not fit the headers of the plugin: run bindings/unreal/fill."),
			UTF8_TO_TCHAR(fc_version_text()));
		return;
	}
	// The allocator before the first call that uses memory.
	const bool bHooked = fc_set_log(&Log, nullptr) == FC_OK && fc_set_allocator(&Allocate, &Free, nullptr) == FC_OK
		&& fc_set_task_system(&Parallel, nullptr) == FC_OK;
	if (!bHooked)
	{
		UE_LOG(LogFracas, Error, TEXT("%s"), UTF8_TO_TCHAR(fc_last_error()));
	}
}

void FFracasModule::ShutdownModule()
{
#if PLATFORM_WINDOWS
	if (Library == nullptr)
	{
		return;
	}
#endif
	uint32_t Leaked = 0;
	fc_shutdown(&Leaked);
	if (Leaked != 0)
	{
		UE_LOG(LogFracas, Warning, TEXT("%u handles were still alive at shutdown."), Leaked);
	}
}

IMPLEMENT_MODULE(FFracasModule, Fracas)
