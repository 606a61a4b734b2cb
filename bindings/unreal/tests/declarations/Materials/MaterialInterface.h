#pragma once

#include "CoreMinimal.h"

class UMaterialInterface : public UObject {};
