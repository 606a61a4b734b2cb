// The classes from UActorComponent to UProceduralMeshComponent, of which the plugin's component is one.
#pragma once

#include "CoreMinimal.h"
#include "PhysicsEngine/BodyInstance.h"

class AActor;
class UMaterialInterface;
class UPrimitiveComponent;

namespace EEndPlayReason
{
enum Type { Destroyed, LevelTransition, EndPlayInEditor, RemovedFromWorld, Quit };
}
namespace ECollisionEnabled
{
enum Type { NoCollision, QueryOnly, PhysicsOnly, QueryAndPhysics };
}
namespace EComponentMobility
{
enum Type { Static, Stationary, Movable };
}
struct FHitResult
{
	FVector ImpactPoint;
};
struct FProcMeshTangent
{
	FProcMeshTangent(FVector InTangentX, bool bInFlipTangentY);
};

class UActorComponent : public UObject
{
public:
	using UObject::UObject;
	AActor* GetOwner() const;
	void RegisterComponent();
	bool IsRegistered() const;
	void ReregisterComponent();
	virtual void DestroyComponent(bool bPromoteChildren = false);
	void SetIsVisualizationComponent(bool bIsVisualization);

protected:
	virtual void OnRegister();
	virtual void OnUnregister();
	virtual void OnCreatePhysicsState();
	virtual void BeginPlay();
	virtual void EndPlay(const EEndPlayReason::Type Reason);
};
class USceneComponent : public UActorComponent
{
public:
	using UActorComponent::UActorComponent;
	FBoxSphereBounds Bounds;
	const FTransform& GetComponentTransform() const;
	FVector GetComponentLocation() const;
	void SetWorldTransform(const FTransform& NewTransform, bool bSweep = false, FHitResult* OutSweepHitResult = nullptr, int32 Teleport = 0);
	void SetupAttachment(USceneComponent* InParent, FName InSocketName = NAME_None);
	void SetMobility(EComponentMobility::Type NewMobility);
};
class UPrimitiveComponent : public USceneComponent
{
public:
	using USceneComponent::USceneComponent;
	FBodyInstance BodyInstance;
	TDynamicMulticastDelegate<UPrimitiveComponent*, AActor*, UPrimitiveComponent*, FVector, const FHitResult&> OnComponentHit;
	virtual FBodyInstance* GetBodyInstance(FName BoneName = NAME_None, bool bGetWelded = true, int32 Index = -1) const;
	virtual void SetCollisionProfileName(FName InCollisionProfileName, bool bUpdateOverlaps = true);
	virtual void SetCollisionEnabled(ECollisionEnabled::Type NewType);
	virtual void SetSimulatePhysics(bool bSimulate);
	virtual bool IsSimulatingPhysics(FName BoneName = NAME_None) const;
	bool IsAnyRigidBodyAwake();
	FVector GetPhysicsLinearVelocity(FName BoneName = NAME_None);
	FVector GetPhysicsAngularVelocityInRadians(FName BoneName = NAME_None) const;
	void SetPhysicsLinearVelocity(FVector NewVel, bool bAddToCurrent = false, FName BoneName = NAME_None);
	void SetPhysicsAngularVelocityInRadians(FVector NewAngVel, bool bAddToCurrent = false, FName BoneName = NAME_None);
};
class UMeshComponent : public UPrimitiveComponent
{
public:
	using UPrimitiveComponent::UPrimitiveComponent;
	TArray<TObjectPtr<UMaterialInterface>> OverrideMaterials;
	virtual void SetMaterial(int32 ElementIndex, UMaterialInterface* Material);
	virtual UMaterialInterface* GetMaterial(int32 ElementIndex) const;
};
class UProceduralMeshComponent : public UMeshComponent
{
public:
	using Super = UProceduralMeshComponent; // GENERATED_BODY would declare it in classes derived from this one
	explicit UProceduralMeshComponent(const FObjectInitializer& ObjectInitializer = FObjectInitializer::Get());
	bool bUseComplexAsSimpleCollision;
	bool bUseAsyncCooking;
	void CreateMeshSection(int32 SectionIndex, const TArray<FVector>& Vertices, const TArray<int32>& Triangles, const TArray<FVector>& Normals,
		const TArray<FVector2D>& UV0, const TArray<FColor>& VertexColors, const TArray<FProcMeshTangent>& Tangents, bool bCreateCollision);
	void ClearAllMeshSections();
	void ClearCollisionConvexMeshes();
	void SetCollisionConvexMeshes(const TArray<TArray<FVector>>& ConvexMeshes);
};
