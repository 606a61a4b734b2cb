// FracasModule.cpp with the real library: starts and stops the module, and counts what passes through the hooks. The engine's
// memory, log and parallel loop are those of tests/declarations.
#include "check.h"

#include <CoreMinimal.h>
#include <HAL/UnrealMemory.h>
#include <Modules/ModuleInterface.h>

#include <fracas.hpp>

#include <atomic>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <thread>

IModuleInterface* MakeFracas();

namespace
{

std::atomic<long> Blocks{0}, Allocated{0};
std::mutex Guard;
std::set<std::thread::id> Threads;
std::string Warnings;

} // namespace

void* FMemory::Malloc(size_t Count, uint32 Alignment)
{
	++Blocks, ++Allocated;
	std::lock_guard Lock(Guard);
	Threads.insert(std::this_thread::get_id());
	return std::aligned_alloc(Alignment, (Count + Alignment - 1) / Alignment * Alignment);
}
void FMemory::Free(void* Original)
{
	--Blocks;
	std::free(Original);
}
void Logged(const FLogCategory& Category, ELogVerbosity::Type Verbosity, const TCHAR*, const TCHAR* Text)
{
	CHECK(std::strcmp(Category.Name, "LogFracas") == 0, "category %s", Category.Name);
	if (Verbosity == ELogVerbosity::Warning)
	{
		for (; Text != nullptr && *Text != 0; ++Text)
		{
			Warnings += static_cast<char>(*Text);
		}
		Warnings += '\n';
	}
}

int main()
{
	const std::unique_ptr<IModuleInterface> Module(MakeFracas());
	CHECK(!Module->SupportsDynamicReloading(), "it must stay loaded");
	Module->StartupModule();
	// A cube with one triangle inside out, which is repaired.
	const std::vector<float> Corners{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
	const std::vector<std::uint32_t> Triangles{0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
	std::vector<std::uint32_t> Flipped = Triangles;
	std::swap(Flipped[0], Flipped[1]);
	{
		auto Asset = fracas::Asset::from_surface(Corners, Flipped);
		CHECK(Asset, "%s", fracas::last_error());
		CHECK(!Warnings.empty(), "a repair is told by the log");
		auto Cube = fracas::Object::create(*Asset);
		fc_fracture_desc How = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
		How.count = 27;
		auto Pieces = fracas::fracture(*Cube, How);
		CHECK(Pieces && Pieces->size() == 27, "27 pieces");
		CHECK(Allocated > 100, "memory came from the hook: %ld blocks", Allocated.load());
		CHECK(Threads.size() >= 2, "work was done by %zu threads", Threads.size());

		// The same work on one thread has the same result.
		const std::uint64_t Hash = *(*Pieces)[13].state_hash();
		fc_set_task_system(nullptr, nullptr);
		auto Alone = fracas::fracture(*Cube, How);
		CHECK(Alone && *(*Alone)[13].state_hash() == Hash, "each index once");
	}
	Warnings.clear();
	Module->ShutdownModule();
	CHECK(Blocks == 0, "%ld blocks are left", Blocks.load());
	CHECK(Warnings.empty(), "nothing leaked");

	// A leak is told.
	Module->StartupModule();
	Warnings.clear();
	auto Leaked = fracas::Asset::from_surface(Corners, Triangles, 0);
	(void)Leaked->release();
	Module->ShutdownModule();
	CHECK(!Warnings.empty(), "a handle that is left is told by the log");
	CHECK(Blocks == 0, "%ld blocks are left", Blocks.load());
	return Finish("hooks");
}
