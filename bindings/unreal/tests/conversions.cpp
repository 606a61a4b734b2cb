// FracasConversions.h against matrices: every quantity there and back, and what it means computed once in metres and once in
// Unreal's centimetres.
#include "check.h"

#include <FracasConversions.h>

#include <vector>

using namespace FracasUnreal;

namespace {

double Length(Vec A) { return std::sqrt(Dot(A, A)); }
bool Same(Vec A, Vec B, double Tolerance) { return Length(A - B) <= Tolerance; }

/// Right-handed, metres; the same vectors as in the library, and rotations as matrices, so that no quaternion is involved.
struct Matrix {
    double M[3][3];
};

/// Rodrigues' formula: right-handed, about a unit axis.
Matrix Turn(const double (&Axis)[3], double Angle) {
    const double C = std::cos(Angle), S = std::sin(Angle), X = Axis[0], Y = Axis[1], Z = Axis[2];
    return {{{C + X * X * (1 - C), X * Y * (1 - C) - Z * S, X * Z * (1 - C) + Y * S},
             {Y * X * (1 - C) + Z * S, C + Y * Y * (1 - C), Y * Z * (1 - C) - X * S},
             {Z * X * (1 - C) - Y * S, Z * Y * (1 - C) + X * S, C + Z * Z * (1 - C)}}};
}
void Times(const Matrix &A, const double *V, double *Out) {
    for (int K = 0; K < 3; ++K) Out[K] = A.M[K][0] * V[0] + A.M[K][1] * V[1] + A.M[K][2] * V[2];
}
void CrossRight(const double *A, const double *B, double *Out) {
    Out[0] = A[1] * B[2] - A[2] * B[1];
    Out[1] = A[2] * B[0] - A[0] * B[2];
    Out[2] = A[0] * B[1] - A[1] * B[0];
}
void RandomUnit(double (&Out)[3]) {
    double Square = 0;
    do {
        Square = 0;
        for (double &X : Out) {
            X = Random();
            Square += X * X;
        }
    } while (Square > 1 || Square < 0.01);
    for (double &X : Out) X /= std::sqrt(Square);
}
/// xx, yy, zz, xy, yz, zx of points about the origin, from the definition: sum of m (r^2 E - r r^T).
void InertiaOf(const std::vector<Vec> &Points, const std::vector<double> &Masses, double (&Out)[6]) {
    for (double &X : Out) X = 0;
    for (std::size_t K = 0; K < Points.size(); ++K) {
        const Vec P = Points[K];
        const double M = Masses[K];
        Out[0] += M * (P.Y * P.Y + P.Z * P.Z);
        Out[1] += M * (P.Z * P.Z + P.X * P.X);
        Out[2] += M * (P.X * P.X + P.Y * P.Y);
        Out[3] -= M * P.X * P.Y;
        Out[4] -= M * P.Y * P.Z;
        Out[5] -= M * P.Z * P.X;
    }
}
Vec Times(const double (&I)[6], Vec V) {
    return {I[0] * V.X + I[3] * V.Y + I[5] * V.Z, I[3] * V.X + I[1] * V.Y + I[4] * V.Z, I[5] * V.X + I[4] * V.Y + I[2] * V.Z};
}

void WhatUnrealSays() {
    // One metre to the left (+y, with x ahead and z up) is 100 cm against Unreal's Y, which points to the right.
    const double Left[3] = {0, 1, 0};
    CHECK(Same(PositionToUnreal(Left), {0, -100, 0}, 0), "a metre to the left");
    // A quarter to the left takes what is ahead to the left; a positive yaw is to the right in Unreal.
    const double Quarter[4] = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};
    CHECK(Same(Rotate(RotationToUnreal(Quarter), {1, 0, 0}), {0, -1, 0}, 1e-15), "a quarter to the left");
}

void ThereAndBack() {
    for (int Round = 0; Round < 1000; ++Round) {
        double P[3] = {1e3 * Random(), 1e3 * Random(), 1e3 * Random()}, Back[3];
        PositionToFracas(PositionToUnreal(P), Back);
        for (int K = 0; K < 3; ++K) CHECK(Near(P[K], Back[K], 1e-12), "position %g becomes %g", P[K], Back[K]);
        AngularToFracas(AngularToUnreal(P), Back);
        for (int K = 0; K < 3; ++K) CHECK(P[K] == Back[K], "angular velocity %g becomes %g", P[K], Back[K]);
        double N[3];
        RandomUnit(N);
        DirectionToFracas(DirectionToUnreal(N), Back);
        for (int K = 0; K < 3; ++K) CHECK(N[K] == Back[K], "normal %g becomes %g", N[K], Back[K]);
        const double Q[4] = {0.5 * N[0], 0.5 * N[1], 0.5 * N[2], std::sqrt(0.75)};
        double BackQ[4];
        RotationToFracas(RotationToUnreal(Q), BackQ);
        for (int K = 0; K < 4; ++K) CHECK(Q[K] == BackQ[K], "rotation %g becomes %g", Q[K], BackQ[K]);
        const double I[6] = {Random(), Random(), Random(), Random(), Random(), Random()};
        double Unreal[6], BackI[6];
        InertiaToUnreal(I, Unreal);
        InertiaToFracas(Unreal, BackI);
        for (int K = 0; K < 6; ++K) CHECK(Near(I[K], BackI[K], 1e-15), "inertia %g becomes %g", I[K], BackI[K]);
        fc_pose Pose{{P[0], P[1], P[2]}, {float(Q[0]), float(Q[1]), float(Q[2]), float(Q[3])}}, BackPose = PoseToFracas(PoseToUnreal(Pose));
        for (int K = 0; K < 3; ++K) CHECK(Near(Pose.position[K], BackPose.position[K], 1e-12), "a pose");
        for (int K = 0; K < 4; ++K) CHECK(Pose.rotation[K] == BackPose.rotation[K], "a pose");
    }
}

/// A point of a moving body, in both worlds.
void PosesMovePointsAlike() {
    for (int Round = 0; Round < 1000; ++Round) {
        double Axis[3];
        RandomUnit(Axis);
        const double Angle = 3 * Random(), S = std::sin(Angle / 2);
        const double P[3] = {Random(), Random(), Random()}, At[3] = {50 * Random(), 50 * Random(), 50 * Random()};
        double Moved[3];
        Times(Turn(Axis, Angle), P, Moved);
        for (int K = 0; K < 3; ++K) Moved[K] += At[K];
        const fc_pose Fracas{{At[0], At[1], At[2]}, {float(S * Axis[0]), float(S * Axis[1]), float(S * Axis[2]), float(std::cos(Angle / 2))}};
        const Pose Unreal = PoseToUnreal(Fracas);
        const Vec Found = Unreal.Location + Rotate(Unreal.Rotation, PositionToUnreal(P));
        CHECK(Same(Found, PositionToUnreal(Moved), 5e-5), "off by %g cm", Length(Found - PositionToUnreal(Moved))); // the pose is in floats
        CHECK(Same(Rotate(Inverse(Unreal.Rotation), Rotate(Unreal.Rotation, Found)), Found, 1e-2), "the inverse turns back");
    }
}

/// A turning body: velocities of its points, and its energy, from both inertia tensors and from its points.
void TurningBodiesAreAlike() {
    for (int Round = 0; Round < 100; ++Round) {
        std::vector<Vec> Metres, Centimetres;
        std::vector<double> Masses;
        for (int K = 0; K < 6; ++K) {
            const double P[3] = {Random(), 0.3 * Random(), 0.6 * Random()};
            Metres.push_back({P[0], P[1], P[2]});
            Centimetres.push_back(PositionToUnreal(P));
            Masses.push_back(1.5 + Random());
        }
        const double W[3] = {5 * Random(), 5 * Random(), 5 * Random()};
        const Vec WUnreal = AngularToUnreal(W);
        double Energy = 0; // kg cm^2 / s^2
        for (std::size_t K = 0; K < Metres.size(); ++K) {
            const double P[3] = {Metres[K].X, Metres[K].Y, Metres[K].Z};
            double V[3];
            CrossRight(W, P, V);
            const Vec Unreal = Cross(WUnreal, Centimetres[K]);
            CHECK(Same(Unreal, PositionToUnreal(V), 1e-9), "a point moves otherwise by %g cm/s", Length(Unreal - PositionToUnreal(V)));
            Energy += 0.5 * Masses[K] * Dot(Unreal, Unreal);
        }
        double Fracas[6], Unreal[6], FromPoints[6];
        InertiaOf(Metres, Masses, Fracas);
        InertiaOf(Centimetres, Masses, FromPoints);
        InertiaToUnreal(Fracas, Unreal);
        for (int K = 0; K < 6; ++K) CHECK(Near(Unreal[K], FromPoints[K], 1e-8), "inertia %d is %g, of the points %g", K, Unreal[K], FromPoints[K]);
        const Vec WFracas{W[0], W[1], W[2]};
        CHECK(Near(1e4 * 0.5 * Dot(WFracas, Times(Fracas, WFracas)), Energy, 1e-6), "energy in metres");
        CHECK(Near(0.5 * Dot(WUnreal, Times(Unreal, WUnreal)), Energy, 1e-6), "energy in centimetres");

        const PrincipalAxes Axes = PrincipalAxesOf(Unreal);
        const Vec Local = Rotate(Inverse(Axes.Rotation), WUnreal);
        const double ByMoments = 0.5 * (Axes.Moments.X * Local.X * Local.X + Axes.Moments.Y * Local.Y * Local.Y + Axes.Moments.Z * Local.Z * Local.Z);
        CHECK(Near(ByMoments, Energy, 1e-6), "energy by principal moments %g, not %g", ByMoments, Energy);
        const Vec Basis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const double Moments[3] = {Axes.Moments.X, Axes.Moments.Y, Axes.Moments.Z};
        for (int K = 0; K < 3; ++K) {
            const Vec Axis = Rotate(Axes.Rotation, Basis[K]);
            CHECK(Same(Times(Unreal, Axis), Moments[K] * Axis, 1e-6), "axis %d is none of the tensor", K);
        }
    }
    // A cube has any axes; none may be NaN.
    const PrincipalAxes Cube = PrincipalAxesOf({2, 2, 2, 0, 0, 0});
    CHECK(Same(Cube.Moments, {2, 2, 2}, 0) && Cube.Rotation.W == 1, "a cube");
}

/// Triangles keep their order. In Unreal (V1 - V0) x (V2 - V0) points into the body.
void TrianglesFaceTheSameWay() {
    // UKismetProceduralMeshLibrary::GenerateBoxMesh begins with this triangle of the top, whose normal is +Z.
    const Vec Top[3] = {{-1, 1, 1}, {1, 1, 1}, {-1, -1, 1}};
    CHECK(Dot(Cross(Top[1] - Top[0], Top[2] - Top[0]), {0, 0, 1}) < 0, "Unreal's own box");
    for (int Round = 0; Round < 100; ++Round) {
        double P[3][3], U[3], V[3], Normal[3];
        for (auto &Corner : P)
            for (double &X : Corner) X = Random();
        for (int K = 0; K < 3; ++K) U[K] = P[1][K] - P[0][K], V[K] = P[2][K] - P[0][K];
        CrossRight(U, V, Normal); // counter-clockwise: outward
        const Vec A = PositionToUnreal(P[0]), B = PositionToUnreal(P[1]), C = PositionToUnreal(P[2]);
        CHECK(Dot(Cross(B - A, C - A), DirectionToUnreal(Normal)) < 0, "a triangle shows its back");
    }
}

} // namespace

int main() {
    WhatUnrealSays();
    ThereAndBack();
    PosesMovePointsAlike();
    TurningBodiesAreAlike();
    TrianglesFaceTheSameWay();
    return Finish("conversions");
}
