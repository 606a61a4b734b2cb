#pragma once

#include "CoreMinimal.h"

#include <thread>

enum class EParallelForFlags { None };

/** On two threads, so that the test sees work on both. */
inline void ParallelFor(const TCHAR*, int32 Num, int32, TFunctionRef<void(int32)> Body, EParallelForFlags = EParallelForFlags::None)
{
	std::thread Other([&] { for (int32 K = 1; K < Num; K += 2) Body(K); });
	for (int32 K = 0; K < Num; K += 2) Body(K);
	Other.join();
}
