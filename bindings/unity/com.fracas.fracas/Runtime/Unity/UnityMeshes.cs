using System;
using System.Collections.Generic;
using UnityEngine;
using UnityEngine.Rendering;

namespace Fracas
{
    /// <summary>Meshes of Unity in, and meshes of fragments out.</summary>
    public static class UnityMeshes
    {
        static readonly VertexAttributeDescriptor[] layout =
        {
            new VertexAttributeDescriptor(VertexAttribute.Position, VertexAttributeFormat.Float32, 3),
            new VertexAttributeDescriptor(VertexAttribute.Normal, VertexAttributeFormat.Float32, 3),
            new VertexAttributeDescriptor(VertexAttribute.TexCoord0, VertexAttributeFormat.Float32, 2),
        };

        /// <summary>
        /// What an asset is cooked from: the mesh as a closed surface, which fragments are drawn by; submeshes become materials. `scale`
        /// is applied to the vertices.
        /// </summary>
        public static AssetSettings Settings(Mesh mesh, Vector3 scale)
        {
            if (!mesh.isReadable)
                throw new ArgumentException("the mesh \"" + mesh.name + "\" is not readable; switch on Read/Write in its import settings, " +
                                            "or cook it with the command `fracas cook`");
            Vector3[] vertices = mesh.vertices, normals = mesh.normals;
            Vector2[] uvs = mesh.uv;
            AssetSettings settings = new AssetSettings { KeepSurface = true, Positions = new Float3[vertices.Length] };
            for (int k = 0; k < vertices.Length; k++) settings.Positions[k] = (Float3)UnityFrame.FromUnity(Vector3.Scale(vertices[k], scale));
            if (normals.Length == vertices.Length)
            {
                settings.Normals = new Float3[normals.Length];
                Vector3 inverse = new Vector3(1 / scale.x, 1 / scale.y, 1 / scale.z); // normals of a stretched surface
                for (int k = 0; k < normals.Length; k++)
                    settings.Normals[k] = (Float3)UnityFrame.FromUnity(Vector3.Scale(normals[k], inverse).normalized);
            }
            if (uvs.Length == vertices.Length)
            {
                settings.Uvs = new float[2 * uvs.Length];
                for (int k = 0; k < uvs.Length; k++)
                {
                    settings.Uvs[2 * k] = uvs[k].x;
                    settings.Uvs[2 * k + 1] = uvs[k].y;
                }
            }
            List<int> corners = new List<int>(), materials = new List<int>();
            for (int submesh = 0; submesh < mesh.subMeshCount; submesh++)
            {
                int[] part = mesh.GetTriangles(submesh);
                corners.AddRange(part);
                for (int k = 0; k < part.Length / 3; k++) materials.Add(submesh);
            }
            settings.Triangles = corners.ToArray();
            // A negative scale turns the surface inside out once more.
            if (scale.x * scale.y * scale.z > 0) UnityFrame.MirrorTriangles(settings.Triangles);
            settings.Materials = materials.ToArray();
            return settings;
        }

        /// <summary>
        /// The render mesh of an object. It has a submesh for each of `materials` of the source, and a last one for cracks, whose texture
        /// coordinates are in metres. `flipV`: for assets cooked of glTF, where V points down.
        /// </summary>
        public static Mesh ToMesh(FracasObject obj, int materials, bool flipV = false)
        {
            Drawing drawing = obj.Drawing();
            DrawnVertex[] vertices = drawing.Vertices;
            for (int k = 0; k < vertices.Length; k++)
            {
                vertices[k].Position = UnityFrame.Mirror(vertices[k].Position);
                vertices[k].Normal = UnityFrame.Mirror(vertices[k].Normal);
                if (flipV) vertices[k].V = 1 - vertices[k].V;
            }
            List<int>[] corners = new List<int>[materials + 1];
            for (int k = 0; k <= materials; k++) corners[k] = new List<int>();
            foreach (DrawnTriangle t in drawing.Triangles)
            {
                List<int> into = corners[t.Material < 0 || t.Material >= materials ? materials : t.Material];
                into.Add(t.A);
                into.Add(t.B);
                into.Add(t.C);
            }
            Mesh mesh = new Mesh();
            mesh.indexFormat = vertices.Length > 65535 ? IndexFormat.UInt32 : IndexFormat.UInt16;
            mesh.SetVertexBufferParams(vertices.Length, layout);
            mesh.SetVertexBufferData(vertices, 0, 0, vertices.Length);
            mesh.subMeshCount = materials + 1;
            for (int k = 0; k <= materials; k++)
            {
                int[] turned = corners[k].ToArray();
                UnityFrame.MirrorTriangles(turned);
                mesh.SetTriangles(turned, k);
            }
            mesh.RecalculateBounds();
            mesh.RecalculateTangents();
            return mesh;
        }
    }
}
