using UnityEngine;

namespace Fracas
{
    /// <summary>
    /// What bodies fall on: the BoxCollider, SphereCollider or CapsuleCollider of its GameObject; without one the plane through its
    /// position, with its up axis as the normal. It may move by its transform, but pushes as if it stood still.
    /// </summary>
    [AddComponentMenu("Fracas/Fracas Obstacle")]
    public sealed class FracasObstacle : MonoBehaviour
    {
        public float friction = 0.6f;

        Obstacle obstacle;
        Vector3 centre;

        void OnEnable()
        {
            obstacle = FracasSimulation.Instance.World.Add(MakeShape(), BodyPose.Identity);
            obstacle.Friction = friction;
            FixedUpdate();
        }

        void OnDisable()
        {
            if (FracasSimulation.Exists) FracasSimulation.Instance.World.Remove(obstacle);
        }

        void FixedUpdate() { obstacle.Pose = UnityFrame.FromUnity(transform.TransformPoint(centre), transform.rotation); }

        Shape MakeShape()
        {
            Vector3 scale = transform.lossyScale;
            scale = new Vector3(Mathf.Abs(scale.x), Mathf.Abs(scale.y), Mathf.Abs(scale.z));
            BoxCollider box = GetComponent<BoxCollider>();
            if (box != null)
            {
                centre = box.center;
                Vector3 half = Vector3.Scale(box.size, scale) * 0.5f;
                return Shape.Box(new Float3(half.x, half.y, half.z));
            }
            SphereCollider ball = GetComponent<SphereCollider>();
            if (ball != null)
            {
                centre = ball.center;
                return Shape.Ball(ball.radius * Mathf.Max(scale.x, Mathf.Max(scale.y, scale.z)));
            }
            CapsuleCollider capsule = GetComponent<CapsuleCollider>();
            if (capsule != null)
            {
                centre = capsule.center;
                int along = capsule.direction;
                float radius = capsule.radius * Mathf.Max(scale[(along + 1) % 3], scale[(along + 2) % 3]);
                Vector3 end = new Vector3();
                end[along] = Mathf.Max(0, capsule.height * scale[along] / 2 - radius);
                return Shape.Capsule((Float3)UnityFrame.FromUnity(end), (Float3)UnityFrame.FromUnity(-end), radius);
            }
            centre = new Vector3();
            return Shape.HalfSpace(new Float3(0, 1, 0), 0);
        }
    }
}
