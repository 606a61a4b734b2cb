// A body or a fragment in Unreal's units and axes, and what the component does with it. Without the engine's headers: the
// component copies the results into the engine's arrays, and tests/piece.cpp runs all of it against the real library.
//
// Calls may run on any thread; a piece never changes. What fails returns nothing, and fracas::last_error() says why.
#pragma once

#include "FracasConversions.h"

#include <fracas.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace FracasUnreal {

/// A closed surface to cook: that of a static mesh.
struct Surface {
    /// Centimetres, in the frame of the mesh.
    std::vector<Vec> Positions;
    /// One for each position, or none.
    std::vector<Vec> Normals;
    /// Two for each position, or none.
    std::vector<float> UVs;
    /// Three for each triangle, in Unreal's order: counter-clockwise seen from outside.
    std::vector<std::uint32_t> Triangles;
    /// One for each triangle, or none.
    std::vector<std::uint32_t> Materials;
};

/// Kilograms per cubic metre, and the number of tetrahedra wanted (0: the library's default).
fracas::Result<fracas::Asset> Cook(const Surface &Mesh, float Density, std::uint32_t Tetrahedra = 0);

/// The triangles of a render mesh that have one material. In the frame of the component, without its scale: centimetres.
struct Section {
    /// FC_NONE: the cracks.
    std::uint32_t Material = FC_NONE;
    std::vector<Vec> Positions, Normals;
    std::vector<float> UVs;
    std::vector<std::int32_t> Triangles;
    /// Along the first texture coordinate, perpendicular to the normal; of materials with normal maps.
    std::vector<Vec> Tangents;
    /// Where the texture is mirrored: the second coordinate grows against the normal times the tangent.
    std::vector<std::uint8_t> Mirrored;
};

/// What a solver needs. Centimetres with the scale: Chaos keeps bodies so.
struct Mass {
    double Kilograms = 0;
    /// Square metres of a cube of the same volume; see Blow.
    double CrossSection = 0;
    Vec Centre;
    /// kg cm^2, about the centre.
    PrincipalAxes Inertia;
};

/// Velocity of the centre of mass in cm/s, and angular velocity in rad/s, in the world.
struct Motion {
    Vec Linear, Angular;
};

/// How a part moves that a moment ago was a piece of a rigid body: as that point of the body did. Momentum, angular momentum and
/// energy of all parts add up to the body's.
inline Motion Inherited(const Motion &Whole, Vec CentreOfWhole, Vec CentreOfPart) {
    return {Whole.Linear + Cross(Whole.Angular, CentreOfPart - CentreOfWhole), Whole.Angular};
}

/// How to break.
struct Pattern {
    std::uint32_t Pieces = 8;
    std::uint64_t Seed = 0;
    /// Of the cracks, 0 (smooth) to 0.05: a share of the radius.
    float Roughness = 0;
    /// Fragments with a smaller share of the volume are joined to a neighbour.
    float MinVolumeShare = 0.001f;
    /// 0: all over. Else small pieces at Point, and what is farther from it than this stays in one piece. Centimetres, in the world.
    double Radius = 0;
    Vec Point;
    /// The pieces are longer this way; zero: no way is special.
    Vec Direction;
};

/// In the world; the normal points from the second body towards the first, Depth > 0 is overlap.
struct Contact {
    Vec Point, Normal;
    double Depth = 0;
    std::uint32_t Feature = 0;
};

/// In the world. Overlapping bodies have a negative distance.
struct Closest {
    double Distance = 0;
    Vec Point, OtherPoint, Normal;
};

/// Time from 0 to 1, and the contact then.
struct Touch {
    double Time = 0;
    Contact At;
};

struct RayHit {
    double Distance = 0;
    Vec Normal;
    bool Crack = false;
};

class Piece {
public:
    Piece() = default;
    explicit Piece(fracas::Object Owned) : Object(std::move(Owned)) {}
    /// The whole body, with the (uniform) scale of its component.
    static std::optional<Piece> Intact(const fracas::Asset &Asset, double Scale);

    explicit operator bool() const { return static_cast<bool>(Object); }
    const fracas::Object &Get() const { return Object; }

    /// The sections of materials 0, 1, ... up to the last one in use, some may be empty; then the one of the cracks.
    std::optional<std::vector<Section>> Mesh() const;
    /// Convex colliders that fill the piece: points of their hulls, in the frame of the component, without its scale.
    std::optional<std::vector<std::vector<Vec>>> ConvexParts(std::uint32_t MaxParts, std::uint32_t MaxPoints, float Excess) const;
    std::optional<Mass> GetMass() const;
    /// Empty: nothing was cut. The piece stays as it is.
    std::optional<std::vector<Piece>> Break(const Pattern &How, const Pose &At) const;

    /// The best contacts, at most `Most`, first the deepest. `Margin` in centimetres; negative: the library's default.
    std::optional<std::vector<Contact>> Contacts(const Pose &At, const Piece &Other, const Pose &OtherAt, std::uint32_t Most = 16,
                                                 double Margin = -1) const;
    /// Nothing if they are farther apart than `Range`, in centimetres.
    std::optional<Closest> Distance(const Pose &At, const Piece &Other, const Pose &OtherAt, double Range) const;
    /// Nothing if they do not touch on their ways.
    std::optional<Touch> Sweep(const Pose &From, const Pose &To, const Piece &Other, const Pose &OtherFrom, const Pose &OtherTo) const;
    /// Nothing if the ray misses.
    std::optional<RayHit> RayCast(const Pose &At, Vec Origin, Vec Direction, double MaxDistance) const;

private:
    fracas::Object Object;
};

/// How hard a body was hit: impulse over cross-section, N s / m^2. For a body of size L and density r that hits the floor at
/// speed v it is about r L v: 500 breaks a piece of pottery of 10 cm at 2 m/s. The impulse is Unreal's, in kg cm/s.
inline double Blow(double Impulse, const Mass &Body) { return Impulse / CentimetresPerMetre / Body.CrossSection; }

} // namespace FracasUnreal
