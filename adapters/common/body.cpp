#include "body.hpp"

#include <utility>

namespace adapter {

Quat from_axes(Vec x, Vec y, Vec z) {
    // The largest of the four squares is divided by, so none of them can be near zero.
    const double squares[4] = {1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z, 1 + x.x + y.y + z.z};
    int largest = 0;
    for (int k = 1; k < 4; ++k)
        if (squares[k] > squares[largest]) largest = k;
    const double twice = std::sqrt(squares[largest]), s = 0.5 / twice;
    switch (largest) {
    case 0: return {twice / 2, s * (x.y + y.x), s * (x.z + z.x), s * (y.z - z.y)};
    case 1: return {s * (x.y + y.x), twice / 2, s * (y.z + z.y), s * (z.x - x.z)};
    case 2: return {s * (x.z + z.x), s * (y.z + z.y), twice / 2, s * (x.y - y.x)};
    default: return {s * (y.z - z.y), s * (z.x - x.z), s * (x.y - y.x), twice / 2};
    }
}

namespace {

/// Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations: a handful of sweeps, exact to the last bits.
void diagonalise(double (&m)[3][3], double (&vectors)[3][3]) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) vectors[i][j] = i == j;
    for (int sweep = 0; sweep < 32; ++sweep)
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                if (std::abs(m[p][q]) <= 1e-18 * (std::abs(m[p][p]) + std::abs(m[q][q]))) continue;
                const double half = (m[q][q] - m[p][p]) / (2 * m[p][q]);
                const double t = (half >= 0 ? 1 : -1) / (std::abs(half) + std::sqrt(half * half + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 3; ++k) {
                    const double a = m[k][p], b = m[k][q];
                    m[k][p] = c * a - s * b;
                    m[k][q] = s * a + c * b;
                }
                for (int k = 0; k < 3; ++k) {
                    const double a = m[p][k], b = m[q][k];
                    m[p][k] = c * a - s * b;
                    m[q][k] = s * a + c * b;
                }
                for (int k = 0; k < 3; ++k) {
                    const double a = vectors[k][p], b = vectors[k][q];
                    vectors[k][p] = c * a - s * b;
                    vectors[k][q] = s * a + c * b;
                }
            }
}

} // namespace

std::optional<Inertia> inertia_of(fc_object object) {
    fc_mass mass;
    if (fc_object_mass(object, &mass) < 0) return std::nullopt;
    const double *i = mass.inertia; // xx, yy, zz, xy, yz, zx
    double tensor[3][3] = {{i[0], i[3], i[5]}, {i[3], i[1], i[4]}, {i[5], i[4], i[2]}}, axes[3][3];
    diagonalise(tensor, axes);
    const Vec x{axes[0][0], axes[1][0], axes[2][0]}, y{axes[0][1], axes[1][1], axes[2][1]};
    return Inertia{mass.mass, vec(mass.centre), {tensor[0][0], tensor[1][1], tensor[2][2]}, from_axes(x, y, cross(x, y))};
}

} // namespace adapter
