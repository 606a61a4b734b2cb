// FracasPiece against the real library: a box that came from Unreal is cooked, weighed, drawn, broken and queried, all in
// Unreal's centimetres and axes, where closed forms are known.
#include "check.h"

#include <FracasPiece.h>

#include <algorithm>
#include <utility>

using namespace FracasUnreal;

namespace {

double Length(Vec A) { return std::sqrt(Dot(A, A)); }

/// From -Half to Half, centred away from the origin so that nothing is symmetric; the top is of material 1. Counter-clockwise from
/// outside, as UKismetProceduralMeshLibrary::GenerateBoxMesh makes boxes: see conversions.cpp.
Surface Box(Vec Centre, Vec Half) {
    Surface Mesh;
    const auto Face = [&](Vec Normal, Vec Right, Vec Up, std::uint32_t Material) {
        // Seen from outside, Right is to the right and Up upwards: from the lower left corner right, up and left.
        const std::uint32_t First = static_cast<std::uint32_t>(Mesh.Positions.size());
        for (const auto &[A, B] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
            const Vec P = Normal + A * Right + B * Up;
            Mesh.Positions.push_back(Centre + Vec{P.X * Half.X, P.Y * Half.Y, P.Z * Half.Z});
            Mesh.Normals.push_back(Normal);
            Mesh.UVs.insert(Mesh.UVs.end(), {float(0.5 + 0.5 * A), float(0.5 - 0.5 * B)});
        }
        for (const std::uint32_t K : {0u, 1u, 2u, 0u, 2u, 3u}) Mesh.Triangles.push_back(First + K);
        Mesh.Materials.insert(Mesh.Materials.end(), 2, Material);
    };
    const Vec X{1, 0, 0}, Y{0, 1, 0}, Z{0, 0, 1};
    Face(Z, Y, X, 1); // from above, with X upwards, Y is to the right
    Face(-1 * Z, -1 * Y, X, 0);
    Face(X, Z, Y, 0);
    Face(-1 * X, -1 * Z, Y, 0);
    Face(Y, X, Z, 0);
    Face(-1 * Y, -1 * X, Z, 0);
    return Mesh;
}

/// Volume that triangles enclose: positive if they are counter-clockwise outside, which in left-handed axes is a minus.
double Volume(const std::vector<Section> &Sections) {
    double Six = 0;
    for (const Section &S : Sections)
        for (std::size_t K = 0; K + 2 < S.Triangles.size(); K += 3)
            Six -= Dot(S.Positions[S.Triangles[K]], Cross(S.Positions[S.Triangles[K + 1]], S.Positions[S.Triangles[K + 2]]));
    return Six / 6;
}

const Vec Centre{10, 20, 30}, Half{20, 30, 10}; // cm
constexpr double Whole = 8.0 * 20 * 30 * 10;    // cm^3

void TheMeshComesBack(const Piece &Body) {
    const auto Sections = Body.Mesh();
    CHECK(Sections && Sections->size() == 3, "two materials and the cracks");
    if (!Sections || Sections->size() != 3) return;
    CHECK((*Sections)[0].Triangles.size() == 30 && (*Sections)[1].Triangles.size() == 6 && (*Sections)[2].Triangles.empty(), "the box's own triangles");
    CHECK(Near(Volume(*Sections), Whole, 1e-3 * Whole), "it encloses %g cm^3, not %g", Volume(*Sections), Whole);
    for (const Section &S : *Sections)
        for (std::size_t K = 0; K < S.Positions.size(); ++K) {
            const Vec Out = S.Positions[K] - Centre;
            const Vec N = S.Normals[K];
            const double Side = Dot(N, {Half.X, Half.Y, Half.Z});
            CHECK(Near(Dot(N, Out), std::abs(Side), 1e-3), "a normal points inside");
            CHECK(Near(Length(S.Tangents[K]), 1, 1e-6) && Near(Dot(S.Tangents[K], N), 0, 1e-6), "a tangent is a direction in the surface");
            if (S.Material == 1) { // see Face: u grows along Y, v against X
                CHECK(S.Tangents[K].Y > 0.999, "the tangent is along u");
                CHECK((Cross(N, S.Tangents[K]).X > 0) == (S.Mirrored[K] == 1), "mirrored where v grows against normal times tangent");
                CHECK(N.Z > 0.999, "material 1 is the top");
                CHECK(Near(S.UVs[2 * K], 0.5 + 0.5 * Out.Y / Half.Y, 1e-5) && Near(S.UVs[2 * K + 1], 0.5 - 0.5 * Out.X / Half.X, 1e-5), "texture coordinates");
            }
        }
}

void TheMassIsThatOfABox(const Piece &Body, double Scale) {
    const auto Found = Body.GetMass();
    CHECK(Found, "a mass");
    if (!Found) return;
    const double Kilograms = 2000 * 1e-6 * Whole * Scale * Scale * Scale, Third = Kilograms / 3 * Scale * Scale;
    CHECK(Near(Found->Kilograms, Kilograms, 1e-5 * Kilograms), "%g kg, not %g", Found->Kilograms, Kilograms);
    CHECK(Length(Found->Centre - Scale * Centre) < 1e-3 * Scale, "centre %g %g %g", Found->Centre.X, Found->Centre.Y, Found->Centre.Z);
    double Moments[3] = {Found->Inertia.Moments.X, Found->Inertia.Moments.Y, Found->Inertia.Moments.Z};
    double Expected[3] = {Third * (900 + 100), Third * (100 + 400), Third * (400 + 900)};
    std::sort(Moments, Moments + 3);
    std::sort(Expected, Expected + 3);
    for (int K = 0; K < 3; ++K) CHECK(Near(Moments[K], Expected[K], 1e-4 * Expected[K]), "moment %g kg cm^2, not %g", Moments[K], Expected[K]);
    CHECK(Near(Found->CrossSection, std::pow(1e-6 * Whole, 2.0 / 3) * Scale * Scale, 1e-6 * Scale * Scale), "cross-section %g", Found->CrossSection);
    CHECK(Near(Blow(Kilograms * 300, *Found), 3 * Kilograms / Found->CrossSection, 1e-6 * Kilograms / Found->CrossSection), "3 m/s");
}

/// Fragments fill the body, their colliders fill them, and together they move as it did.
void ItBreaks(const Piece &Body, const Pose &At) {
    Pattern How;
    How.Pieces = 12;
    How.Seed = 3;
    const auto Pieces = Body.Break(How, At);
    CHECK(Pieces && Pieces->size() >= 8, "it breaks");
    if (!Pieces) return;
    const auto All = Body.GetMass();
    const Motion Before{{120, -50, 30}, {1, -2, 0.5}};
    const auto Turned = [&](const Mass &Of, Vec W) { // angular momentum and twice the energy of turning, from the principal axes
        const Quat Q = Of.Inertia.Rotation;
        const Vec Local = Rotate(Inverse(Q), Rotate(Inverse(At.Rotation), W));
        const Vec L{Of.Inertia.Moments.X * Local.X, Of.Inertia.Moments.Y * Local.Y, Of.Inertia.Moments.Z * Local.Z};
        return std::pair{Rotate(At.Rotation, Rotate(Q, L)), Dot(Local, L)};
    };
    double Volumes = 0, Kilograms = 0, Energy = 0;
    Vec Momentum, Spin;
    const auto World = [&](Vec P) { return At.Location + Rotate(At.Rotation, P); };
    for (const Piece &Part : *Pieces) {
        const auto Sections = Part.Mesh();
        const auto Hulls = Part.ConvexParts(8, 64, 0.05f);
        const auto Of = Part.GetMass();
        CHECK(Sections && Hulls && Of, "%s", fracas::last_error());
        if (!Sections || !Hulls || !Of) return;
        CHECK(!Sections->back().Triangles.empty() && Sections->back().Material == FC_NONE, "cracks come last");
        Volumes += Volume(*Sections);
        CHECK(Hulls->size() == 1, "a piece of a box is convex, and not %zu parts", Hulls->size());
        // The corners of the collider are corners of the drawing.
        for (const Vec &Corner : Hulls->front()) {
            double Nearest = 1e9;
            for (const Section &S : *Sections)
                for (const Vec &P : S.Positions) Nearest = std::min(Nearest, Length(P - Corner));
            CHECK(Nearest < 0.01, "a corner of a collider is %g cm from the piece", Nearest);
        }
        const Motion Now = Inherited(Before, World(All->Centre), World(Of->Centre));
        const auto [L, Twice] = Turned(*Of, Now.Angular);
        Kilograms += Of->Kilograms;
        Momentum = Momentum + Of->Kilograms * Now.Linear;
        Spin = Spin + L + Of->Kilograms * Cross(World(Of->Centre) - World(All->Centre), Now.Linear);
        Energy += 0.5 * (Of->Kilograms * Dot(Now.Linear, Now.Linear) + Twice);
    }
    CHECK(Near(Volumes, Whole, 1e-3 * Whole), "the pieces have %g cm^3 of %g", Volumes, Whole);
    CHECK(Near(Kilograms, All->Kilograms, 1e-6 * Kilograms), "the pieces weigh %g kg of %g", Kilograms, All->Kilograms);
    CHECK(Length(Momentum - Kilograms * Before.Linear) < 1e-4 * Length(Momentum), "momentum");
    const auto [L, Twice] = Turned(*All, Before.Angular);
    CHECK(Length(Spin - L) < 1e-4 * Length(L), "angular momentum");
    const double Expected = 0.5 * (All->Kilograms * Dot(Before.Linear, Before.Linear) + Twice);
    CHECK(Near(Energy, Expected, 1e-4 * Expected), "energy %g, not %g", Energy, Expected);

    // A blow on one side breaks that side: the piece there is smaller than the one farthest away.
    How = {};
    How.Pieces = 16;
    How.Radius = 20;
    How.Point = World(Centre + Vec{0, Half.Y, 0});
    How.Direction = Rotate(At.Rotation, {0, -1, 0});
    const auto Chips = Body.Break(How, At);
    CHECK(Chips && Chips->size() >= 3, "it breaks under a blow");
    if (!Chips) return;
    double Nearest = 1e9, Farthest = 0, Chip = 0, Rest = 0;
    for (const Piece &Part : *Chips) {
        const auto Of = Part.GetMass();
        const double Away = Length(World(Of->Centre) - How.Point);
        if (Away < Nearest) Nearest = Away, Chip = Of->Kilograms;
        if (Away > Farthest) Farthest = Away, Rest = Of->Kilograms;
    }
    CHECK(10 * Chip < Rest, "at the blow %g kg, away from it %g kg", Chip, Rest);
}

void QueriesAreInCentimetres(const Piece &Body) {
    // The second box beside the first one, 1 cm into it along one axis, and 3 cm aside; the first has a pose that brings its centre to the origin.
    const Vec Axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (const Vec &Axis : Axes) {
        const Pose Far{Vec{1e5, -2e5, 300}, {}};
        const double Width = 2 * std::abs(Dot(Axis, Half));
        const Vec Aside{3 - 3 * std::abs(Axis.X), 3 - 3 * std::abs(Axis.Y), 3 - 3 * std::abs(Axis.Z)};
        const Pose A{Far.Location + Aside + (Width - 1) * Axis, {}};
        const auto Found = Body.Contacts(A, Body, Far);
        CHECK(Found && !Found->empty(), "contacts along %g %g %g", Axis.X, Axis.Y, Axis.Z);
        if (!Found || Found->empty()) continue;
        for (const Contact &C : *Found)
            CHECK(Length(C.Normal - Axis) < 1e-3, "normal %g %g %g, not %g %g %g", C.Normal.X, C.Normal.Y, C.Normal.Z, Axis.X, Axis.Y, Axis.Z);
        const Contact &Deepest = Found->front();
        CHECK(Near(Deepest.Depth, 1, 0.01), "depth %g cm", Deepest.Depth);
        CHECK(Near(Dot(Deepest.Point - Far.Location - Centre, Axis), 0.5 * Width - 0.5, 0.01), "a point off the middle");
        const Pose Apart{Far.Location + (Width + 5) * Axis, {}};
        const auto Closest = Body.Distance(Apart, Body, Far, 100);
        CHECK(Closest && Near(Closest->Distance, 5, 0.01) && Length(Closest->Normal - Axis) < 1e-3, "5 cm apart");
        if (Closest) CHECK(Near(Dot(Closest->Point - Closest->OtherPoint, Axis), 5, 0.01), "the closest points are 5 cm apart");
        CHECK(!Body.Distance(Apart, Body, Far, 4), "not within 4 cm");
        const auto Hit = Body.Sweep(Apart, {Apart.Location - 10 * Axis, {}}, Body, Far, Far);
        CHECK(Hit && Near(Hit->Time, 0.5, 1e-3) && Length(Hit->At.Normal - Axis) < 1e-2, "they meet halfway");
        CHECK(!Body.Sweep(Apart, {Apart.Location + 10 * Axis, {}}, Body, Far, Far), "they part");
        const auto Ray = Body.RayCast(Far, Far.Location + Centre + (0.5 * Width + 7) * Axis, -1 * Axis, 100);
        CHECK(Ray && Near(Ray->Distance, 7, 0.01) && Length(Ray->Normal - Axis) < 1e-3 && !Ray->Crack, "a ray hits after 7 cm");
    }
    // Turned by a quarter about Z the box is 30 cm wide along X, about its origin: what was at Y is at -X.
    const Pose Turned{{}, {0, 0, std::sqrt(0.5), std::sqrt(0.5)}};
    const auto Ray = Body.RayCast(Turned, {100, Centre.X, Centre.Z}, {-1, 0, 0}, 1000);
    CHECK(Ray && Near(Ray->Distance, 100 + Centre.Y - Half.Y, 0.01), "the turned box is hit after %g cm", Ray ? Ray->Distance : 0);
}

void ErrorsAreSaid(const fracas::Asset &Asset) {
    CHECK(!Piece::Intact(Asset, -1) && *fracas::last_error(), "a negative scale");
    CHECK(!Piece().Mesh() && !Piece().GetMass() && !Piece().Break({}, {}) && !Piece().ConvexParts(8, 64, 0), "no object");
    CHECK(!Cook({}, 1000) && *fracas::last_error(), "no mesh");
}

} // namespace

int main() {
    {
        const auto Asset = Cook(Box(Centre, Half), 2000, 500);
        CHECK(Asset, "%s", fracas::last_error());
        if (!Asset) return Finish("piece");
        // Triangles the wrong way round would be repaired, and that would be told.
        CHECK(Asset->info()->warnings == 0, "cooking warned: %u", Asset->info()->warnings);
        const auto Body = Piece::Intact(*Asset, 1), Large = Piece::Intact(*Asset, 3);
        CHECK(Body && Large, "%s", fracas::last_error());
        if (!Body || !Large) return Finish("piece");
        TheMeshComesBack(*Body);
        TheMeshComesBack(*Large); // in the frame of the component, whose scale it is
        TheMassIsThatOfABox(*Body, 1);
        TheMassIsThatOfABox(*Large, 3);
        ItBreaks(*Body, {});
        ItBreaks(*Body, {{500, -300, 80}, {0.5, -0.5, 0.1, std::sqrt(0.49)}});
        QueriesAreInCentimetres(*Body);
        ErrorsAreSaid(*Asset);
    }
    CHECK(fc_live_handles() == 0, "%u handles are left", fc_live_handles());
    return Finish("piece");
}
