// The bodies of a world that can break, and their exact contacts for effects.
//
// Chaos solves: it takes no contacts from here. After its step, a world that asks for it (bReportContacts) gets the contacts of
// all pairs of moving bodies that touch, for dust, sparks and scratches. Pairs come from bounds, contacts from one
// fc_query_pairs on the engine's worker threads.
#pragma once

#include "CoreMinimal.h"
#include "Subsystems/WorldSubsystem.h"

#include "FracasComponent.h"

#include "FracasSubsystem.generated.h"

DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(FFracasContactSignature, UFracasComponent*, First, UFracasComponent*, Second, const FFracasContact&, Contact);

UCLASS()
class FRACAS_API UFracasSubsystem : public UTickableWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Whether OnContact is called. Off by default: it costs a query for each pair whose bounds overlap, some microseconds. */
	UPROPERTY(BlueprintReadWrite, Category = "Fracas")
	bool bReportContacts = false;

	/** Contacts of a pair, at most; the deepest come first. */
	UPROPERTY(BlueprintReadWrite, Category = "Fracas")
	int32 ContactsPerPair = 2;

	/** Every frame, for each contact of bodies of which one is awake. */
	UPROPERTY(BlueprintAssignable, Category = "Fracas")
	FFracasContactSignature OnContact;

	/** All bodies that can break, fragments too. */
	UFUNCTION(BlueprintCallable, BlueprintPure = false, Category = "Fracas")
	TArray<UFracasComponent*> GetBodies() const;

	virtual void Tick(float DeltaTime) override;
	virtual TStatId GetStatId() const override;

	/** Called by the components. */
	void Add(UFracasComponent* Component);
	void Remove(UFracasComponent* Component);

private:
	UPROPERTY()
	TArray<TObjectPtr<UFracasComponent>> Bodies;
};
