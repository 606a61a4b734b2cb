using System.Runtime.InteropServices;

namespace Fracas
{
    /// <summary>
    /// How an object is approximated by convex parts. The defaults suit Unity's convex MeshColliders. A cut takes some 20 ms: where bodies
    /// break in a frame, ask for one part, or do it in a job.
    /// </summary>
    public sealed class ConvexSettings
    {
        /// <summary>Never more parts than this, 1 to 64; 1 gives the convex hull.</summary>
        public int MaxParts = 8;
        /// <summary>Never more vertices per part; 64 are at most 124 triangles.</summary>
        public int MaxPoints = 64;
        /// <summary>Parts are cut until their hulls exceed the volume by no more than this share of it.</summary>
        public float Excess = 0.05f;
    }

    /// <summary>Where a part is in the arrays of ConvexParts.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ConvexPart
    {
        public int FirstVertex, VertexCount, FirstTriangle, TriangleCount;
        /// <summary>Metres that the object may stand out of the part; 0 unless MaxPoints left vertices out.</summary>
        public float Error;
        uint reserved;
    }

    /// <summary>Convex polyhedra in place of an object, in its frame, for physics that take no contacts from outside.</summary>
    public struct ConvexParts
    {
        public ConvexPart[] Parts;
        public Float3[] Positions;
        /// <summary>Three indices per triangle, into Positions.</summary>
        public int[] Triangles;
    }
}
