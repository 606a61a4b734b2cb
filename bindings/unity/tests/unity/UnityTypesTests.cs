using System;
using NUnit.Framework;
using UnityEngine;

namespace Fracas.Tests
{
    /// <summary>The conversions with Unity's own types, as far as they are arithmetic: against declarations that hold data.</summary>
    [TestFixture]
    public class UnityTypesTests
    {
        [Test]
        public void VectorsAndQuaternionsGoThereAndBack()
        {
            Vector3 v = new Vector3(1, 2, 3);
            Assert.AreEqual(new Double3(-1, 2, 3), UnityFrame.FromUnity(v));
            Assert.AreEqual(v, UnityFrame.ToUnity(UnityFrame.FromUnity(v)));
            Assert.AreEqual(new Double3(1, -2, -3), UnityFrame.AngularFromUnity(v));
            Assert.AreEqual(v, UnityFrame.AngularToUnity(UnityFrame.AngularFromUnity(v)));
            Quaternion q = new Quaternion(0.1f, 0.5f, -0.5f, 0.7f);
            Assert.AreEqual(new Rotation(0.1f, -0.5f, 0.5f, 0.7f), UnityFrame.FromUnity(q));
            Assert.AreEqual(q, UnityFrame.ToUnity(UnityFrame.FromUnity(q)));
            BodyPose pose = UnityFrame.FromUnity(v, q);
            Assert.AreEqual(UnityFrame.FromUnity(v), pose.Position);
            Assert.AreEqual(UnityFrame.FromUnity(q), pose.Rotation);
        }

        /// <summary>
        /// A box of two submeshes, 1 x 2 x 3 around (0.5, 1, 1.5), triangles as Unity wants them: in both frames the product of two edges
        /// points outwards.
        /// </summary>
        static Mesh NewBox()
        {
            Mesh mesh = new Mesh { subMeshCount = 2, vertices = new Vector3[8], uv = new Vector2[8], normals = new Vector3[8] };
            for (int k = 0; k < 8; k++)
            {
                mesh.vertices[k] = new Vector3(k & 1, k & 2, 3 * (k >> 2));
                mesh.uv[k] = new Vector2(0.1f * k, 1);
                mesh.normals[k] = new Vector3((k & 1) - 0.5f, (k & 2) / 2 - 0.5f, (k >> 2) - 0.5f).normalized;
            }
            mesh.SetTriangles(new[] { 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6 }, 0);
            mesh.SetTriangles(new[] { 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5 }, 1);
            return mesh;
        }

        static double Volume(Mesh mesh)
        {
            DrawnVertex[] vertices = (DrawnVertex[])mesh.VertexData;
            double six = 0;
            for (int s = 0; s < mesh.subMeshCount; s++)
            {
                int[] t = mesh.GetTriangles(s);
                for (int k = 0; k < t.Length; k += 3)
                    six += Double3.Dot(vertices[t[k]].Position, Double3.Cross(vertices[t[k + 1]].Position, vertices[t[k + 2]].Position));
            }
            return six / 6;
        }

        static FracasObject Cooked(Vector3 scale)
        {
            AssetSettings settings = UnityMeshes.Settings(NewBox(), scale);
            settings.MeetSurface = true;
            using (Asset asset = Asset.Create(settings))
            {
                Assert.AreEqual(0, (int)asset.Info.warnings); // the library would turn a surface that is inside out, and say so
                return FracasObject.Create(asset);
            }
        }

        [Test]
        public void MeshComesBackAsItWas()
        {
            using (FracasObject box = Cooked(new Vector3(1, 1, 1)))
            {
                Assert.AreEqual(-0.5, box.Mass.Centre.X, 1e-6); // mirrored
                Assert.AreEqual(1.5, box.Mass.Centre.Z, 1e-6);
                Mesh mesh = UnityMeshes.ToMesh(box, 2);
                Assert.AreEqual(3, mesh.subMeshCount);
                Assert.AreEqual(12, mesh.GetTriangles(0).Length);
                Assert.AreEqual(24, mesh.GetTriangles(1).Length);
                Assert.AreEqual(0, mesh.GetTriangles(2).Length); // no cracks
                Assert.AreEqual(6, Volume(mesh), 1e-5);
                foreach (DrawnVertex v in (DrawnVertex[])mesh.VertexData)
                {
                    int k = (int)Math.Round(v.Position.X + v.Position.Y + 4 * v.Position.Z / 3); // which corner it is
                    Assert.AreEqual(NewBox().vertices[k], new Vector3(v.Position.X, v.Position.Y, v.Position.Z));
                    Assert.AreEqual(0.1f * k, v.U, 1e-6);
                    Assert.AreEqual(NewBox().normals[k].x, v.Normal.X, 1e-6);
                    Assert.AreEqual(NewBox().normals[k].z, v.Normal.Z, 1e-6);
                    Assert.AreEqual(1f, v.V);
                }
                foreach (DrawnVertex v in (DrawnVertex[])UnityMeshes.ToMesh(box, 2, flipV: true).VertexData) Assert.AreEqual(0f, v.V);
            }
        }

        [Test]
        public void FragmentMeshesAreClosedByTheirCracks()
        {
            using (FracasObject box = Cooked(new Vector3(0.1f, 0.1f, 0.1f)))
            {
                double volume = 0;
                foreach (FracasObject piece in box.Fracture(FractureSettings.Random(6, 1)))
                {
                    Mesh mesh = UnityMeshes.ToMesh(piece, 2);
                    Assert.That(mesh.GetTriangles(2).Length, Is.GreaterThan(0));
                    Assert.AreEqual(piece.Mass.Volume, Volume(mesh), 1e-3 * piece.Mass.Volume);
                    volume += Volume(mesh);
                    piece.Dispose();
                }
                Assert.AreEqual(0.006, volume, 1e-6);
            }
        }

        [Test]
        public void NegativeScaleIsNotInsideOut()
        {
            using (FracasObject box = Cooked(new Vector3(-1, 2, 1)))
            {
                Assert.AreEqual(0.5, box.Mass.Centre.X, 1e-6); // twice mirrored
                Assert.AreEqual(12, Volume(UnityMeshes.ToMesh(box, 2)), 1e-4);
            }
        }
    }
}
