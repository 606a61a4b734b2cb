// What a component breaks: the cooked bytes of a static mesh. Made in the content browser (Miscellaneous, Data Asset,
// FracasAsset); its details have a button "Cook".
#pragma once

#include "CoreMinimal.h"
#include "Engine/DataAsset.h"

#include <fracas.hpp>

#include "FracasAsset.generated.h"

class UMaterialInterface;
class UStaticMesh;

UCLASS(BlueprintType)
class FRACAS_API UFracasAsset : public UDataAsset
{
	GENERATED_BODY()

public:
#if WITH_EDITORONLY_DATA
	/** Its first level of detail must be a closed surface. Of a Nanite mesh that is the fallback mesh. */
	UPROPERTY(EditAnywhere, Category = "Fracas")
	TObjectPtr<UStaticMesh> SourceMesh;
#endif

	/** Kilograms per cubic metre. */
	UPROPERTY(EditAnywhere, BlueprintReadOnly, Category = "Fracas", meta = (ClampMin = "1"))
	float Density = 2000.f;

	/** How many tetrahedra the surface is filled with, about; 0: the library's default. */
	UPROPERTY(EditAnywhere, BlueprintReadOnly, Category = "Fracas", meta = (ClampMin = "0"))
	int32 Tetrahedra = 0;

	/** Of the mesh, by slots. */
	UPROPERTY(VisibleAnywhere, BlueprintReadOnly, Category = "Fracas")
	TArray<TObjectPtr<UMaterialInterface>> Materials;

#if WITH_EDITOR
	/** Fills SourceMesh with tetrahedra and keeps the result. Takes seconds. */
	UFUNCTION(CallInEditor, Category = "Fracas")
	void Cook();
#endif

	/** The asset, loaded when it is first asked for; null if it was not cooked, which the log says. Game thread. */
	const fracas::Asset* Get();

	virtual void BeginDestroy() override;

private:
	UPROPERTY()
	TArray<uint8> Bytes;

	fracas::Asset Loaded;
};
