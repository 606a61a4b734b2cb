#pragma once

#include "CoreMinimal.h"

class UActorComponent;

class AActor : public UObject
{
public:
	void AddInstanceComponent(UActorComponent* Component);
};
