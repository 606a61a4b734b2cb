#pragma once

#include "CoreMinimal.h"

class IPlugin
{
public:
	virtual const FString& GetBaseDir() const = 0;
};
class IPluginManager
{
public:
	static IPluginManager& Get();
	virtual std::shared_ptr<IPlugin> FindPlugin(const FString& Name) = 0;
};
