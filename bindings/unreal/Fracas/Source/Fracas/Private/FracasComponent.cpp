#include "FracasComponent.h"

#include "FracasAsset.h"
#include "FracasModule.h"
#include "FracasSubsystem.h"

#include "Async/Async.h"
#include "DrawDebugHelpers.h"
#include "Engine/World.h"
#include "GameFramework/Actor.h"
#include "Materials/MaterialInterface.h"
#include "Physics/PhysicsInterfaceCore.h"
#include "PhysicsEngine/BodyInstance.h"

namespace
{

FVector ToEngine(FracasUnreal::Vec V) { return FVector(V.X, V.Y, V.Z); }
FracasUnreal::Vec FromEngine(const FVector& V) { return {V.X, V.Y, V.Z}; }
FQuat ToEngine(FracasUnreal::Quat Q) { return FQuat(Q.X, Q.Y, Q.Z, Q.W); }

FracasUnreal::Pose PoseOf(const FTransform& Transform)
{
	const FQuat Q = Transform.GetRotation();
	return {FromEngine(Transform.GetLocation()), {Q.X, Q.Y, Q.Z, Q.W}};
}

FFracasContact ToEngine(const FracasUnreal::Contact& Found)
{
	FFracasContact Contact;
	Contact.Point = ToEngine(Found.Point);
	Contact.Normal = ToEngine(Found.Normal);
	Contact.Depth = Found.Depth;
	return Contact;
}

FracasUnreal::Pattern ToFracas(const FFracasPattern& Pattern)
{
	FracasUnreal::Pattern How;
	How.Pieces = static_cast<uint32>(FMath::Clamp(Pattern.Pieces, 2, 1024));
	How.Seed = static_cast<uint64>(Pattern.Seed);
	How.Roughness = Pattern.Roughness;
	How.Radius = Pattern.Radius;
	How.Point = FromEngine(Pattern.Point);
	How.Direction = FromEngine(Pattern.Direction);
	return How;
}

void SayWhy(const TCHAR* What)
{
	UE_LOG(LogFracas, Error, TEXT("%s: %s"), What, UTF8_TO_TCHAR(fracas::last_error()));
}

/** What a piece of 64 corners has; Chaos would take more, but each costs time. */
constexpr uint32 MaxHullPoints = 64;

} // namespace

UFracasComponent::UFracasComponent(const FObjectInitializer& ObjectInitializer) : Super(ObjectInitializer)
{
	bUseComplexAsSimpleCollision = false; // bodies that move need convex elements
	bUseAsyncCooking = false;             // a fragment without a collider would fall through the floor for some frames
	BodyInstance.bNotifyRigidBodyCollision = true;
	SetCollisionProfileName(TEXT("PhysicsActor"));
}

std::optional<UFracasComponent::FPrepared> UFracasComponent::Prepare(FracasUnreal::Piece Made, int32 MaxParts, float Excess)
{
	auto Sections = Made.Mesh();
	auto Hulls = Made.ConvexParts(static_cast<uint32>(FMath::Clamp(MaxParts, 1, 64)), MaxHullPoints, Excess);
	const auto Weighed = Made.GetMass();
	if (!Sections || !Hulls || !Weighed)
	{
		SayWhy(TEXT("A piece cannot be shown"));
		return {};
	}
	Made.Get().prepare(); // so that no query has to
	return FPrepared{std::make_shared<const FracasUnreal::Piece>(std::move(Made)), std::move(*Sections), std::move(*Hulls), *Weighed};
}

std::vector<UFracasComponent::FPrepared> UFracasComponent::PrepareFragments(const FracasUnreal::Piece& Whole,
	const FracasUnreal::Pattern& Pattern, const FracasUnreal::Pose& At, int32 MaxParts, float Excess)
{
	std::vector<FPrepared> Made;
	auto Pieces = Whole.Break(Pattern, At);
	if (!Pieces)
	{
		SayWhy(TEXT("It does not break"));
		return Made;
	}
	for (FracasUnreal::Piece& Fragment : *Pieces)
	{
		auto Prepared = Prepare(std::move(Fragment), MaxParts, Excess);
		if (!Prepared)
		{
			return {}; // all or nothing
		}
		Made.push_back(std::move(*Prepared));
	}
	return Made;
}

FracasUnreal::Pose UFracasComponent::GetPose() const
{
	return PoseOf(GetComponentTransform());
}

bool UFracasComponent::LoadPiece()
{
	if (Piece != nullptr)
	{
		return true;
	}
	const fracas::Asset* Cooked = Asset != nullptr ? Asset->Get() : nullptr;
	if (Cooked == nullptr)
	{
		return false;
	}
	const FVector Scale = GetComponentTransform().GetScale3D();
	if (Scale.X <= 0 || !FMath::IsNearlyEqual(Scale.X, Scale.Y, 1e-3 * Scale.X) || !FMath::IsNearlyEqual(Scale.X, Scale.Z, 1e-3 * Scale.X))
	{
		UE_LOG(LogFracas, Error, TEXT("%s: bodies that break can be scaled only by one positive factor for all axes."), *GetName());
		return false;
	}
	auto Made = FracasUnreal::Piece::Intact(*Cooked, Scale.X);
	auto Prepared = Made ? Prepare(std::move(*Made), MaxConvexParts, ConvexExcess) : std::nullopt;
	if (!Prepared)
	{
		SayWhy(*GetName());
		return false;
	}
	Show(std::move(*Prepared));
	return true;
}

UMaterialInterface* UFracasComponent::GetMaterial(int32 Slot) const
{
	// First: a fragment without the last material has its cracks in that slot.
	if (Slot == CrackSlot)
	{
		return CrackMaterial;
	}
	if (UMaterialInterface* Own = Super::GetMaterial(Slot))
	{
		return Own;
	}
	return Asset != nullptr && Slot >= 0 && Slot < Asset->Materials.Num() ? Asset->Materials[Slot] : nullptr;
}

#if WITH_EDITOR

void UFracasComponent::OnRegister()
{
	Super::OnRegister();
	const UWorld* World = GetWorld();
	if (World == nullptr || World->IsGameWorld() || Asset == nullptr || Asset->Get() == nullptr)
	{
		return;
	}
	// The preview is a transient component of its own: sections of this one would be saved with the level.
	const auto Whole = FracasUnreal::Piece::Intact(*Asset->Get(), 1);
	const auto Sections = Whole ? Whole->Mesh() : std::nullopt;
	if (!Sections)
	{
		SayWhy(*GetName());
		return;
	}
	Preview = NewObject<UProceduralMeshComponent>(GetOwner(), NAME_None, RF_Transient | RF_TextExportTransient);
	Preview->SetupAttachment(this);
	Preview->SetIsVisualizationComponent(true);
	Preview->SetCollisionEnabled(ECollisionEnabled::NoCollision);
	CrackSlot = Fill(*Preview, *Sections);
	for (int32 Slot = 0; Slot < static_cast<int32>(Sections->size()); ++Slot)
	{
		Preview->SetMaterial(Slot, GetMaterial(Slot));
	}
	Preview->RegisterComponent();
}

void UFracasComponent::OnUnregister()
{
	if (Preview != nullptr)
	{
		Preview->DestroyComponent();
		Preview = nullptr;
	}
	Super::OnUnregister();
}

#endif

void UFracasComponent::OnCreatePhysicsState()
{
	Super::OnCreatePhysicsState();
	ApplyMass();
}

void UFracasComponent::SetSimulatePhysics(bool bSimulate)
{
	Super::SetSimulatePhysics(bSimulate);
	ApplyMass();
}

void UFracasComponent::BeginPlay()
{
	Super::BeginPlay();
	if (!LoadPiece())
	{
		return;
	}
	OnComponentHit.AddUniqueDynamic(this, &UFracasComponent::HandleHit);
	if (UFracasSubsystem* Subsystem = GetWorld()->GetSubsystem<UFracasSubsystem>())
	{
		Subsystem->Add(this);
	}
}

void UFracasComponent::EndPlay(const EEndPlayReason::Type Reason)
{
	if (UFracasSubsystem* Subsystem = GetWorld()->GetSubsystem<UFracasSubsystem>())
	{
		Subsystem->Remove(this);
	}
	Super::EndPlay(Reason);
}

int32 UFracasComponent::Fill(UProceduralMeshComponent& Mesh, const std::vector<FracasUnreal::Section>& Sections)
{
	int32 Cracks = INDEX_NONE;
	Mesh.ClearAllMeshSections();
	for (size_t Number = 0; Number < Sections.size(); ++Number)
	{
		const FracasUnreal::Section& From = Sections[Number];
		if (From.Triangles.empty())
		{
			continue;
		}
		TArray<FVector> Positions, Normals;
		TArray<FVector2D> UVs;
		TArray<FProcMeshTangent> Tangents;
		TArray<int32> Triangles;
		for (size_t K = 0; K < From.Positions.size(); ++K)
		{
			Positions.Add(ToEngine(From.Positions[K]));
			Normals.Add(ToEngine(From.Normals[K]));
			UVs.Add(FVector2D(From.UVs[2 * K], From.UVs[2 * K + 1]));
			Tangents.Add(FProcMeshTangent(ToEngine(From.Tangents[K]), From.Mirrored[K] != 0));
		}
		Triangles.Append(From.Triangles.data(), static_cast<int32>(From.Triangles.size()));
		const int32 Slot = static_cast<int32>(Number);
		Mesh.CreateMeshSection(Slot, Positions, Triangles, Normals, UVs, TArray<FColor>(), Tangents, false);
		if (From.Material == FC_NONE)
		{
			Cracks = Slot;
		}
	}
	return Cracks;
}

void UFracasComponent::Show(FPrepared&& Prepared)
{
	Piece = std::move(Prepared.Piece);
	Mass = Prepared.Mass;
	CrackSlot = Fill(*this, Prepared.Sections);
	// All at once, and last: each change of hulls or sections cooks all hulls that there are.
	TArray<TArray<FVector>> Hulls;
	for (const std::vector<FracasUnreal::Vec>& Hull : Prepared.Hulls)
	{
		if (Hull.size() < 4)
		{
			continue;
		}
		TArray<FVector> Points;
		for (const FracasUnreal::Vec& Point : Hull)
		{
			Points.Add(ToEngine(Point));
		}
		Hulls.Add(Points);
	}
	SetCollisionConvexMeshes(Hulls);
}

void UFracasComponent::ApplyMass()
{
	FBodyInstance* Body = GetBodyInstance();
	if (Body == nullptr || !Body->IsValidBodyInstance() || !IsSimulatingPhysics())
	{
		return;
	}
	Body->SetMassOverride(static_cast<float>(Mass.Kilograms));
	Body->UpdateMassProperties();
	// Chaos weighs the colliders, which are only near the piece.
	const FTransform Frame(ToEngine(Mass.Inertia.Rotation), ToEngine(Mass.Centre));
	const FVector Moments = ToEngine(Mass.Inertia.Moments);
	FPhysicsCommand::ExecuteWrite(Body->GetPhysicsActorHandle(), [&](FPhysicsActorHandle& Actor)
	{
		FPhysicsInterface::SetComLocalPose_AssumesLocked(Actor, Frame);
		FPhysicsInterface::SetMassSpaceInertiaTensor_AssumesLocked(Actor, Moments);
	});
}

FracasUnreal::Motion UFracasComponent::GetMotion()
{
	return {FromEngine(GetPhysicsLinearVelocity()), FromEngine(GetPhysicsAngularVelocityInRadians())};
}

TArray<UFracasComponent*> UFracasComponent::ReplaceBy(std::vector<FPrepared>&& Fragments)
{
	const FTransform Transform = GetComponentTransform();
	const FracasUnreal::Pose At = GetPose();
	const auto InWorld = [&](FracasUnreal::Vec Point) { return At.Location + FracasUnreal::Rotate(At.Rotation, Point); };
	const FracasUnreal::Motion Before = IsSimulatingPhysics() ? GetMotion() : FracasUnreal::Motion{};
	const FracasUnreal::Vec Centre = InWorld(Mass.Centre);

	// It makes room first, or the fragments would be inside of it. It stays, without a body: it may be the root of its actor.
	if (UFracasSubsystem* Subsystem = GetWorld()->GetSubsystem<UFracasSubsystem>())
	{
		Subsystem->Remove(this);
	}
	Piece.reset();
	SetSimulatePhysics(false);
	SetCollisionEnabled(ECollisionEnabled::NoCollision);
	ClearAllMeshSections();
	ClearCollisionConvexMeshes();

	TArray<UFracasComponent*> Made;
	for (FPrepared& Prepared : Fragments)
	{
		UFracasComponent* Fragment = NewObject<UFracasComponent>(GetOwner());
		Fragment->Asset = Asset;
		Fragment->CrackMaterial = CrackMaterial;
		Fragment->MaxConvexParts = MaxConvexParts;
		Fragment->ConvexExcess = ConvexExcess;
		Fragment->bBreakOnHit = bBreakOnHit;
		Fragment->Strength = Strength;
		Fragment->PiecesOnHit = PiecesOnHit;
		Fragment->SmallestMass = SmallestMass;
		Fragment->SetMobility(EComponentMobility::Movable);
		Fragment->SetWorldTransform(Transform);
		Fragment->OverrideMaterials = OverrideMaterials;
		const FracasUnreal::Motion Now = FracasUnreal::Inherited(Before, Centre, InWorld(Prepared.Mass.Centre));
		Fragment->Show(std::move(Prepared)); // before it begins play, which would load the whole body
		GetOwner()->AddInstanceComponent(Fragment);
		Fragment->RegisterComponent();
		Fragment->SetSimulatePhysics(true);
		Fragment->SetPhysicsLinearVelocity(ToEngine(Now.Linear));
		Fragment->SetPhysicsAngularVelocityInRadians(ToEngine(Now.Angular));
		Made.Add(Fragment);
	}
	OnBroken.Broadcast(this, Made);
	return Made;
}

bool UFracasComponent::Break(const FFracasPattern& Pattern, TArray<UFracasComponent*>& Fragments)
{
	Fragments.Reset();
	if (bBreaking || !LoadPiece())
	{
		return false;
	}
	std::vector<FPrepared> Made = PrepareFragments(*Piece, ToFracas(Pattern), GetPose(), MaxConvexParts, ConvexExcess);
	if (Made.empty())
	{
		return false;
	}
	Fragments = ReplaceBy(std::move(Made));
	return true;
}

void UFracasComponent::BreakInBackground(const FFracasPattern& Pattern)
{
	if (bBreaking || !LoadPiece())
	{
		return;
	}
	bBreaking = true;
	TWeakObjectPtr<UFracasComponent> Self(this);
	Async(EAsyncExecution::ThreadPool, [Self, Whole = Piece, How = ToFracas(Pattern), At = GetPose(), MaxParts = MaxConvexParts,
		Excess = ConvexExcess]()
	{
		auto Made = std::make_shared<std::vector<FPrepared>>(PrepareFragments(*Whole, How, At, MaxParts, Excess));
		AsyncTask(ENamedThreads::GameThread, [Self, Made]()
		{
			if (UFracasComponent* Component = Self.Get())
			{
				Component->bBreaking = false;
				if (!Made->empty() && Component->Piece != nullptr)
				{
					Component->ReplaceBy(std::move(*Made));
				}
			}
		});
	});
}

void UFracasComponent::HandleHit(UPrimitiveComponent*, AActor*, UPrimitiveComponent*, FVector NormalImpulse, const FHitResult& Hit)
{
	if (!bBreakOnHit || Piece == nullptr || Mass.Kilograms < SmallestMass)
	{
		return;
	}
	const double Blow = FracasUnreal::Blow(NormalImpulse.Size(), Mass);
	if (Blow <= Strength)
	{
		return;
	}
	FFracasPattern Pattern;
	Pattern.Pieces = static_cast<int32>(FMath::Min(40.0, PiecesOnHit * Blow / FMath::Max(static_cast<double>(Strength), 1e-6)));
	Pattern.Seed = static_cast<int32>(GetUniqueID());
	Pattern.Radius = static_cast<float>(4 * Bounds.SphereRadius); // all of it, the smaller pieces at the point
	Pattern.Point = Hit.ImpactPoint;
	Pattern.Direction = NormalImpulse;
	BreakInBackground(Pattern);
}

TArray<FFracasContact> UFracasComponent::GetContacts(const UFracasComponent* Other, int32 Most) const
{
	TArray<FFracasContact> Contacts;
	if (Piece == nullptr || Other == nullptr || Other->Piece == nullptr)
	{
		return Contacts;
	}
	const auto Found = Piece->Contacts(GetPose(), *Other->Piece, Other->GetPose(), static_cast<uint32>(FMath::Clamp(Most, 1, 256)));
	if (!Found)
	{
		SayWhy(TEXT("GetContacts"));
		return Contacts;
	}
	for (const FracasUnreal::Contact& Contact : *Found)
	{
		Contacts.Add(ToEngine(Contact));
	}
	return Contacts;
}

bool UFracasComponent::GetDistance(const UFracasComponent* Other, double Range, double& Distance, FVector& Point, FVector& OtherPoint) const
{
	if (Piece == nullptr || Other == nullptr || Other->Piece == nullptr)
	{
		return false;
	}
	const auto Found = Piece->Distance(GetPose(), *Other->Piece, Other->GetPose(), Range);
	if (!Found)
	{
		return false;
	}
	Distance = Found->Distance;
	Point = ToEngine(Found->Point);
	OtherPoint = ToEngine(Found->OtherPoint);
	return true;
}

bool UFracasComponent::SweepTo(const FTransform& Target, const UFracasComponent* Other, double& Time, FFracasContact& Contact) const
{
	if (Piece == nullptr || Other == nullptr || Other->Piece == nullptr)
	{
		return false;
	}
	const FracasUnreal::Pose There = Other->GetPose();
	const auto Found = Piece->Sweep(GetPose(), PoseOf(Target), *Other->Piece, There, There);
	if (!Found)
	{
		return false;
	}
	Time = Found->Time;
	Contact = ToEngine(Found->At);
	return true;
}

bool UFracasComponent::CastRay(const FVector& Origin, const FVector& Direction, double MaxDistance, FVector& Point, FVector& Normal,
	bool& bCrack) const
{
	const auto Found = Piece != nullptr ? Piece->RayCast(GetPose(), FromEngine(Origin), FromEngine(Direction), MaxDistance) : std::nullopt;
	if (!Found)
	{
		return false;
	}
	Point = Origin + Found->Distance * Direction.GetSafeNormal();
	Normal = ToEngine(Found->Normal);
	bCrack = Found->Crack;
	return true;
}

void UFracasComponent::DrawDebug(const UFracasComponent* Other) const
{
	if (Piece == nullptr)
	{
		return;
	}
	const fc_pose At = FracasUnreal::PoseToFracas(GetPose());
	struct FCanvas
	{
		const UWorld* World;
		FVector Origin;
	} Canvas{GetWorld(), GetComponentLocation()};
	fc_debug_draw Draw = fracas::debug_draw();
	Draw.flags = FC_DRAW_CRACKS;
	for (int32 K = 0; K < 3; ++K)
	{
		Draw.origin[K] = At.position[K];
	}
	Draw.user_data = &Canvas;
	Draw.line = [](const float* A, const float* B, uint32_t Rgba, void* User)
	{
		const FCanvas& On = *static_cast<const FCanvas*>(User);
		const FColor Colour(static_cast<uint8>(Rgba >> 24), static_cast<uint8>(Rgba >> 16), static_cast<uint8>(Rgba >> 8), static_cast<uint8>(Rgba));
		DrawDebugLine(On.World, On.Origin + ToEngine(FracasUnreal::PositionToUnreal(A)), On.Origin + ToEngine(FracasUnreal::PositionToUnreal(B)), Colour);
	};
	fc_draw_object(Piece->Get().get(), &At, &Draw);
	if (Other == nullptr || Other->Piece == nullptr)
	{
		return;
	}
	fc_contact Contacts[16];
	const auto Count = fracas::query_pair(Piece->Get(), At, Other->Piece->Get(), FracasUnreal::PoseToFracas(Other->GetPose()), Contacts);
	if (Count)
	{
		fc_draw_contacts(Contacts, *Count, At.position, &Draw);
	}
}
