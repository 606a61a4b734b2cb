#include "FracasAsset.h"

#include "FracasComponent.h"
#include "FracasModule.h"
#include "FracasPiece.h"

#include "Engine/StaticMesh.h"
#include "Materials/MaterialInterface.h"
#include "StaticMeshResources.h"
#include "UObject/UObjectIterator.h"

#if WITH_EDITOR

void UFracasAsset::Cook()
{
	if (SourceMesh == nullptr || SourceMesh->GetRenderData() == nullptr || SourceMesh->GetRenderData()->LODResources.Num() == 0)
	{
		UE_LOG(LogFracas, Error, TEXT("%s: choose a static mesh first."), *GetName());
		return;
	}
	const FStaticMeshLODResources& Lod = SourceMesh->GetRenderData()->LODResources[0];
	const FStaticMeshVertexBuffer& Attributes = Lod.VertexBuffers.StaticMeshVertexBuffer;
	FracasUnreal::Surface Mesh;
	for (uint32 K = 0; K < Lod.VertexBuffers.PositionVertexBuffer.GetNumVertices(); ++K)
	{
		const FVector3f Position = Lod.VertexBuffers.PositionVertexBuffer.VertexPosition(K);
		const FVector4f Normal = Attributes.VertexTangentZ(K);
		Mesh.Positions.push_back({Position.X, Position.Y, Position.Z});
		Mesh.Normals.push_back({Normal.X, Normal.Y, Normal.Z});
		const FVector2f UV = Attributes.GetNumTexCoords() > 0 ? Attributes.GetVertexUV(K, 0) : FVector2f(0.f, 0.f);
		Mesh.UVs.push_back(UV.X);
		Mesh.UVs.push_back(UV.Y);
	}
	const FIndexArrayView Indices = Lod.IndexBuffer.GetArrayView();
	for (const FStaticMeshSection& Section : Lod.Sections)
	{
		for (uint32 K = 0; K < Section.NumTriangles; ++K)
		{
			for (uint32 Corner = 0; Corner < 3; ++Corner)
			{
				Mesh.Triangles.push_back(Indices[static_cast<int32>(Section.FirstIndex + 3 * K + Corner)]);
			}
			Mesh.Materials.push_back(static_cast<uint32>(Section.MaterialIndex));
		}
	}

	auto Cooked = FracasUnreal::Cook(Mesh, Density, static_cast<uint32>(FMath::Max(Tetrahedra, 0)));
	auto Saved = Cooked ? Cooked->save() : fracas::Result<std::vector<std::uint8_t>>(Cooked.status());
	if (!Saved)
	{
		UE_LOG(LogFracas, Error, TEXT("%s: %s"), *GetName(), UTF8_TO_TCHAR(fracas::last_error()));
		return;
	}
	Modify();
	Bytes.Reset();
	Bytes.Append(Saved->data(), static_cast<int32>(Saved->size()));
	Materials.Reset();
	for (const FStaticMaterial& Slot : SourceMesh->GetStaticMaterials())
	{
		Materials.Add(Slot.MaterialInterface);
	}
	Loaded = Cooked.take();
	UE_LOG(LogFracas, Log, TEXT("%s: cooked, %d bytes."), *GetName(), Bytes.Num());
	for (TObjectIterator<UFracasComponent> It; It; ++It)
	{
		if (It->Asset == this && It->IsRegistered())
		{
			It->ReregisterComponent(); // rebuilds its preview
		}
	}
}

#endif

const fracas::Asset* UFracasAsset::Get()
{
	if (!Loaded)
	{
		if (Bytes.Num() == 0)
		{
			UE_LOG(LogFracas, Error, TEXT("%s was not cooked: press Cook in its details."), *GetName());
			return nullptr;
		}
		auto Made = fracas::Asset::load({Bytes.GetData(), static_cast<std::size_t>(Bytes.Num())});
		if (!Made)
		{
			UE_LOG(LogFracas, Error, TEXT("%s: %s"), *GetName(), UTF8_TO_TCHAR(fracas::last_error()));
			return nullptr;
		}
		Loaded = Made.take();
	}
	return &Loaded;
}

void UFracasAsset::BeginDestroy()
{
	Loaded.reset();
	Super::BeginDestroy();
}
