#pragma once

#include "CoreMinimal.h"

struct FMemory
{
	static void* Malloc(size_t Count, uint32 Alignment = 0);
	static void Free(void* Original);
};
