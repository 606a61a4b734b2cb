#pragma once

#include "CoreMinimal.h"

class FStaticMeshRenderData;
class UMaterialInterface;

struct FStaticMaterial
{
	TObjectPtr<UMaterialInterface> MaterialInterface;
};
class UStaticMesh : public UObject
{
public:
	const FStaticMeshRenderData* GetRenderData() const;
	const TArray<FStaticMaterial>& GetStaticMaterials() const;
};
