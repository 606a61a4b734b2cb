// A body that breaks.
//
// It is a UProceduralMeshComponent: arrays in, a render mesh and a body setup of convex elements out, which is all that a fragment
// needs. (UDynamicMeshComponent is for meshes that are edited, and keeps a half-edge mesh for that.) Chaos takes no narrow phase
// from plugins: it simulates the convex parts of the piece. Exact contacts, distances, sweeps and rays are asked of Fracas
// here, for effects and gameplay.
#pragma once

#include "CoreMinimal.h"
#include "ProceduralMeshComponent.h"

#include "FracasPiece.h"

#include <memory>

#include "FracasComponent.generated.h"

class UFracasAsset;
class UFracasComponent;
class UMaterialInterface;

/** How to break. */
USTRUCT(BlueprintType)
struct FRACAS_API FFracasPattern
{
	GENERATED_BODY()

	/** Number of pieces, about. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas", meta = (ClampMin = "2", ClampMax = "1024"))
	int32 Pieces = 8;

	/** The same seed gives the same pieces. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas")
	int32 Seed = 0;

	/** Of the cracks; 0: smooth. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas", meta = (ClampMin = "0", ClampMax = "0.05"))
	float Roughness = 0.f;

	/** Centimetres: what is farther from the point stays in one piece. 0: all over. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas", meta = (ClampMin = "0"))
	float Radius = 0.f;

	/** Of the blow, in the world. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas")
	FVector Point = FVector::ZeroVector;

	/** Of the blow, in the world; zero: no direction. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas")
	FVector Direction = FVector::ZeroVector;
};

/** In the world, centimetres. */
USTRUCT(BlueprintType)
struct FRACAS_API FFracasContact
{
	GENERATED_BODY()

	UPROPERTY(BlueprintReadOnly, Category = "Fracas")
	FVector Point = FVector::ZeroVector;

	/** From the other component towards this one. */
	UPROPERTY(BlueprintReadOnly, Category = "Fracas")
	FVector Normal = FVector::ZeroVector;

	/** Overlap; negative: a gap. */
	UPROPERTY(BlueprintReadOnly, Category = "Fracas")
	double Depth = 0.0;
};

DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FFracasBrokenSignature, UFracasComponent*, Component, const TArray<UFracasComponent*>&, Fragments);

UCLASS(ClassGroup = (Physics), meta = (BlueprintSpawnableComponent))
class FRACAS_API UFracasComponent : public UProceduralMeshComponent
{
	GENERATED_BODY()

public:
	UFracasComponent(const FObjectInitializer& ObjectInitializer = FObjectInitializer::Get());

	/** What this is a body of. */
	UPROPERTY(EditAnywhere, BlueprintReadOnly, Category = "Fracas")
	TObjectPtr<UFracasAsset> Asset;

	/** Drawn on cracks. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas")
	TObjectPtr<UMaterialInterface> CrackMaterial;

	/** Colliders of a piece, at most. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas", meta = (ClampMin = "1", ClampMax = "64"))
	int32 MaxConvexParts = 8;

	/** Colliders may be larger than the piece by this share. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas", meta = (ClampMin = "0", ClampMax = "1"))
	float ConvexExcess = 0.05f;

	/** Whether blows break it: see Strength. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas")
	bool bBreakOnHit = true;

	/** Impulse over cross-section that it bears, N s / m^2. 500: pottery of 10 cm that falls at 2 m/s breaks. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas", meta = (ClampMin = "0"))
	float Strength = 500.f;

	/** Pieces at a blow just above the strength; twice the blow makes twice as many, up to 40. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas", meta = (ClampMin = "2", ClampMax = "40"))
	int32 PiecesOnHit = 6;

	/** Pieces of less mass do not break on a hit. Kilograms. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Fracas", meta = (ClampMin = "0"))
	float SmallestMass = 0.05f;

	/** After it was replaced by its fragments, which are components of the same actor. */
	UPROPERTY(BlueprintAssignable, Category = "Fracas")
	FFracasBrokenSignature OnBroken;

	/** Breaks it now. Fragments go on as this moved. False: it is as it was; the log says why, if something failed. */
	UFUNCTION(BlueprintCallable, Category = "Fracas")
	bool Break(const FFracasPattern& Pattern, TArray<UFracasComponent*>& Fragments);

	/** The same, but all of the work is done by a worker thread; the fragments come some frames later, with OnBroken. */
	UFUNCTION(BlueprintCallable, Category = "Fracas")
	void BreakInBackground(const FFracasPattern& Pattern);

	/** Exact contacts with another body, the deepest first. */
	UFUNCTION(BlueprintCallable, BlueprintPure = false, Category = "Fracas")
	TArray<FFracasContact> GetContacts(const UFracasComponent* Other, int32 Most = 8) const;

	/** Distance to another body; false if it is farther than Range. */
	UFUNCTION(BlueprintCallable, BlueprintPure = false, Category = "Fracas")
	bool GetDistance(const UFracasComponent* Other, double Range, double& Distance, FVector& Point, FVector& OtherPoint) const;

	/** When it would touch another body, which rests, on the way to Target: 0 is now, 1 is there. False if it would not. */
	UFUNCTION(BlueprintCallable, BlueprintPure = false, Category = "Fracas")
	bool SweepTo(const FTransform& Target, const UFracasComponent* Other, double& Time, FFracasContact& Contact) const;

	/** Where a ray meets its surface; bCrack: on a crack. */
	UFUNCTION(BlueprintCallable, BlueprintPure = false, Category = "Fracas")
	bool CastRay(const FVector& Origin, const FVector& Direction, double MaxDistance, FVector& Point, FVector& Normal, bool& bCrack) const;

	/** Draws cracks and contacts with another body as debug lines for one frame. */
	UFUNCTION(BlueprintCallable, BlueprintPure = false, Category = "Fracas")
	void DrawDebug(const UFracasComponent* Other) const;

	/** The piece, for C++; null until it begins play. It never changes, so worker threads may use it. */
	std::shared_ptr<const FracasUnreal::Piece> GetPiece() const { return Piece; }
	/** From its frame to the world, for calls of the piece. */
	FracasUnreal::Pose GetPose() const;

	/** CrackMaterial on cracks; else the one set for the slot, or the asset's. */
	virtual UMaterialInterface* GetMaterial(int32 Slot) const override;
	virtual void SetSimulatePhysics(bool bSimulate) override;
	virtual void BeginPlay() override;
	virtual void EndPlay(const EEndPlayReason::Type Reason) override;
#if WITH_EDITOR
	virtual void OnRegister() override;
	virtual void OnUnregister() override;
#endif

protected:
	virtual void OnCreatePhysicsState() override;

private:
	/** All that a component shows of a piece, made on any thread. */
	struct FPrepared
	{
		std::shared_ptr<const FracasUnreal::Piece> Piece;
		std::vector<FracasUnreal::Section> Sections;
		std::vector<std::vector<FracasUnreal::Vec>> Hulls;
		FracasUnreal::Mass Mass;
	};
	static std::optional<FPrepared> Prepare(FracasUnreal::Piece Made, int32 MaxParts, float Excess);
	/** Empty: nothing was cut, or something failed, which the log says. */
	static std::vector<FPrepared> PrepareFragments(const FracasUnreal::Piece& Whole, const FracasUnreal::Pattern& Pattern,
		const FracasUnreal::Pose& At, int32 MaxParts, float Excess);
	/** The piece of the asset, with the scale of this component; once. */
	bool LoadPiece();
	void Show(FPrepared&& Prepared);
	/** Replaces the mesh sections; returns the material slot of the cracks, or INDEX_NONE. */
	static int32 Fill(UProceduralMeshComponent& Mesh, const std::vector<FracasUnreal::Section>& Sections);
	/** Gives the body in Chaos the exact mass, centre and inertia. */
	void ApplyMass();
	TArray<UFracasComponent*> ReplaceBy(std::vector<FPrepared>&& Fragments);
	FracasUnreal::Motion GetMotion();

	UFUNCTION()
	void HandleHit(UPrimitiveComponent* HitComponent, AActor* OtherActor, UPrimitiveComponent* OtherComponent, FVector NormalImpulse,
		const FHitResult& Hit);

#if WITH_EDITORONLY_DATA
	/** Editor only; never saved. */
	UPROPERTY(Transient)
	TObjectPtr<UProceduralMeshComponent> Preview;
#endif

	std::shared_ptr<const FracasUnreal::Piece> Piece;
	FracasUnreal::Mass Mass;
	int32 CrackSlot = INDEX_NONE;
	bool bBreaking = false;
};
