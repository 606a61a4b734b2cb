#pragma once

#include "CoreMinimal.h"

enum class EAsyncExecution { TaskGraph, TaskGraphMainThread, Thread, ThreadPool };
namespace ENamedThreads
{
enum Type : int32 { GameThread = 2 };
}
template <class T>
class TFuture {};
template <class F>
auto Async(EAsyncExecution Execution, F&& Callable, TUniqueFunction<void()> CompletionCallback = [] {}) -> TFuture<decltype(Callable())>
{
	(void)Execution, (void)Callable, (void)CompletionCallback;
	return {};
}
void AsyncTask(ENamedThreads::Type Thread, TUniqueFunction<void()> Function);
