#pragma once

#include "CoreMinimal.h"

class UTickableWorldSubsystem : public UObject
{
public:
	using Super = UTickableWorldSubsystem;
	virtual void Tick(float DeltaTime);
	virtual TStatId GetStatId() const = 0;
};
