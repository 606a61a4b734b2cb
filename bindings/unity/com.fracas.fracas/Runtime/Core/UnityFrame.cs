// The one place where the two frames meet.
//
// The library is right-handed, Unity is left-handed; both are in metres, and Y is up in both by convention. One axis must change its
// sign. It is X, as in glTF importers for Unity: what is cooked of a glTF file by the command `fracas` then fits the same file imported
// into Unity, and Z stays forward.
//
// Mirroring twice is nothing, so every function here converts in both directions.
using System;

namespace Fracas
{
    public static partial class UnityFrame
    {
        /// <summary>A position, a direction, a normal, a linear velocity, an impulse.</summary>
        public static Double3 Mirror(Double3 v) { return new Double3(-v.X, v.Y, v.Z); }
        public static Float3 Mirror(Float3 v) { return new Float3(-v.X, v.Y, v.Z); }

        /// <summary>A rotation: its axis is mirrored and its sense changes.</summary>
        public static Rotation Mirror(Rotation q) { return new Rotation(q.X, -q.Y, -q.Z, q.W); }

        /// <summary>An angular velocity or a torque: axes of rotation, which a mirror turns the other way round.</summary>
        public static Double3 MirrorAxial(Double3 w) { return new Double3(w.X, -w.Y, -w.Z); }
        public static Float3 MirrorAxial(Float3 w) { return new Float3(w.X, -w.Y, -w.Z); }

        public static BodyPose Mirror(BodyPose pose) { return new BodyPose(Mirror(pose.Position), Mirror(pose.Rotation)); }

        public static Velocity Mirror(Velocity v) { return new Velocity(Mirror(v.Linear), MirrorAxial(v.Angular)); }

        /// <summary>Products of inertia with X change their sign.</summary>
        public static Inertia Mirror(Inertia i)
        {
            return new Inertia { XX = i.XX, YY = i.YY, ZZ = i.ZZ, XY = -i.XY, YZ = i.YZ, ZX = -i.ZX };
        }

        public static MassProperties Mirror(MassProperties m)
        {
            return new MassProperties { Volume = m.Volume, Mass = m.Mass, Centre = Mirror(m.Centre), Inertia = Mirror(m.Inertia) };
        }

        public static Aabb Mirror(Aabb box)
        {
            return new Aabb { Min = new Double3(-box.Max.X, box.Min.Y, box.Min.Z), Max = new Double3(-box.Min.X, box.Max.Y, box.Max.Z) };
        }

        public static Contact Mirror(Contact c)
        {
            return new Contact { Point = Mirror(c.Point), Depth = c.Depth, Normal = Mirror(c.Normal), Feature = c.Feature };
        }

        public static CutPlane Mirror(CutPlane p)
        {
            return new CutPlane { Normal = Mirror(p.Normal), Offset = p.Offset, HasFace = p.HasFace, Neighbour = p.Neighbour };
        }

        /// <summary>Points or normals, in place.</summary>
        public static void Mirror(Float3[] vectors)
        {
            for (int k = 0; k < vectors.Length; k++) vectors[k] = Mirror(vectors[k]);
        }

        /// <summary>Three indices per triangle, in place: seen from outside, a mirror makes clockwise what was counter-clockwise.</summary>
        public static void MirrorTriangles(int[] corners)
        {
            for (int k = 0; k + 2 < corners.Length; k += 3)
            {
                int second = corners[k + 1];
                corners[k + 1] = corners[k + 2];
                corners[k + 2] = second;
            }
        }
    }
}
