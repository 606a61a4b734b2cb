// Loads the library and gives it the engine's memory, log and threads.
#pragma once

#include "CoreMinimal.h"
#include "Modules/ModuleInterface.h"

DECLARE_LOG_CATEGORY_EXTERN(LogFracas, Log, All);

class FFracasModule : public IModuleInterface
{
public:
	virtual void StartupModule() override;
	virtual void ShutdownModule() override;
	/** Threads free their scratch memory by our hook when they end, which may be later: it must stay loaded. */
	virtual bool SupportsDynamicReloading() override { return false; }

private:
	/** Windows: the library is not beside the program. Never freed, for the same reason. */
	void* Library = nullptr;
};
