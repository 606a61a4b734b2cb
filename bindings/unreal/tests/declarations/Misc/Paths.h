#pragma once

#include "CoreMinimal.h"

class FPaths
{
public:
	template <class... A>
	static FString Combine(A&&... Parts);
};
