#pragma once

#include "CoreMinimal.h"

class UWorld : public UObject
{
public:
	bool IsGameWorld() const;
	template <class T>
	T* GetSubsystem() const;
};
