#pragma once

#include "CoreMinimal.h"

template <class T>
class TObjectIterator
{
public:
	explicit operator bool() const;
	void operator++();
	T* operator->() const;
};
