#pragma once

#include "CoreMinimal.h"

class FPositionVertexBuffer
{
public:
	const FVector3f& VertexPosition(uint32 VertexIndex) const;
	uint32 GetNumVertices() const;
};
class FStaticMeshVertexBuffer
{
public:
	FVector4f VertexTangentZ(uint32 VertexIndex) const;
	FVector2f GetVertexUV(uint32 VertexIndex, uint32 UVIndex) const;
	uint32 GetNumTexCoords() const;
};
class FIndexArrayView
{
public:
	uint32 operator[](int32 Index) const;
	int32 Num() const;
};
class FRawStaticIndexBuffer
{
public:
	FIndexArrayView GetArrayView() const;
};
struct FStaticMeshSection
{
	int32 MaterialIndex;
	uint32 FirstIndex;
	uint32 NumTriangles;
};
struct FStaticMeshVertexBuffers
{
	FStaticMeshVertexBuffer StaticMeshVertexBuffer;
	FPositionVertexBuffer PositionVertexBuffer;
};
struct FStaticMeshLODResources
{
	TArray<FStaticMeshSection> Sections;
	FStaticMeshVertexBuffers VertexBuffers;
	FRawStaticIndexBuffer IndexBuffer;
};
class FStaticMeshRenderData
{
public:
	TArray<FStaticMeshLODResources> LODResources;
};
