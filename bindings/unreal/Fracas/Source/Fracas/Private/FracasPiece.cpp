#include "FracasPiece.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace FracasUnreal {

namespace {

/// Scale of an object: what is asked for in the frame of the component is without it.
std::optional<double> ScaleOf(const fracas::Object &Object) {
    const auto Info = Object.info();
    if (!Info) return {};
    return Info->scale;
}

Contact ContactToUnreal(const fc_contact &Found, Vec Origin) {
    return {Origin + PositionToUnreal(Found.point), DirectionToUnreal(Found.normal), CentimetresPerMetre * Found.depth, Found.feature};
}

/// Tangents of the vertices: the mean of their triangles', perpendicular to the normal.
void AddTangents(Section &In) {
    const std::size_t Count = In.Positions.size();
    std::vector<Vec> Along(Count), Across(Count);
    for (std::size_t K = 0; K + 2 < In.Triangles.size(); K += 3) {
        const auto Corner = [&](std::size_t I) { return static_cast<std::size_t>(In.Triangles[K + I]); };
        const auto Edge = [&](std::size_t I) { return In.Positions[Corner(I)] - In.Positions[Corner(0)]; };
        const auto Step = [&](std::size_t I, std::size_t Axis) { return double(In.UVs[2 * Corner(I) + Axis]) - In.UVs[2 * Corner(0) + Axis]; };
        const double Area = Step(1, 0) * Step(2, 1) - Step(2, 0) * Step(1, 1);
        if (Area == 0) continue; // no texture
        const Vec U = (1 / Area) * (Step(2, 1) * Edge(1) - Step(1, 1) * Edge(2)), V = (1 / Area) * (Step(1, 0) * Edge(2) - Step(2, 0) * Edge(1));
        for (std::size_t I = 0; I < 3; ++I) {
            Along[Corner(I)] = Along[Corner(I)] + U;
            Across[Corner(I)] = Across[Corner(I)] + V;
        }
    }
    for (std::size_t K = 0; K < Count; ++K) {
        const Vec Normal = In.Normals[K];
        Vec Tangent = Along[K] - Dot(Along[K], Normal) * Normal;
        if (!(Dot(Tangent, Tangent) > 0)) // any direction in the surface
            Tangent = Cross(Normal, std::abs(Normal.X) < 0.5 ? Vec{1, 0, 0} : Vec{0, 1, 0});
        In.Tangents.push_back((1 / std::sqrt(Dot(Tangent, Tangent))) * Tangent);
        In.Mirrored.push_back(Dot(Cross(Normal, Tangent), Across[K]) < 0);
    }
}

} // namespace

fracas::Result<fracas::Asset> Cook(const Surface &Mesh, float Density, std::uint32_t Tetrahedra) {
    const std::size_t Count = Mesh.Positions.size();
    std::vector<float> Positions(3 * Count), Normals(3 * Mesh.Normals.size());
    for (std::size_t K = 0; K < Count; ++K) PositionToFracas(Mesh.Positions[K], &Positions[3 * K]);
    for (std::size_t K = 0; K < Mesh.Normals.size(); ++K) DirectionToFracas(Mesh.Normals[K], &Normals[3 * K]);
    fc_asset_desc Desc = fracas::asset_desc();
    Desc.positions = Positions.data();
    Desc.node_count = static_cast<std::uint32_t>(Count);
    Desc.triangles = Mesh.Triangles.data();
    Desc.triangle_count = static_cast<std::uint32_t>(Mesh.Triangles.size() / 3);
    Desc.normals = Mesh.Normals.size() == Count ? Normals.data() : nullptr;
    Desc.uvs = Mesh.UVs.size() == 2 * Count ? Mesh.UVs.data() : nullptr;
    Desc.materials = Mesh.Materials.size() == Desc.triangle_count ? Mesh.Materials.data() : nullptr;
    Desc.density = Density;
    Desc.fill_tets = Tetrahedra;
    Desc.flags = FC_ASSET_KEEP_SURFACE;
    return fracas::Asset::create(Desc);
}

std::optional<Piece> Piece::Intact(const fracas::Asset &Asset, double Scale) {
    fc_object_desc Desc = fracas::object_desc();
    Desc.scale = Scale;
    auto Made = fracas::Object::create(Asset, &Desc);
    if (!Made) return {};
    return Piece(Made.take());
}

std::optional<std::vector<Section>> Piece::Mesh() const {
    const auto Scale = ScaleOf(Object);
    if (!Scale) return {};
    const auto Drawing = Object.drawing();
    if (!Drawing) return {};
    std::uint32_t Materials = 0;
    for (const fc_drawn_triangle &Triangle : Drawing->triangles)
        if (Triangle.material != FC_NONE) Materials = std::max(Materials, Triangle.material + 1);
    std::vector<Section> Sections(Materials + 1);
    for (std::uint32_t K = 0; K < Materials; ++K) Sections[K].Material = K;

    // A vertex may be used by several materials: each section has its own, numbered as they come.
    struct Place {
        std::uint32_t Section = FC_NONE;
        std::int32_t Index = 0;
    };
    std::vector<Place> Places(Drawing->vertices.size());
    for (const fc_drawn_triangle &Triangle : Drawing->triangles) {
        const std::uint32_t Number = std::min(Triangle.material, Materials);
        Section &In = Sections[Number];
        for (const std::uint32_t Corner : Triangle.corners) {
            Place &At = Places[Corner];
            if (At.Section != Number) {
                const fc_vertex &Vertex = Drawing->vertices[Corner];
                At = {Number, static_cast<std::int32_t>(In.Positions.size())};
                In.Positions.push_back((1 / *Scale) * PositionToUnreal(Vertex.position));
                In.Normals.push_back(DirectionToUnreal(Vertex.normal));
                In.UVs.insert(In.UVs.end(), Vertex.uv, Vertex.uv + 2);
            }
            In.Triangles.push_back(At.Index);
        }
    }
    for (Section &Each : Sections) AddTangents(Each);
    return Sections;
}

std::optional<std::vector<std::vector<Vec>>> Piece::ConvexParts(std::uint32_t MaxParts, std::uint32_t MaxPoints, float Excess) const {
    const auto Scale = ScaleOf(Object);
    if (!Scale) return {};
    fc_convex_desc Desc;
    fc_convex_desc_default(&Desc);
    Desc.max_parts = MaxParts;
    Desc.max_points = MaxPoints;
    Desc.excess = Excess;
    std::uint32_t PartCount = 0, VertexCount = 0, TriangleCount = 0;
    if (fc_object_convex_parts(Object.get(), &Desc, nullptr, 0, &PartCount, nullptr, 0, &VertexCount, nullptr, 0, &TriangleCount) < 0) return {};
    std::vector<fc_convex_part> Parts(PartCount);
    std::vector<float> Positions(3 * std::size_t(VertexCount));
    std::vector<std::uint32_t> Triangles(3 * std::size_t(TriangleCount));
    if (fc_object_convex_parts(Object.get(), &Desc, Parts.data(), PartCount, &PartCount, Positions.data(), VertexCount, &VertexCount,
                               Triangles.data(), TriangleCount, &TriangleCount) < 0)
        return {};
    std::vector<std::vector<Vec>> Hulls;
    for (const fc_convex_part &Part : Parts) {
        std::vector<Vec> &Points = Hulls.emplace_back();
        for (std::uint32_t K = 0; K < Part.vertex_count; ++K)
            Points.push_back((1 / *Scale) * PositionToUnreal(&Positions[3 * std::size_t(Part.first_vertex + K)]));
    }
    return Hulls;
}

std::optional<Mass> Piece::GetMass() const {
    const auto Found = Object.mass();
    if (!Found) return {};
    double Inertia[6];
    InertiaToUnreal(Found->inertia, Inertia);
    return Mass{Found->mass, std::pow(Found->volume, 2.0 / 3.0), PositionToUnreal(Found->centre), PrincipalAxesOf(Inertia)};
}

std::optional<std::vector<Piece>> Piece::Break(const Pattern &How, const Pose &At) const {
    fc_fracture_desc Desc = fracas::fracture_desc(How.Radius > 0 ? FC_PATTERN_IMPACT : FC_PATTERN_RANDOM_VORONOI);
    Desc.count = How.Pieces;
    Desc.seed = Desc.roughness_seed = How.Seed;
    Desc.roughness = How.Roughness;
    Desc.min_volume_share = How.MinVolumeShare;
    if (How.Radius > 0) {
        const Quat Back = Inverse(At.Rotation);
        PositionToFracas(Rotate(Back, How.Point - At.Location), Desc.impact_point);
        DirectionToFracas(Rotate(Back, How.Direction), Desc.impact_direction);
        Desc.impact_radius = static_cast<float>(How.Radius / CentimetresPerMetre);
    }
    auto Fragments = fracas::fracture(Object, Desc);
    if (!Fragments) return {};
    std::vector<Piece> Pieces;
    for (fracas::Object &Fragment : *Fragments) Pieces.emplace_back(std::move(Fragment));
    return Pieces;
}

std::optional<std::vector<Contact>> Piece::Contacts(const Pose &At, const Piece &Other, const Pose &OtherAt, std::uint32_t Most,
                                                    double Margin) const {
    fc_query_desc Desc = fracas::query_desc();
    if (Margin >= 0) Desc.margin = static_cast<float>(Margin / CentimetresPerMetre);
    std::vector<fc_contact> Found(Most);
    const auto Count = fracas::query_pair(Object, PoseToFracas(At), Other.Object, PoseToFracas(OtherAt), Found, &Desc);
    if (!Count) return {};
    std::vector<Contact> Contacts;
    for (std::uint32_t K = 0; K < *Count; ++K) Contacts.push_back(ContactToUnreal(Found[K], At.Location));
    return Contacts;
}

std::optional<Closest> Piece::Distance(const Pose &At, const Piece &Other, const Pose &OtherAt, double Range) const {
    const auto Found = fracas::distance_pair(Object, PoseToFracas(At), Other.Object, PoseToFracas(OtherAt), Range / CentimetresPerMetre);
    if (!Found) return {};
    return Closest{CentimetresPerMetre * Found->distance, PositionToUnreal(Found->point_a), PositionToUnreal(Found->point_b),
                   DirectionToUnreal(Found->normal)};
}

std::optional<Touch> Piece::Sweep(const Pose &From, const Pose &To, const Piece &Other, const Pose &OtherFrom, const Pose &OtherTo) const {
    const auto Found = fracas::sweep_pair(Object, PoseToFracas(From), PoseToFracas(To), Other.Object, PoseToFracas(OtherFrom), PoseToFracas(OtherTo));
    if (!Found) return {};
    return Touch{Found->time, ContactToUnreal(Found->contact, From.Location)};
}

std::optional<RayHit> Piece::RayCast(const Pose &At, Vec Origin, Vec Direction, double MaxDistance) const {
    double Start[3];
    float Along[3];
    PositionToFracas(Origin, Start);
    DirectionToFracas(Direction, Along);
    const auto Found = Object.ray_cast(PoseToFracas(At), Start, Along, MaxDistance / CentimetresPerMetre);
    if (!Found) return {};
    return RayHit{CentimetresPerMetre * Found->distance, DirectionToUnreal(Found->normal), Found->face == FC_FACE_CRACK};
}

} // namespace FracasUnreal
