using System;

namespace Fracas
{
    /// <summary>
    /// Principal moments and axes of an inertia, for physics that keep bodies by them (PhysX: Rigidbody.inertiaTensor).
    /// </summary>
    public struct PrincipalAxes
    {
        /// <summary>kg m², about the axes.</summary>
        public Double3 Moments;
        /// <summary>From the frame of the axes to that of the inertia.</summary>
        public Rotation Axes;

        /// <summary>By Jacobi's rotations: a handful of sweeps, exact to the last bits.</summary>
        public static PrincipalAxes Of(Inertia i)
        {
            double[,] m = { { i.XX, i.XY, i.ZX }, { i.XY, i.YY, i.YZ }, { i.ZX, i.YZ, i.ZZ } }, v = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
            for (int sweep = 0; sweep < 32; sweep++)
                for (int p = 0; p < 2; p++)
                    for (int q = p + 1; q < 3; q++)
                    {
                        if (Math.Abs(m[p, q]) <= 1e-18 * (Math.Abs(m[p, p]) + Math.Abs(m[q, q]))) continue;
                        double half = (m[q, q] - m[p, p]) / (2 * m[p, q]);
                        double t = (half >= 0 ? 1 : -1) / (Math.Abs(half) + Math.Sqrt(half * half + 1));
                        double c = 1 / Math.Sqrt(t * t + 1), s = t * c;
                        for (int k = 0; k < 3; k++) Turn(ref m[k, p], ref m[k, q], c, s);
                        for (int k = 0; k < 3; k++) Turn(ref m[p, k], ref m[q, k], c, s);
                        for (int k = 0; k < 3; k++) Turn(ref v[k, p], ref v[k, q], c, s);
                    }
            Double3 x = new Double3(v[0, 0], v[1, 0], v[2, 0]), y = new Double3(v[0, 1], v[1, 1], v[2, 1]);
            return new PrincipalAxes { Moments = new Double3(m[0, 0], m[1, 1], m[2, 2]), Axes = Rotation.FromAxes(x, y) };
        }

        static void Turn(ref double a, ref double b, double c, double s)
        {
            double turned = c * a - s * b;
            b = s * a + c * b;
            a = turned;
        }
    }
}
