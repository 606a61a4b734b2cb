// The same conversions with Unity's own types; see Core/UnityFrame.cs for the convention.
using UnityEngine;

namespace Fracas
{
    public static partial class UnityFrame
    {
        public static Double3 FromUnity(Vector3 v) { return Mirror(new Double3(v.x, v.y, v.z)); }
        public static Rotation FromUnity(Quaternion q) { return Mirror(new Rotation(q.x, q.y, q.z, q.w)); }
        public static BodyPose FromUnity(Vector3 position, Quaternion rotation)
        {
            return new BodyPose(FromUnity(position), FromUnity(rotation));
        }
        public static Double3 AngularFromUnity(Vector3 w) { return MirrorAxial(new Double3(w.x, w.y, w.z)); }

        public static Vector3 ToUnity(Double3 v)
        {
            Double3 m = Mirror(v);
            return new Vector3((float)m.X, (float)m.Y, (float)m.Z);
        }
        public static Quaternion ToUnity(Rotation q)
        {
            Rotation m = Mirror(q);
            return new Quaternion(m.X, m.Y, m.Z, m.W);
        }
        public static Vector3 AngularToUnity(Double3 w)
        {
            Double3 m = MirrorAxial(w);
            return new Vector3((float)m.X, (float)m.Y, (float)m.Z);
        }
        public static void Place(Transform transform, BodyPose pose)
        {
            transform.SetPositionAndRotation(ToUnity(pose.Position), ToUnity(pose.Rotation));
        }
    }
}
