#pragma once

#include "PhysicsEngine/BodyInstance.h"

struct FPhysicsCommand
{
	static bool ExecuteWrite(const FPhysicsActorHandle& InActorHandle, TFunctionRef<void(const FPhysicsActorHandle& Actor)> InCallable);
	static bool ExecuteWrite(FPhysicsActorHandle& InActorHandle, TFunctionRef<void(FPhysicsActorHandle& Actor)> InCallable);
};
struct FPhysicsInterface
{
	static void SetMassSpaceInertiaTensor_AssumesLocked(FPhysicsActorHandle& InHandle, const FVector& InTensor);
	static void SetComLocalPose_AssumesLocked(const FPhysicsActorHandle& InHandle, const FTransform& InComLocalPose);
};
