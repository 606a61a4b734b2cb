// Between Fracas (metres, right-handed) and Unreal (centimetres, left-handed, Z up). All conversions of the plugin are here,
// without the engine's headers: tests/conversions.cpp checks them.
//
// The map of coordinates is a reflection, Y to -Y, and a factor of 100: the same body, seen in other axes. A quaternion turns a
// vector and a cross product is computed by the same formulas in both, so the handedness shows only here:
//
//   positions, velocities, directions   (x, -y, z): they are reflected
//   angular velocities, torques         (-x, y, -z): a cross product of two reflected vectors is minus the reflected product
//   rotations                           (-x, y, -z, w): axes are like angular velocities
//   inertia tensors                     xy and yz change their sign, and 1 kg m^2 is 10,000 kg cm^2
//   triangles                           keep the order of their corners: both have them counter-clockwise for who looks from
//                                       outside (so that in Unreal's axes (V1 - V0) x (V2 - V0) points inside)
#pragma once

#include <fracas.h>

#include <cmath>

namespace FracasUnreal {

constexpr double CentimetresPerMetre = 100;

/// A vector in Unreal's axes.
struct Vec {
    double X = 0, Y = 0, Z = 0;
};

/// A unit quaternion in Unreal's axes.
struct Quat {
    double X = 0, Y = 0, Z = 0, W = 1;
};

/// From a component's frame, whose scale the object already has, to the world.
struct Pose {
    Vec Location;
    Quat Rotation;
};

inline Vec operator+(Vec A, Vec B) { return {A.X + B.X, A.Y + B.Y, A.Z + B.Z}; }
inline Vec operator-(Vec A, Vec B) { return {A.X - B.X, A.Y - B.Y, A.Z - B.Z}; }
inline Vec operator*(double S, Vec A) { return {S * A.X, S * A.Y, S * A.Z}; }
/// As FVector::CrossProduct.
inline double Dot(Vec A, Vec B) { return A.X * B.X + A.Y * B.Y + A.Z * B.Z; }
inline Vec Cross(Vec A, Vec B) { return {A.Y * B.Z - A.Z * B.Y, A.Z * B.X - A.X * B.Z, A.X * B.Y - A.Y * B.X}; }
/// As FQuat::RotateVector.
inline Vec Rotate(Quat Q, Vec V) {
    const Vec U{Q.X, Q.Y, Q.Z}, T = 2 * Cross(U, V);
    return V + Q.W * T + Cross(U, T);
}
inline Quat Inverse(Quat Q) { return {-Q.X, -Q.Y, -Q.Z, Q.W}; }

/// Of positions, velocities and distances along axes; `T` is float or double.
template <class T>
Vec PositionToUnreal(const T *Metres) {
    return {CentimetresPerMetre * Metres[0], -CentimetresPerMetre * Metres[1], CentimetresPerMetre * Metres[2]};
}
template <class T>
void PositionToFracas(Vec Centimetres, T *Metres) {
    Metres[0] = static_cast<T>(Centimetres.X / CentimetresPerMetre);
    Metres[1] = static_cast<T>(-Centimetres.Y / CentimetresPerMetre);
    Metres[2] = static_cast<T>(Centimetres.Z / CentimetresPerMetre);
}

/// Of normals and other directions: no unit.
template <class T>
Vec DirectionToUnreal(const T *Direction) { return {Direction[0], -Direction[1], Direction[2]}; }
template <class T>
void DirectionToFracas(Vec Direction, T *Out) {
    Out[0] = static_cast<T>(Direction.X);
    Out[1] = static_cast<T>(-Direction.Y);
    Out[2] = static_cast<T>(Direction.Z);
}

/// Of angular velocities in radians per second, both sides.
template <class T>
Vec AngularToUnreal(const T *Angular) { return {-Angular[0], Angular[1], -Angular[2]}; }
template <class T>
void AngularToFracas(Vec Angular, T *Out) {
    Out[0] = static_cast<T>(-Angular.X);
    Out[1] = static_cast<T>(Angular.Y);
    Out[2] = static_cast<T>(-Angular.Z);
}

template <class T>
Quat RotationToUnreal(const T *Rotation) { return {-Rotation[0], Rotation[1], -Rotation[2], Rotation[3]}; }
template <class T>
void RotationToFracas(Quat Rotation, T *Out) {
    Out[0] = static_cast<T>(-Rotation.X);
    Out[1] = static_cast<T>(Rotation.Y);
    Out[2] = static_cast<T>(-Rotation.Z);
    Out[3] = static_cast<T>(Rotation.W);
}

inline Pose PoseToUnreal(const fc_pose &Fracas) { return {PositionToUnreal(Fracas.position), RotationToUnreal(Fracas.rotation)}; }
inline fc_pose PoseToFracas(const Pose &Unreal) {
    fc_pose Out;
    PositionToFracas(Unreal.Location, Out.position);
    RotationToFracas(Unreal.Rotation, Out.rotation);
    return Out;
}

/// Of inertia tensors: xx, yy, zz, xy, yz, zx, as in fc_mass; kg m^2 there, kg cm^2 here.
inline void InertiaToUnreal(const double (&Fracas)[6], double (&Unreal)[6]) {
    constexpr double Area = CentimetresPerMetre * CentimetresPerMetre;
    constexpr double Signs[6] = {1, 1, 1, -1, -1, 1};
    for (int K = 0; K < 6; ++K) Unreal[K] = Area * Signs[K] * Fracas[K];
}
inline void InertiaToFracas(const double (&Unreal)[6], double (&Fracas)[6]) {
    constexpr double Area = CentimetresPerMetre * CentimetresPerMetre;
    constexpr double Signs[6] = {1, 1, 1, -1, -1, 1};
    for (int K = 0; K < 6; ++K) Fracas[K] = Signs[K] * Unreal[K] / Area;
}

/// Chaos keeps an inertia tensor as three moments in a rotated frame.
struct PrincipalAxes {
    Vec Moments;
    /// From the principal frame to the frame of the tensor.
    Quat Rotation;
};

/// By Jacobi's rotations, each of them one quaternion further; a handful of sweeps.
inline PrincipalAxes PrincipalAxesOf(const double (&Inertia)[6]) {
    double M[3][3] = {{Inertia[0], Inertia[3], Inertia[5]}, {Inertia[3], Inertia[1], Inertia[4]}, {Inertia[5], Inertia[4], Inertia[2]}};
    Quat Q;
    for (int Sweep = 0; Sweep < 32; ++Sweep)
        for (int R = 0; R < 3; ++R) { // turns about axis R, in the plane of the two others
            const int I = (R + 1) % 3, J = (R + 2) % 3;
            if (std::abs(M[I][J]) <= 1e-18 * (std::abs(M[I][I]) + std::abs(M[J][J]))) continue;
            const double Half = (M[J][J] - M[I][I]) / (2 * M[I][J]);
            const double T = (Half >= 0 ? 1 : -1) / (std::abs(Half) + std::sqrt(Half * Half + 1));
            const double C = 1 / std::sqrt(T * T + 1), S = T * C;
            for (int K = 0; K < 3; ++K) {
                const double A = M[K][I], B = M[K][J];
                M[K][I] = C * A - S * B;
                M[K][J] = S * A + C * B;
            }
            for (int K = 0; K < 3; ++K) {
                const double A = M[I][K], B = M[J][K];
                M[I][K] = C * A - S * B;
                M[J][K] = S * A + C * B;
            }
            // The new axes in the old ones are C e_I - S e_J and S e_I + C e_J: a turn about R by -atan(T).
            const double Angle = -std::atan(T) / 2, Sine = std::sin(Angle), Cosine = std::cos(Angle);
            const Quat Turn{R == 0 ? Sine : 0, R == 1 ? Sine : 0, R == 2 ? Sine : 0, Cosine};
            Q = {Q.W * Turn.X + Q.X * Turn.W + Q.Y * Turn.Z - Q.Z * Turn.Y, Q.W * Turn.Y - Q.X * Turn.Z + Q.Y * Turn.W + Q.Z * Turn.X,
                 Q.W * Turn.Z + Q.X * Turn.Y - Q.Y * Turn.X + Q.Z * Turn.W, Q.W * Turn.W - Q.X * Turn.X - Q.Y * Turn.Y - Q.Z * Turn.Z};
        }
    const double Length = std::sqrt(Q.X * Q.X + Q.Y * Q.Y + Q.Z * Q.Z + Q.W * Q.W);
    return {{M[0][0], M[1][1], M[2][2]}, {Q.X / Length, Q.Y / Length, Q.Z / Length, Q.W / Length}};
}

} // namespace FracasUnreal
