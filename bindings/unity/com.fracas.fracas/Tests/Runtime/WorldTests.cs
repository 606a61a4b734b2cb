using System;
using NUnit.Framework;

namespace Fracas.Tests
{
    /// <summary>The world and its reference solver: what falls comes to rest, and nothing sinks.</summary>
    [TestFixture]
    public class WorldTests
    {
        const double Step = 1.0 / 60;

        static FracasWorld WithFloor()
        {
            FracasWorld world = new FracasWorld();
            world.Add(Shape.HalfSpace(new Float3(0, 1, 0), 0), BodyPose.Identity);
            return world;
        }

        static double Lowest(FracasWorld world)
        {
            double lowest = double.PositiveInfinity;
            foreach (WorldBody body in world.Bodies)
                foreach (Float3 p in body.Object.Surface().Positions) lowest = Math.Min(lowest, (body.Pose * (Double3)p).Y);
            return lowest;
        }

        static double Fastest(FracasWorld world)
        {
            double fastest = 0;
            foreach (WorldBody body in world.Bodies)
                fastest = Math.Max(fastest, body.LinearVelocity.Length + 0.1 * body.AngularVelocity.Length);
            return fastest;
        }

        static double Energy(FracasWorld world)
        {
            double energy = 0;
            foreach (WorldBody body in world.Bodies)
            {
                Double3 w = body.Pose.Rotation.Inverse * body.AngularVelocity;
                energy += body.Mass.Mass * (Double3.Dot(body.LinearVelocity, body.LinearVelocity) / 2 + 9.81 * body.Centre.Y);
                energy += Double3.Dot(w, body.Mass.Inertia * w) / 2;
            }
            return energy;
        }

        [Test]
        public void BrickFallsAsGalileoSays()
        {
            using (FracasWorld world = new FracasWorld())
            {
                WorldBody brick = world.Add(Meshes.NewBrick(), BodyPose.At(0, 10, 0));
                brick.AngularVelocity = new Double3(0, 3, 0);
                for (int k = 0; k < 60; k++) world.Step(Step);
                Assert.AreEqual(10 - 9.81 / 2 * (1 + Step / world.Substeps), brick.Centre.Y, 1e-6);
                Double3 x = brick.Pose.Rotation * new Double3(1, 0, 0);
                Assert.AreEqual(Math.Cos(3), x.X, 1e-5);
                Assert.AreEqual(-Math.Sin(3), x.Z, 1e-5);
            }
        }

        [Test]
        public void StackOfBricksStays()
        {
            using (FracasWorld world = WithFloor())
            {
                for (int k = 0; k < 5; k++) world.Add(Meshes.NewBrick(), BodyPose.At(0, 0.05 + 0.1 * k, 0));
                for (int k = 0; k < 300; k++) world.Step(Step);
                for (int k = 0; k < 5; k++)
                {
                    Assert.AreEqual(0.05 + 0.1 * k, world.Bodies[k].Centre.Y, 0.001);
                    Assert.AreEqual(0, world.Bodies[k].Centre.X, 0.001);
                    Assert.AreEqual(0, world.Bodies[k].Centre.Z, 0.001);
                }
                Assert.That(Fastest(world), Is.LessThan(0.002));
            }
        }

        [Test]
        public void FastThinBodyDoesNotPassTheFloor()
        {
            using (FracasWorld world = WithFloor())
            {
                WorldBody brick = world.Add(Meshes.NewBrick(), BodyPose.At(0, 1, 0));
                brick.LinearVelocity = new Double3(0, -100, 0); // 1.7 m a step
                world.Step(Step);
                Assert.AreEqual(0.05, brick.Centre.Y, 0.002);
            }
        }

        [Test]
        public void FastBodyDoesNotPassAnother()
        {
            using (FracasWorld world = new FracasWorld { Gravity = new Double3() })
            {
                WorldBody hit = world.Add(Meshes.NewBrick(), BodyPose.At(0.9, 0, 0));
                WorldBody fast = world.Add(Meshes.NewBrick(), BodyPose.At(0, 0, 0));
                fast.LinearVelocity = new Double3(100, 0, 0);
                world.Step(Step);
                Assert.AreEqual(50, hit.LinearVelocity.X, 1); // they go on together
                Assert.AreEqual(50, fast.LinearVelocity.X, 1);
                Assert.That(hit.Centre.X - fast.Centre.X, Is.GreaterThan(0.199));
                Assert.AreEqual(50 * hit.Mass.Mass, hit.Blow.Impulse.X, 3);
                Assert.AreEqual(-50 * hit.Mass.Mass, fast.Blow.Impulse.X, 3);
            }
        }

        [Test]
        public void BodyOnASlopeSlidesOnlyIfItIsSmooth()
        {
            foreach (double friction in new[] { 0.2, 0.6 })
                using (FracasWorld world = new FracasWorld())
                {
                    double slope = Math.Atan(0.4);
                    Rotation turned = Rotation.About(new Double3(0, 0, 1), slope);
                    Double3 up = turned * new Double3(0, 1, 0);
                    world.Add(Shape.HalfSpace((Float3)up, 0), BodyPose.Identity).Friction = friction;
                    WorldBody brick = world.Add(Meshes.NewBrick(), new BodyPose(0.05 * up, turned));
                    brick.Friction = friction;
                    for (int k = 0; k < 60; k++) world.Step(Step);
                    double down = 9.81 * (Math.Sin(slope) - friction * Math.Cos(slope)) / 2;
                    if (friction > 0.4) Assert.That((brick.Centre - 0.05 * up).Length, Is.LessThan(0.001));
                    else Assert.AreEqual(down, (brick.Centre - 0.05 * up).Length, 0.05 * down);
                }
        }

        [Test]
        public void BrickBouncesAsMuchAsItShould()
        {
            using (FracasWorld world = WithFloor())
            {
                WorldBody brick = world.Add(Meshes.NewBrick(), BodyPose.At(0, 0.55, 0));
                brick.Restitution = 0.5;
                double highest = 0;
                bool hit = false;
                for (int k = 0; k < 60; k++)
                {
                    world.Step(Step);
                    hit |= brick.LinearVelocity.Y > 0;
                    if (hit) highest = Math.Max(highest, brick.Centre.Y - 0.05);
                }
                Assert.AreEqual(0.125, highest, 0.03); // a quarter of 0.5 m, less what the steps round
            }
        }

        [Test]
        public void FragmentsInheritTheMotion()
        {
            using (FracasWorld world = new FracasWorld { Gravity = new Double3() })
            {
                WorldBody brick = world.Add(Meshes.NewBrick(), new BodyPose(new Double3(1, 2, 3), Rotation.About(new Double3(1, 2, 3), 1)));
                brick.LinearVelocity = new Double3(1, -2, 3);
                brick.AngularVelocity = new Double3(-4, 5, 6);
                world.Step(Step);
                Double3 momentum = brick.Mass.Mass * brick.LinearVelocity;
                double energy = Energy(world) - 9.81 * brick.Mass.Mass * brick.Centre.Y;
                WorldBody[] parts = world.Break(brick, FractureSettings.Random(12, 1), beforeBlow: false);
                Assert.AreEqual(12, parts.Length);
                Assert.AreEqual(12, world.Bodies.Count);
                double after = Energy(world);
                foreach (WorldBody part in parts)
                {
                    momentum -= part.Mass.Mass * part.LinearVelocity;
                    after -= 9.81 * part.Mass.Mass * part.Centre.Y;
                }
                Assert.AreEqual(0, momentum.Length, 1e-8);
                Assert.AreEqual(energy, after, 1e-6 * energy);
            }
        }

        /// <summary>The whole flow: a brick falls, the floor breaks it, and the pieces come to rest on the floor and on each other.</summary>
        [Test]
        public void BrokenBrickComesToRestWithoutSinking()
        {
            using (FracasWorld world = WithFloor())
            {
                WorldBody whole = world.Add(Meshes.NewBrick(), new BodyPose(new Double3(0, 0.5, 0), Rotation.About(new Double3(1, 1, 0),
                    0.5)));
                BreakRule rule = new BreakRule { Strength = 200 };
                double mass = whole.Mass.Mass, before = 0;
                int broken = 0;
                for (int k = 0; k < 300; k++)
                {
                    if (broken == 0) before = Energy(world);
                    world.Step(Step);
                    FractureSettings how = broken == 0 ? rule.BrokenBy(world.Bodies[0], 1) : null;
                    if (how == null) continue;
                    broken = world.Break(world.Bodies[0], how).Length;
                }
                Assert.That(broken, Is.GreaterThanOrEqualTo(6));
                Assert.AreEqual(broken, world.Bodies.Count);
                double together = 0;
                foreach (WorldBody body in world.Bodies) together += body.Mass.Mass;
                Assert.AreEqual(mass, together, 1e-9);
                Console.WriteLine("a brick in {0} pieces: fastest {1:0.00000} m/s, lowest {2:0.000} mm, energy {3:0.000} of {4:0.000} J",
                    broken, Fastest(world),
                                  1e3 * Lowest(world), Energy(world), before);
                Assert.That(Fastest(world), Is.LessThan(0.01));
                Assert.That(Lowest(world), Is.GreaterThan(-0.0005));
                Assert.That(Energy(world), Is.LessThan(before));
            }
            FracasLibrary.Shutdown();
        }

        [Test]
        public void WorldsAreTheSameBitForBit()
        {
            ulong[] sums = new ulong[2];
            for (int run = 0; run < 2; run++)
                using (FracasWorld world = WithFloor())
                {
                    FracasLibrary.SetThreads(run + 1);
                    WorldBody brick = world.Add(Meshes.NewBrick(), BodyPose.At(0, 0.1, 0));
                    world.Step(Step);
                    world.Break(brick, FractureSettings.Random(6, 4));
                    for (int k = 0; k < 30; k++) world.Step(Step);
                    foreach (WorldBody body in world.Bodies)
                    {
                        double sum = body.Pose.Position.X + body.Pose.Position.Y + body.Pose.Rotation.X;
                        sums[run] = 31 * sums[run] + (ulong)BitConverter.DoubleToInt64Bits(sum);
                    }
                }
            FracasLibrary.Shutdown();
            Assert.AreEqual(sums[0], sums[1]);
        }

        [Test]
        public void OwnSolverIsUsed()
        {
            using (FracasWorld world = WithFloor())
            {
                Recorder recorder = new Recorder();
                world.Solver = recorder;
                world.Add(Meshes.NewBrick(), BodyPose.At(0, 0.0499, 0));
                world.Step(Step);
                Assert.That(recorder.Count, Is.GreaterThanOrEqualTo(4));
                Assert.AreEqual(0.0001, recorder.First.Depth, 1e-5);
                Assert.IsNull(recorder.First.B);
            }
        }

        sealed class Recorder : IContactSolver
        {
            public int Count;
            public SolverContact First;
            public void Solve(SolverContact[] contacts, int count, double seconds)
            {
                if (Count == 0) First = contacts[0]; // of the first substep
                Count = count;
            }
        }

        [Test]
        public void MisuseIsSaid()
        {
            using (FracasWorld world = WithFloor(), other = WithFloor())
            {
                WorldBody brick = world.Add(Meshes.NewBrick(), BodyPose.Identity);
                Assert.Throws<ArgumentException>(() => other.Remove(brick));
                Assert.Throws<ArgumentException>(() => other.Break(brick, FractureSettings.Random(2, 1)));
                Assert.Throws<ArgumentOutOfRangeException>(() => world.Step(0));
                world.Remove(brick);
                Assert.Throws<FracasException>(() => brick.Object.Prepare());
            }
        }
    }
}
