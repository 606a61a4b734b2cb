#include "FracasSubsystem.h"

#include "FracasModule.h"

#include "Engine/World.h"

#include <algorithm>

TArray<UFracasComponent*> UFracasSubsystem::GetBodies() const
{
	TArray<UFracasComponent*> All;
	for (UFracasComponent* Body : Bodies)
	{
		All.Add(Body);
	}
	return All;
}

void UFracasSubsystem::Add(UFracasComponent* Component)
{
	Bodies.AddUnique(Component);
}

void UFracasSubsystem::Remove(UFracasComponent* Component)
{
	Bodies.Remove(Component);
}

TStatId UFracasSubsystem::GetStatId() const
{
	RETURN_QUICK_DECLARE_CYCLE_STAT(UFracasSubsystem, STATGROUP_Tickables);
}

void UFracasSubsystem::Tick(float DeltaTime)
{
	Super::Tick(DeltaTime);
	if (!bReportContacts || Bodies.Num() < 2)
	{
		return;
	}
	// Sweep along X: bodies by where their bounds begin.
	struct FSpan
	{
		FBox Box;
		UFracasComponent* Body;
		bool bAwake;
	};
	std::vector<FSpan> Spans;
	for (UFracasComponent* Body : Bodies)
	{
		if (Body->GetPiece() != nullptr)
		{
			Spans.push_back({Body->Bounds.GetBox(), Body, Body->IsAnyRigidBodyAwake()});
		}
	}
	std::sort(Spans.begin(), Spans.end(), [](const FSpan& A, const FSpan& B) { return A.Box.Min.X < B.Box.Min.X; });
	std::vector<fc_pair> Pairs;
	std::vector<std::pair<UFracasComponent*, UFracasComponent*>> Owners;
	for (size_t I = 0; I < Spans.size(); ++I)
	{
		for (size_t J = I + 1; J < Spans.size() && Spans[J].Box.Min.X <= Spans[I].Box.Max.X; ++J)
		{
			if ((Spans[I].bAwake || Spans[J].bAwake) && Spans[I].Box.Intersect(Spans[J].Box))
			{
				UFracasComponent* A = Spans[I].Body;
				UFracasComponent* B = Spans[J].Body;
				Pairs.push_back({A->GetPiece()->Get().get(), B->GetPiece()->Get().get(), FracasUnreal::PoseToFracas(A->GetPose()),
					FracasUnreal::PoseToFracas(B->GetPose())});
				Owners.emplace_back(A, B);
			}
		}
	}
	if (Pairs.empty())
	{
		return;
	}
	fc_query_desc Desc = fracas::query_desc();
	Desc.max_contacts = static_cast<uint32>(FMath::Max(ContactsPerPair, 1));
	std::vector<fc_contact> Found(Pairs.size() * Desc.max_contacts);
	std::vector<std::uint32_t> Offsets(Pairs.size() + 1);
	if (fracas::query_pairs(Pairs, Found, Offsets, {}, &Desc) < FC_OK)
	{
		UE_LOG(LogFracas, Error, TEXT("Contacts: %s"), UTF8_TO_TCHAR(fracas::last_error()));
		return;
	}
	// Listeners may break bodies, which ends pairs: only those whose bodies are still there are told.
	for (size_t K = 0; K < Pairs.size(); ++K)
	{
		for (std::uint32_t C = Offsets[K]; C < Offsets[K + 1]; ++C)
		{
			if (!Bodies.Contains(Owners[K].first) || !Bodies.Contains(Owners[K].second))
			{
				break;
			}
			const FracasUnreal::Vec Point = FracasUnreal::PositionToUnreal(Pairs[K].pose_a.position) + FracasUnreal::PositionToUnreal(Found[C].point);
			const FracasUnreal::Vec Normal = FracasUnreal::DirectionToUnreal(Found[C].normal);
			FFracasContact Contact;
			Contact.Point = FVector(Point.X, Point.Y, Point.Z);
			Contact.Normal = FVector(Normal.X, Normal.Y, Normal.Z);
			Contact.Depth = FracasUnreal::CentimetresPerMetre * Found[C].depth;
			OnContact.Broadcast(Owners[K].first, Owners[K].second, Contact);
		}
	}
}
