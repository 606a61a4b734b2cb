#pragma once

#include "CoreMinimal.h"

class UWorld;

void DrawDebugLine(const UWorld* InWorld, const FVector& LineStart, const FVector& LineEnd, const FColor& Color, bool bPersistentLines = false,
	float LifeTime = -1.f, uint8 DepthPriority = 0, float Thickness = 0.f);
