#pragma once

#include "CoreMinimal.h"

class UDataAsset : public UObject
{
public:
	using Super = UObject;
};
