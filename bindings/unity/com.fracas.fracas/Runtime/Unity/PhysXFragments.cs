using UnityEngine;

namespace Fracas
{
    /// <summary>
    /// Objects as Rigidbodies of Unity's own physics, with convex parts as colliders: Fracas breaks, weighs and draws them, PhysX moves
    /// them. The GameObject's frame is the object's.
    /// </summary>
    public static class PhysXFragments
    {
        /// <summary>Adds a convex MeshCollider for each convex part, and a Rigidbody, if there is none, with the mass properties of the object.</summary>
        public static Rigidbody AddTo(GameObject target, FracasObject obj, ConvexSettings settings = null)
        {
            ConvexParts convex = obj.ConvexParts(settings);
            foreach (ConvexPart part in convex.Parts)
            {
                Vector3[] vertices = new Vector3[part.VertexCount];
                for (int k = 0; k < vertices.Length; k++) vertices[k] = UnityFrame.ToUnity(convex.Positions[part.FirstVertex + k]);
                int[] triangles = new int[3 * part.TriangleCount];
                for (int k = 0; k < triangles.Length; k++) triangles[k] = convex.Triangles[3 * part.FirstTriangle + k] - part.FirstVertex;
                UnityFrame.MirrorTriangles(triangles);
                MeshCollider collider = target.AddComponent<MeshCollider>();
                collider.convex = true;
                collider.sharedMesh = OwnedMeshes.Keep(target, new Mesh { name = "convex part", vertices = vertices, triangles = triangles });
            }
            MassProperties mass = obj.Mass;
            PrincipalAxes axes = PrincipalAxes.Of(mass.Inertia);
            Rigidbody body;
            if (!target.TryGetComponent(out body)) body = target.AddComponent<Rigidbody>();
            body.mass = (float)mass.Mass;
            body.centerOfMass = UnityFrame.ToUnity(mass.Centre);
            body.inertiaTensor = new Vector3((float)axes.Moments.X, (float)axes.Moments.Y, (float)axes.Moments.Z);
            body.inertiaTensorRotation = UnityFrame.ToUnity(axes.Axes);
            body.maxDepenetrationVelocity = 1; // hulls of fragments may overlap at the break; they must not be shot apart
            return body;
        }
    }
}
