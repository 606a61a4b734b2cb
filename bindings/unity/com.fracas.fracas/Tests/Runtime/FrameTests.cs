using System;
using NUnit.Framework;

namespace Fracas.Tests
{
    /// <summary>
    /// The conversion between the right-handed frame of the library and the left-handed one of Unity: every quantity there and back, and
    /// that what is computed in one frame is what is computed in the other.
    /// </summary>
    [TestFixture]
    public class FrameTests
    {
        readonly Random random = new Random(5);

        double Next() { return 2 * random.NextDouble() - 1; }
        Double3 Vector() { return new Double3(Next(), Next(), Next()); }
        Rotation Turn() { return Rotation.About(Vector(), 3 * Next()); }

        static void Same(Double3 a, Double3 b, double within = 1e-6)
        {
            Assert.AreEqual(a.X, b.X, within);
            Assert.AreEqual(a.Y, b.Y, within);
            Assert.AreEqual(a.Z, b.Z, within);
        }

        /// <summary>Unity computes rotations by the same formulas, with left-handed angles: that is what mirroring must give.</summary>
        [Test]
        public void RotationsAndPositionsGoTogether()
        {
            for (int k = 0; k < 100; k++)
            {
                BodyPose pose = new BodyPose(Vector(), Turn());
                Double3 point = Vector();
                Same(UnityFrame.Mirror(pose * point), UnityFrame.Mirror(pose) * UnityFrame.Mirror(point));
                Same(UnityFrame.Mirror(pose.ToBody(point)), UnityFrame.Mirror(pose).ToBody(UnityFrame.Mirror(point)));
                Rotation second = Turn();
                Rotation both = UnityFrame.Mirror(second * pose.Rotation),
                    each = UnityFrame.Mirror(second) * UnityFrame.Mirror(pose.Rotation);
                Same(both * point, each * point);
            }
        }

        [Test]
        public void RotationsComeFromTheirAxes()
        {
            Double3[] around = { new Double3(1, 0, 0), new Double3(0, 1, 0), new Double3(0, 0, 1), new Double3(1, 1, 0),
                                 new Double3(0, 1, 1), new Double3(1, 0, 1) };
            for (int k = 0; k < 100; k++)
            {
                Rotation turn = k < 6 ? Rotation.About(around[k], Math.PI) : Turn();
                Rotation again = Rotation.FromAxes(turn * new Double3(1, 0, 0), turn * new Double3(0, 1, 0));
                Double3 point = Vector();
                Same(turn * point, again * point);
            }
        }

        [Test]
        public void ThereAndBackIsWhereItWas()
        {
            for (int k = 0; k < 100; k++)
            {
                Double3 v = Vector();
                Assert.AreEqual(v, UnityFrame.Mirror(UnityFrame.Mirror(v)));
                Assert.AreEqual((Float3)v, UnityFrame.Mirror(UnityFrame.Mirror((Float3)v)));
                Assert.AreEqual(v, UnityFrame.MirrorAxial(UnityFrame.MirrorAxial(v)));
                Assert.AreEqual((Float3)v, UnityFrame.MirrorAxial(UnityFrame.MirrorAxial((Float3)v)));
                Rotation q = Turn();
                Assert.AreEqual(q, UnityFrame.Mirror(UnityFrame.Mirror(q)));
                BodyPose pose = new BodyPose(v, q);
                Assert.AreEqual(pose, UnityFrame.Mirror(UnityFrame.Mirror(pose)));
                Velocity velocity = new Velocity((Float3)Vector(), (Float3)Vector());
                Assert.AreEqual(velocity, UnityFrame.Mirror(UnityFrame.Mirror(velocity)));
                Inertia inertia = new Inertia { XX = Next(), YY = Next(), ZZ = Next(), XY = Next(), YZ = Next(), ZX = Next() };
                Assert.AreEqual(inertia, UnityFrame.Mirror(UnityFrame.Mirror(inertia)));
                MassProperties mass = new MassProperties { Volume = 1, Mass = 2, Centre = Vector(), Inertia = inertia };
                Assert.AreEqual(mass, UnityFrame.Mirror(UnityFrame.Mirror(mass)));
                Double3 size = new Double3(random.NextDouble(), random.NextDouble(), random.NextDouble());
                Aabb box = new Aabb { Min = v, Max = v + size };
                Assert.AreEqual(box, UnityFrame.Mirror(UnityFrame.Mirror(box)));
                Contact contact = new Contact { Point = (Float3)Vector(), Depth = 3, Normal = (Float3)Vector(), Feature = 4 };
                Assert.AreEqual(contact, UnityFrame.Mirror(UnityFrame.Mirror(contact)));
                CutPlane plane = new CutPlane { Normal = (Float3)Vector(), Offset = 0.3f, HasFace = 1, Neighbour = 2 };
                Assert.AreEqual(plane, UnityFrame.Mirror(UnityFrame.Mirror(plane)));
            }
            int[] corners = { 0, 1, 2, 5, 4, 3 };
            UnityFrame.MirrorTriangles(corners);
            Assert.AreEqual(new[] { 0, 2, 1, 5, 3, 4 }, corners);
            UnityFrame.MirrorTriangles(corners);
            Assert.AreEqual(new[] { 0, 1, 2, 5, 4, 3 }, corners);
        }

        [Test]
        public void AngularVelocityTurnsTheSameWay()
        {
            for (int k = 0; k < 100; k++)
            {
                Double3 w = Vector(), r = Vector();
                Same(UnityFrame.Mirror(Double3.Cross(w, r)), Double3.Cross(UnityFrame.MirrorAxial(w), UnityFrame.Mirror(r)));
                // A small turn by w is the pose a moment later.
                Rotation turn = Rotation.About(w, 0.1 * w.Length);
                Double3 mirrored = UnityFrame.MirrorAxial(w);
                Same(UnityFrame.Mirror(turn) * r, Rotation.About(mirrored, 0.1 * w.Length) * r);
            }
        }

        /// <summary>The inertia of mirrored points is the mirrored inertia, and torques fit.</summary>
        [Test]
        public void InertiaIsThatOfTheMirroredPoints()
        {
            Double3[] points = new Double3[20];
            for (int k = 0; k < points.Length; k++) points[k] = Vector();
            Inertia original = InertiaOf(points), mirrored = UnityFrame.Mirror(original);
            for (int k = 0; k < points.Length; k++) points[k] = UnityFrame.Mirror(points[k]);
            Inertia direct = InertiaOf(points);
            Assert.AreEqual(direct.XX, mirrored.XX, 1e-12);
            Assert.AreEqual(direct.YY, mirrored.YY, 1e-12);
            Assert.AreEqual(direct.ZZ, mirrored.ZZ, 1e-12);
            Assert.AreEqual(direct.XY, mirrored.XY, 1e-12);
            Assert.AreEqual(direct.YZ, mirrored.YZ, 1e-12);
            Assert.AreEqual(direct.ZX, mirrored.ZX, 1e-12);
            Double3 w = Vector();
            Same(UnityFrame.MirrorAxial(original * w), mirrored * UnityFrame.MirrorAxial(w));
            Same(w, original.Inverse * (original * w));
        }

        static Inertia InertiaOf(Double3[] points)
        {
            Inertia sum = new Inertia();
            foreach (Double3 p in points)
            {
                sum.XX += p.Y * p.Y + p.Z * p.Z;
                sum.YY += p.Z * p.Z + p.X * p.X;
                sum.ZZ += p.X * p.X + p.Y * p.Y;
                sum.XY -= p.X * p.Y;
                sum.YZ -= p.Y * p.Z;
                sum.ZX -= p.Z * p.X;
            }
            return sum;
        }

        /// <summary>The moments about the axes give the inertia back; and mirrored axes that of the mirrored body.</summary>
        [Test]
        public void PrincipalAxesGiveTheInertiaBack()
        {
            for (int k = 0; k < 100; k++)
            {
                Double3[] points = new Double3[4 + k % 5];
                for (int n = 0; n < points.Length; n++) points[n] = Vector();
                Inertia inertia = InertiaOf(points);
                if (k == 0) inertia = new Inertia { XX = 3, YY = 2, ZZ = 1 };
                PrincipalAxes axes = PrincipalAxes.Of(inertia);
                foreach (bool mirrored in new[] { false, true })
                {
                    Double3 w = Vector();
                    Rotation turn = mirrored ? UnityFrame.Mirror(axes.Axes) : axes.Axes;
                    Double3 inside = turn.Inverse * w;
                    Double3 momentum = turn * new Double3(axes.Moments.X * inside.X, axes.Moments.Y * inside.Y, axes.Moments.Z * inside.Z);
                    Same((mirrored ? UnityFrame.Mirror(inertia) : inertia) * w, momentum, 1e-5);
                }
            }
        }

        [Test]
        public void PlanesAndBoxesHoldTheMirroredPoints()
        {
            for (int k = 0; k < 100; k++)
            {
                Double3 p = Vector(), size = new Double3(random.NextDouble(), random.NextDouble(), random.NextDouble());
                Aabb box = new Aabb { Min = p, Max = p + size }, mirrored = UnityFrame.Mirror(box);
                Double3 inside = UnityFrame.Mirror(p + random.NextDouble() * size);
                Assert.IsTrue(mirrored.Meets(new Aabb { Min = inside, Max = inside }));
                CutPlane plane = new CutPlane { Normal = (Float3)Vector(), Offset = 0.1f };
                CutPlane other = UnityFrame.Mirror(plane);
                Assert.AreEqual(Double3.Dot(plane.Normal, p) - plane.Offset, Double3.Dot(other.Normal, UnityFrame.Mirror(p)) - other.Offset,
                    1e-6);
            }
        }

        /// <summary>The same scene, described in Unity's frame and converted, has the contacts of the scene in the library's frame.</summary>
        [Test]
        public void ContactsOfAConvertedSceneAreTheConvertedContacts()
        {
            AssetSettings wedge = Meshes.Brick(0.2, 0.1, 0.06);
            for (int k = 0; k < wedge.Positions.Length; k++) wedge.Positions[k].Y += 0.3f * wedge.Positions[k].X; // has no mirror plane in x
            AssetSettings converted = Meshes.Brick(0.2, 0.1, 0.06);
            converted.Positions = (Float3[])wedge.Positions.Clone();
            UnityFrame.Mirror(converted.Positions);
            using (Asset here = Asset.Create(wedge))
            using (Asset there = Asset.Create(converted))
            using (FracasObject a = FracasObject.Create(here))
            using (FracasObject b = FracasObject.Create(there))
            {
                Contact[] ours = new Contact[64], theirs = new Contact[64];
                BodyPose top = new BodyPose(new Double3(0.03, 0.095, 0.01), Rotation.About(new Double3(0.1, 1, 0.2), 0.3));
                Shape floor = Shape.HalfSpace(new Float3(0.2f, 1, -0.1f), 0.01f);
                Shape mirroredFloor = Shape.HalfSpace(new Float3(-0.2f, 1, -0.1f), 0.01f);
                int count = Queries.WithShape(a, top, floor, BodyPose.Identity, ours).Count;
                Assert.That(count, Is.GreaterThan(0));
                Assert.AreEqual(count, Queries.WithShape(b, UnityFrame.Mirror(top), mirroredFloor, BodyPose.Identity, theirs).Count);
                Contact deepest = UnityFrame.Mirror(theirs[0]);
                Assert.AreEqual(ours[0].Depth, deepest.Depth, 1e-6);
                Same(ours[0].Point, deepest.Point, 1e-5);
                Same(ours[0].Normal, deepest.Normal, 1e-6);
                MassProperties mass = UnityFrame.Mirror(b.Mass);
                Same(a.Mass.Centre, mass.Centre);
                Assert.AreEqual(a.Mass.Inertia.XY, mass.Inertia.XY, 1e-7);
                Assert.That(Math.Abs(mass.Inertia.XY), Is.GreaterThan(1e-4)); // so that its sign is tested
            }
        }
    }
}
