#pragma once

#include "CoreMinimal.h"

class FSingleParticlePhysicsProxy;
using FPhysicsActorHandle = FSingleParticlePhysicsProxy*;

struct FBodyInstance
{
	uint8 bNotifyRigidBodyCollision : 1;
	bool IsValidBodyInstance() const;
	void SetMassOverride(float MassInKG, bool bNewOverrideMass = true);
	void UpdateMassProperties();
	FPhysicsActorHandle& GetPhysicsActorHandle();
	const FPhysicsActorHandle& GetPhysicsActorHandle() const;
};
