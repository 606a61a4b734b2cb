// Plain data of the interface. Every struct here has the layout of its counterpart in the C interface, so arrays of them go to the
// library without a copy (Tests/Runtime/LayoutTests.cs compares them).
//
// All of it is in the library's frame: right-handed, metres. UnityFrame converts.
using System;
using System.Runtime.InteropServices;
using Fracas.Native;

namespace Fracas
{
    /// <summary>Three doubles: a position, or a direction of the solver.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Double3
    {
        public double X, Y, Z;

        public Double3(double x, double y, double z) { X = x; Y = y; Z = z; }

        public static Double3 operator +(Double3 a, Double3 b) { return new Double3(a.X + b.X, a.Y + b.Y, a.Z + b.Z); }
        public static Double3 operator -(Double3 a, Double3 b) { return new Double3(a.X - b.X, a.Y - b.Y, a.Z - b.Z); }
        public static Double3 operator -(Double3 a) { return new Double3(-a.X, -a.Y, -a.Z); }
        public static Double3 operator *(double s, Double3 a) { return new Double3(s * a.X, s * a.Y, s * a.Z); }
        public static Double3 operator *(Double3 a, double s) { return s * a; }

        public static double Dot(Double3 a, Double3 b) { return a.X * b.X + a.Y * b.Y + a.Z * b.Z; }
        public static Double3 Cross(Double3 a, Double3 b)
        {
            return new Double3(a.Y * b.Z - a.Z * b.Y, a.Z * b.X - a.X * b.Z, a.X * b.Y - a.Y * b.X);
        }
        public double Length { get { return Math.Sqrt(Dot(this, this)); } }

        public static implicit operator Double3(Float3 a) { return new Double3(a.X, a.Y, a.Z); }
        public override string ToString() { return "(" + X + ", " + Y + ", " + Z + ")"; }
    }

    /// <summary>Three floats: a point relative to a body or a query, a normal, a velocity.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Float3
    {
        public float X, Y, Z;

        public Float3(float x, float y, float z) { X = x; Y = y; Z = z; }
        public static explicit operator Float3(Double3 a) { return new Float3((float)a.X, (float)a.Y, (float)a.Z); }
        public override string ToString() { return "(" + X + ", " + Y + ", " + Z + ")"; }
    }

    /// <summary>A rotation as a unit quaternion.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Rotation
    {
        public float X, Y, Z, W;

        public Rotation(float x, float y, float z, float w) { X = x; Y = y; Z = z; W = w; }
        public static Rotation Identity { get { return new Rotation(0, 0, 0, 1); } }

        /// <summary>About an axis of any nonzero length, by an angle in radians.</summary>
        public static Rotation About(Double3 axis, double angle)
        {
            double s = Math.Sin(angle / 2) / axis.Length;
            return new Rotation((float)(s * axis.X), (float)(s * axis.Y), (float)(s * axis.Z), (float)Math.Cos(angle / 2));
        }

        /// <summary>That turns the axes x and y to these, which have unit length and a right angle between them.</summary>
        public static Rotation FromAxes(Double3 x, Double3 y)
        {
            Double3 z = Double3.Cross(x, y);
            // The largest of the four squares is divided by, so none of them can be near zero.
            double[] squares = { 1 + x.X - y.Y - z.Z, 1 - x.X + y.Y - z.Z, 1 - x.X - y.Y + z.Z, 1 + x.X + y.Y + z.Z };
            int largest = 0;
            for (int k = 1; k < 4; k++) if (squares[k] > squares[largest]) largest = k;
            double twice = Math.Sqrt(squares[largest]), s = 0.5 / twice, own = twice / 2;
            double yz = s * (y.Z - z.Y), zx = s * (z.X - x.Z), xy = s * (x.Y - y.X);
            double xy2 = s * (x.Y + y.X), xz2 = s * (x.Z + z.X), yz2 = s * (y.Z + z.Y);
            switch (largest)
            {
                case 0: return new Rotation((float)own, (float)xy2, (float)xz2, (float)yz);
                case 1: return new Rotation((float)xy2, (float)own, (float)yz2, (float)zx);
                case 2: return new Rotation((float)xz2, (float)yz2, (float)own, (float)xy);
                default: return new Rotation((float)yz, (float)zx, (float)xy, (float)own);
            }
        }

        public Rotation Inverse { get { return new Rotation(-X, -Y, -Z, W); } }

        /// <summary>First b, then a.</summary>
        public static Rotation operator *(Rotation a, Rotation b)
        {
            double w = (double)a.W * b.W - (double)a.X * b.X - (double)a.Y * b.Y - (double)a.Z * b.Z;
            double x = (double)a.W * b.X + (double)a.X * b.W + (double)a.Y * b.Z - (double)a.Z * b.Y;
            double y = (double)a.W * b.Y - (double)a.X * b.Z + (double)a.Y * b.W + (double)a.Z * b.X;
            double z = (double)a.W * b.Z + (double)a.X * b.Y - (double)a.Y * b.X + (double)a.Z * b.W;
            double length = Math.Sqrt(w * w + x * x + y * y + z * z); // else products drift away from unit length
            return new Rotation((float)(x / length), (float)(y / length), (float)(z / length), (float)(w / length));
        }

        public static Double3 operator *(Rotation q, Double3 v)
        {
            Double3 u = new Double3(q.X, q.Y, q.Z);
            Double3 t = 2 * Double3.Cross(u, v);
            return v + q.W * t + Double3.Cross(u, t);
        }
        public override string ToString() { return "(" + X + ", " + Y + ", " + Z + ", " + W + ")"; }
    }

    /// <summary>Where a body is: from its frame to the world. Start from Identity: a rotation of zeros is none.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct BodyPose
    {
        public Double3 Position;
        public Rotation Rotation;

        public BodyPose(Double3 position, Rotation rotation) { Position = position; Rotation = rotation; }
        public static BodyPose Identity { get { return new BodyPose(new Double3(), Rotation.Identity); } }
        public static BodyPose At(double x, double y, double z) { return new BodyPose(new Double3(x, y, z), Rotation.Identity); }

        /// <summary>A point of the body in the world.</summary>
        public static Double3 operator *(BodyPose pose, Double3 point) { return pose.Position + pose.Rotation * point; }
        /// <summary>A point of the world in the body's frame.</summary>
        public Double3 ToBody(Double3 point) { return Rotation.Inverse * (point - Position); }
    }

    /// <summary>Linear velocity of the centre of mass (m/s) and angular velocity (rad/s), world axes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Velocity
    {
        public Float3 Linear, Angular;
        public Velocity(Float3 linear, Float3 angular) { Linear = linear; Angular = angular; }
    }

    /// <summary>An axis-aligned box.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Aabb
    {
        public Double3 Min, Max;
        public bool Meets(Aabb other)
        {
            return Min.X <= other.Max.X && other.Min.X <= Max.X && Min.Y <= other.Max.Y && other.Min.Y <= Max.Y &&
                   Min.Z <= other.Max.Z && other.Min.Z <= Max.Z;
        }
    }

    /// <summary>A symmetric inertia tensor in kg m²; products have the sign that they have in the tensor.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Inertia
    {
        public double XX, YY, ZZ, XY, YZ, ZX;

        public static Double3 operator *(Inertia i, Double3 v)
        {
            return new Double3(i.XX * v.X + i.XY * v.Y + i.ZX * v.Z, i.XY * v.X + i.YY * v.Y + i.YZ * v.Z,
                               i.ZX * v.X + i.YZ * v.Y + i.ZZ * v.Z);
        }

        public Inertia Inverse
        {
            get
            {
                double a = YY * ZZ - YZ * YZ, b = ZX * YZ - XY * ZZ, c = XY * YZ - ZX * YY;
                double d = XX * a + XY * b + ZX * c;
                return new Inertia
                {
                    XX = a / d, XY = b / d, ZX = c / d,
                    YY = (XX * ZZ - ZX * ZX) / d, YZ = (XY * ZX - XX * YZ) / d, ZZ = (XX * YY - XY * XY) / d,
                };
            }
        }
    }

    /// <summary>Mass properties in the object's frame; the inertia is about the centre of mass.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct MassProperties
    {
        public double Volume, Mass;
        public Double3 Centre;
        public Inertia Inertia;
    }

    /// <summary>One contact. Point: relative to A's position. Normal: from B towards A. Depth: positive is overlap.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Contact
    {
        public Float3 Point;
        public float Depth;
        public Float3 Normal;
        /// <summary>The same from step to step: the key for warm starting.</summary>
        public uint Feature;
    }

    /// <summary>What a query keeps of a pair of bodies, for the next one. Zero at first; copy it, save it, roll it back.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct PairMemory
    {
        fixed ulong data[55];
    }

    /// <summary>One pair of a batch of queries.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct QueryPair
    {
        public fc_object A, B;
        public BodyPose PoseA, PoseB;
    }

    /// <summary>One pair of a batch of sweeps: poses at the start and at the end of the step.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Sweep
    {
        public fc_object A, B;
        public BodyPose StartA, EndA, StartB, EndB;
    }

    /// <summary>The first touch of two moving bodies.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct SweepHit
    {
        /// <summary>From 0, the start, to 1, the end; 2: they do not touch. Never later than the true time.</summary>
        public double Time;
        public Contact Contact;
        /// <summary>1: they touch at that time. 0: the search was ended; they are apart until then.</summary>
        public uint Exact;
        uint reserved;
    }

    /// <summary>Distance and closest points of two bodies. Overlap: minus the depth of the deepest contact.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Closest
    {
        public double Distance;
        public Double3 PointA, PointB;
        public Float3 Normal;
        uint reserved;
    }

    /// <summary>On the original surface, or on a crack.</summary>
    public enum Face : uint { Skin = Api.FC_FACE_SKIN, Crack = Api.FC_FACE_CRACK }

    /// <summary>Where a ray hits an object.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RayHit
    {
        public double Distance;
        public Float3 Normal;
        public Face Face;
        /// <summary>Skin: a triangle of Asset.Skin. Crack: the fragment on the other side, or FC_NONE.</summary>
        public uint Source;
        uint reserved;
    }

    /// <summary>The sample point or crease of a contact's feature.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FeaturePoint
    {
        public Double3 Position;
        public Face Face;
        public uint Node, Source;
        uint reserved;
    }

    /// <summary>Two adjacent fragments of one fracture, and the area of the crack between them in m².</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Adjacency
    {
        public uint A, B;
        public double Area;
    }

    /// <summary>A plane that cuts a fragment out of its body: it lies where Normal . x &lt;= Offset.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct CutPlane
    {
        public Float3 Normal;
        public float Offset;
        public uint HasFace, Neighbour;
    }

    /// <summary>A triangle of the boundary of an asset.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct SkinTriangle
    {
        public int A, B, C;
        public uint Tet;
    }

    /// <summary>A triangle of an object's collision surface.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct SurfaceTriangle
    {
        public int A, B, C;
        public Face Face;
        public uint Source;
        /// <summary>Two for each corner. Skin: weights in the source triangle. Crack: texture coordinates in metres.</summary>
        public fixed float Coordinates[6];
        uint reserved;
    }

    /// <summary>A vertex of a render mesh.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct DrawnVertex
    {
        public Float3 Position, Normal;
        public float U, V;
    }

    /// <summary>A triangle of a render mesh. Material: that of the asset's triangle, or -1 on cracks.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct DrawnTriangle
    {
        public int A, B, C;
        public int Material;
    }

    /// <summary>The collision surface of an object: closed, skin and cracks.</summary>
    public struct Surface
    {
        public Float3[] Positions;
        public SurfaceTriangle[] Triangles;
    }

    /// <summary>The render mesh of an object.</summary>
    public struct Drawing
    {
        public DrawnVertex[] Vertices;
        public DrawnTriangle[] Triangles;
    }
}
