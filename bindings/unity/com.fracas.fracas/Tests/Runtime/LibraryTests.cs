using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using Fracas.Native;
using NUnit.Framework;

namespace Fracas.Tests
{
    /// <summary>The wrapper against the real library.</summary>
    [TestFixture]
    public class LibraryTests
    {
        [SetUp]
        [TearDown]
        public void NothingIsLeft() { FracasLibrary.Shutdown(); }

        [Test]
        public void VersionIsThatOfTheHeader()
        {
            Assert.AreEqual(Api.FC_VERSION_MAJOR + "." + Api.FC_VERSION_MINOR + "." + Api.FC_VERSION_PATCH, FracasLibrary.Version);
        }

        [Test]
        public void AssetOfTetrahedraHasTheMassOfABrick()
        {
            using (Asset asset = Asset.Create(Meshes.Brick(0.2, 0.1, 0.06)))
            using (FracasObject brick = FracasObject.Create(asset, userData: 7))
            {
                MassProperties mass = brick.Mass;
                Assert.AreEqual(48, (int)asset.Info.tet_count);
                Assert.AreEqual(2.4, mass.Mass, 1e-6);
                Assert.AreEqual(2.4 / 12 * (0.01 + 0.0036), mass.Inertia.XX, 1e-7);
                Assert.AreEqual(2.4 / 12 * (0.04 + 0.0036), mass.Inertia.YY, 1e-7);
                Assert.AreEqual(2.4 / 12 * (0.04 + 0.01), mass.Inertia.ZZ, 1e-7);
                Aabb bounds = brick.Bounds(BodyPose.At(1, 2, 3));
                Assert.AreEqual(0.9, bounds.Min.X, 1e-6);
                Assert.AreEqual(3.03, bounds.Max.Z, 1e-6);
                Assert.AreEqual(7, (int)brick.UserData);
                brick.UserData = 8;
                Assert.AreEqual(8, (int)brick.UserData);
                Assert.AreEqual(48, asset.Skin().Length);
            }
        }

        [Test]
        public void AssetOfASurfaceIsDrawnAsItWasGiven()
        {
            AssetSettings settings = Meshes.Box(0.2f, 0.1f, 0.06f);
            settings.KeepSurface = true;
            settings.MeetSurface = true;
            settings.Materials = new int[12];
            for (int k = 0; k < 12; k++) settings.Materials[k] = k;
            using (Asset asset = Asset.Create(settings))
            using (FracasObject box = FracasObject.Create(asset))
            {
                Drawing drawing = box.Drawing();
                Assert.AreEqual(12, drawing.Triangles.Length);
                HashSet<int> materials = new HashSet<int>();
                foreach (DrawnTriangle triangle in drawing.Triangles) materials.Add(triangle.Material);
                Assert.AreEqual(12, materials.Count);
                Assert.AreEqual(0.0012, box.Mass.Volume, 1e-9);
            }
        }

        [Test]
        public void FragmentsAreThePartsOfTheWhole()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                fc_fracture_info info;
                FracasObject[] pieces = brick.Fracture(FractureSettings.Random(8, 3), out info);
                Assert.AreEqual(8, pieces.Length);
                Assert.AreEqual(8, (int)info.fragment_count);
                double mass = 0;
                foreach (FracasObject piece in pieces) mass += piece.Mass.Mass;
                Assert.AreEqual(brick.Mass.Mass, mass, 1e-9);
                Assert.That(pieces[0].Neighbours().Length, Is.GreaterThan(6));
                Assert.That(pieces[0].Planes().Length, Is.GreaterThan(2));
                Assert.AreEqual(1, (int)pieces[0].Info.is_fragment);
                Assert.That(pieces[0].Memory.break_bytes, Is.GreaterThan(0));
                pieces[0].Prepare();
                AssertClosed(pieces[0].Surface());

                FracasObject[] twice = pieces[0].Fracture(FractureSettings.Random(4, 1)); // they break again
                Assert.AreEqual(4, twice.Length);
                foreach (FracasObject piece in twice) piece.Dispose();
                foreach (FracasObject piece in pieces) piece.Dispose();
            }
            Assert.AreEqual(0, FracasLibrary.LiveHandles);
        }

        static void AssertClosed(Surface surface)
        {
            Dictionary<long, int> edges = new Dictionary<long, int>();
            foreach (SurfaceTriangle t in surface.Triangles)
            {
                Count(edges, t.A, t.B);
                Count(edges, t.B, t.C);
                Count(edges, t.C, t.A);
            }
            foreach (int count in edges.Values) Assert.AreEqual(0, count);
        }

        static void Count(Dictionary<long, int> edges, int from, int to)
        {
            long edge = (long)Math.Min(from, to) << 32 | (uint)Math.Max(from, to);
            int count;
            edges.TryGetValue(edge, out count);
            edges[edge] = count + (from < to ? 1 : -1);
        }

        [Test]
        public void ConvexPartsFillTheObject()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                FracasObject[] pieces = brick.Fracture(FractureSettings.Random(6, 3));
                foreach (FracasObject piece in pieces)
                {
                    ConvexParts convex = piece.ConvexParts();
                    Assert.AreEqual(1, convex.Parts.Length); // of a convex body
                    Assert.AreEqual(convex.Positions.Length, convex.Parts[0].VertexCount);
                    Assert.AreEqual(convex.Triangles.Length, 3 * convex.Parts[0].TriangleCount);
                    double six = 0;
                    for (int k = 0; k < convex.Triangles.Length; k += 3)
                        six += Double3.Dot(convex.Positions[convex.Triangles[k]],
                                           Double3.Cross(convex.Positions[convex.Triangles[k + 1]],
                                               convex.Positions[convex.Triangles[k + 2]]));
                    Assert.AreEqual(piece.Mass.Volume, six / 6, 1e-4 * piece.Mass.Volume);
                    ConvexParts few = piece.ConvexParts(new ConvexSettings { MaxPoints = 5 });
                    Assert.That(few.Parts[0].VertexCount, Is.LessThanOrEqualTo(5));
                    piece.Dispose();
                }
                FracasException e = Assert.Throws<FracasException>(() => brick.ConvexParts(new ConvexSettings { MaxParts = 0 }));
                Assert.AreEqual(Status.InvalidArgument, e.Status);
            }
        }

        [Test]
        public void PlanesAndLabelsCutWhereTheySay()
        {
            using (Asset asset = Asset.Create(Meshes.Brick(0.2, 0.1, 0.06)))
            using (FracasObject brick = FracasObject.Create(asset))
            {
                FracasObject[] halves = brick.Fracture(new FractureSettings(Pattern.Planes) { Values = new[] { 1f, 0, 0, 0.05f } });
                Assert.AreEqual(2, halves.Length);
                double light = Math.Min(halves[0].Mass.Mass, halves[1].Mass.Mass);
                Assert.AreEqual(2.4 / 4, light, 1e-6);

                int[] labels = new int[27];
                for (int k = 0; k < 27; k++) labels[k] = k / 9 == 0 ? 0 : 1; // of the three layers in x, the first
                FracasObject[] parts = brick.Fracture(new FractureSettings(Pattern.Labels) { Labels = labels });
                Assert.AreEqual(2, parts.Length);
                Assert.AreEqual(2.4 / 4, Math.Min(parts[0].Mass.Mass, parts[1].Mass.Mass), 1e-6);

                FracasObject[] none = brick.Fracture(new FractureSettings(Pattern.Planes) { Values = new[] { 1f, 0, 0, 5f } });
                Assert.AreEqual(0, none.Length); // the plane misses
            }
        }

        [Test]
        public void MoreFragmentsThanTheFirstArrayHolds()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                FracasObject[] pieces = brick.Fracture(FractureSettings.Random(1500, 1));
                Assert.AreEqual(1500, pieces.Length);
                foreach (FracasObject piece in pieces) piece.Dispose();
            }
        }

        [Test]
        public void ContactsOfAPairAreThoseOfAStack()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                Contact[] contacts = new Contact[64];
                BodyPose above = BodyPose.At(10, 20.099, 30), below = BodyPose.At(10, 20, 30);
                Found found = Queries.Pair(brick, above, brick, below, contacts);
                Assert.AreEqual(Status.Ok, found.Status);
                Assert.That(found.Count, Is.GreaterThanOrEqualTo(4));
                Assert.AreEqual(found.Total, found.Count);
                for (int k = 0; k < found.Count; k++)
                {
                    Assert.AreEqual(0.001, contacts[k].Depth, 1e-5);
                    Assert.AreEqual(1, contacts[k].Normal.Y, 1e-6); // from B towards A
                    Assert.AreEqual(-0.0495, contacts[k].Point.Y, 1e-4); // relative to A, midway
                    Double3 feature = brick.Feature(contacts[k].Feature).Position;
                    Assert.AreEqual(0.05, Math.Abs(feature.Y), 1e-6);
                }

                Found few = Queries.Pair(brick, above, brick, below, new ArraySegment<Contact>(contacts, 3, 2));
                Assert.AreEqual(Status.Incomplete, few.Status);
                Assert.AreEqual(2, few.Count);
                Assert.AreEqual(found.Count, few.Total);
                Assert.AreEqual(0.001, contacts[4].Depth, 1e-5);

                PairMemory memory = default(PairMemory);
                Queries.Pair(brick, above, brick, below, contacts, ref memory);
                Queries.Pair(brick, above, brick, below, contacts, ref memory);
                Assert.AreEqual(1, (int)Queries.Stats.recalled);

                Found limited = Queries.Pair(brick, above, brick, below, contacts, new QuerySettings { MaxContacts = 3 });
                Assert.AreEqual(3, limited.Total);
                Assert.AreEqual(2, Queries.Reduce(contacts, 3, 0, 2));
                Found interrupted = Queries.Pair(brick, above, brick, below, contacts, new QuerySettings { Budget = 1 });
                Assert.AreEqual(Status.Interrupted, interrupted.Status);
            }
        }

        [Test]
        public void ShapesOfAllKinds()
        {
            using (FracasObject brick = Meshes.NewBrick())
            using (Hull hull = Hull.Create(new[] { 1f, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 1, 0, 0, -1, 1 }))
            {
                Contact[] contacts = new Contact[64];
                Shape[] grounds =
                {
                    Shape.HalfSpace(new Float3(0, 1, 0), 1), Shape.Ball(1), Shape.Box(new Float3(1, 1, 1)),
                    Shape.Capsule(new Float3(-1, 0, 0), new Float3(1, 0, 0), 1), Shape.ConvexHull(hull),
                    Shape.Field((Double3 p, out Double3 way) => { way = new Double3(0, 1, 0); return p.Y - 1; }),
                };
                foreach (Shape ground in grounds)
                {
                    // 1 mm deep on top of each.
                    Found found = Queries.WithShape(brick, BodyPose.At(5, 1.049, 0), ground, BodyPose.At(5, 0, 0), contacts);
                    Assert.That(found.Count, Is.GreaterThan(0));
                    Assert.AreEqual(0.001, contacts[0].Depth, 1e-4);
                    Assert.AreEqual(1, contacts[0].Normal.Y, 1e-3);
                    PairMemory memory = default(PairMemory);
                    Assert.AreEqual(0, Queries.WithShape(brick, BodyPose.At(5, 1.06, 0), ground, BodyPose.At(5, 0, 0), contacts,
                        ref memory).Count);
                }
                Closest closest;
                Assert.IsTrue(Queries.DistanceToShape(brick, BodyPose.At(0, 1.55, 0), grounds[1], BodyPose.Identity, out closest));
                Assert.AreEqual(0.5, closest.Distance, 1e-4);
                Assert.IsFalse(Queries.DistanceToShape(brick, BodyPose.At(0, 1.55, 0), grounds[1], BodyPose.Identity, out closest, 0.4));
                SweepHit hit;
                Assert.IsTrue(Queries.SweepShape(brick, BodyPose.At(0, 2.05, 0), BodyPose.At(0, 0.05, 0), grounds[2], BodyPose.Identity,
                    BodyPose.Identity, out hit));
                Assert.AreEqual(0.5, hit.Time, 1e-3);
                Assert.AreEqual(2, (int)grounds[1].Native.kind);
                Assert.Throws<InvalidOperationException>(() => { fc_shape unused = grounds[5].Native; });
            }
        }

        [Test]
        public void SweepsAndDistances()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                SweepHit hit;
                BodyPose still = BodyPose.At(1, 0, 0);
                Assert.IsTrue(Queries.SweepPair(brick, BodyPose.At(0, 0, 0), BodyPose.At(1, 0, 0), brick, still, still, out hit));
                Assert.AreEqual(0.8, hit.Time, 1e-3);
                Assert.AreEqual(1, (int)hit.Exact);
                Assert.AreEqual(-1, hit.Contact.Normal.X, 1e-5);
                Assert.IsFalse(Queries.SweepPair(brick, BodyPose.At(0, 1, 0), BodyPose.At(1, 1, 0), brick, still, still, out hit));

                Sweep[] sweeps = new Sweep[2];
                for (int k = 0; k < 2; k++)
                    sweeps[k] = new Sweep
                    {
                        A = brick.Native, B = brick.Native, StartA = BodyPose.At(0, k, 0), EndA = BodyPose.At(1, k, 0),
                        StartB = still, EndB = still,
                    };
                SweepHit[] hits = new SweepHit[2];
                Status[] statuses = new Status[2];
                Assert.AreEqual(Status.Ok, Queries.SweepBatch(sweeps, hits, statuses));
                Assert.AreEqual(0.8, hits[0].Time, 1e-3);
                Assert.AreEqual(2.0, hits[1].Time);
                Assert.AreEqual(Status.NoHit, statuses[1]);

                Closest closest;
                Assert.IsTrue(Queries.Distance(brick, BodyPose.Identity, brick, still, out closest));
                Assert.AreEqual(0.8, closest.Distance, 1e-4);
                Assert.AreEqual(0.1, closest.PointA.X, 1e-4);
                Assert.AreEqual(0.9, closest.PointB.X, 1e-4);
            }
        }

        [Test]
        public void RaysAndSignedDistances()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                RayHit hit;
                BodyPose pose = BodyPose.At(0, 5, 0);
                Assert.IsTrue(brick.RayCast(pose, new Double3(0, 7, 0), new Float3(0, -1, 0), 10, out hit));
                Assert.AreEqual(1.95, hit.Distance, 1e-5);
                Assert.AreEqual(1, hit.Normal.Y, 1e-5);
                Assert.AreEqual(Face.Skin, hit.Face);
                Assert.IsFalse(brick.RayCast(pose, new Double3(3, 7, 0), new Float3(0, -1, 0), 10, out hit));
                Float3 outward;
                Assert.AreEqual(0.2, brick.SignedDistance(pose, new Double3(0, 5.25, 0), out outward), 1e-3);
                Assert.AreEqual(1, outward.Y, 1e-3);
                Assert.That(brick.SignedDistance(pose, new Double3(0, 5, 0), out outward), Is.LessThan(-0.02));
            }
        }

        [Test]
        public void BatchGivesWhatSingleQueriesGive()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                FracasObject[] pieces = brick.Fracture(FractureSettings.Random(24, 5));
                QueryBatch batch = new QueryBatch();
                for (int threads = 1; threads <= 2; threads++)
                {
                    FracasLibrary.SetThreads(threads);
                    batch.Clear();
                    for (int i = 0; i < pieces.Length; i++)
                        for (int j = i + 1; j < pieces.Length; j++)
                            batch.Add(pieces[i], BodyPose.Identity, pieces[j], BodyPose.At(0, 0.0001, 0));
                    Assert.AreEqual(Status.Ok, batch.Run()); // more contacts than it has room for at first
                    Contact[] contacts = new Contact[256];
                    int pair = 0, total = 0;
                    for (int i = 0; i < pieces.Length; i++)
                        for (int j = i + 1; j < pieces.Length; j++, pair++)
                        {
                            PairMemory memory = default(PairMemory);
                            Found found = Queries.Pair(pieces[i], BodyPose.Identity, pieces[j], BodyPose.At(0, 0.0001, 0), contacts,
                                ref memory);
                            Assert.AreEqual(found.Count, batch.First(pair + 1) - batch.First(pair));
                            for (int k = 0; k < found.Count; k++) Assert.AreEqual(contacts[k], batch.Contacts[batch.First(pair) + k]);
                            total += found.Count;
                        }
                    Assert.That(total, Is.GreaterThan(256));
                }

                batch.Clear();
                batch.Add(pieces[0], BodyPose.Identity, pieces[1], BodyPose.Identity);
                FracasObject gone = pieces[2];
                gone.Dispose();
                batch.Add(pieces[0], BodyPose.Identity, gone, BodyPose.Identity);
                Assert.AreEqual(Status.SomeFailed, batch.Run());
                Assert.AreEqual(Status.InvalidHandle, batch.StatusOf(1));
                foreach (FracasObject piece in pieces) piece.Dispose();
            }
        }

        [Test]
        public void MovingPairsHaveContactsAhead()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                QueryBatch batch = new QueryBatch();
                Velocity down = new Velocity(new Float3(0, -10, 0), new Float3());
                batch.Add(brick, BodyPose.At(0, 0.2, 0), down, brick, BodyPose.Identity, new Velocity());
                batch.Run(new QuerySettings { Seconds = 0.02f });
                Assert.That(batch.First(1), Is.GreaterThan(0));
                Assert.AreEqual(-0.1, batch.Contacts[0].Depth, 1e-3);
                batch.Run(new QuerySettings { Seconds = 0.005f });
                Assert.AreEqual(0, batch.First(1));
            }
        }

        [Test]
        public void SavedThingsComeBackBitForBit()
        {
            using (Asset asset = Asset.Create(Meshes.Brick(0.2, 0.1, 0.06)))
            using (Asset again = Asset.Load(asset.Save()))
            using (FracasObject brick = FracasObject.Create(asset))
            {
                Assert.AreEqual(asset.Info.hash, again.Info.hash);
                FracasObject[] pieces = brick.Fracture(FractureSettings.Random(5, 2));
                pieces[3].UserData = 33;
                FracasObject[] loaded = FracasObject.Load(FracasObject.Save(pieces), again);
                Assert.AreEqual(5, loaded.Length);
                for (int k = 0; k < 5; k++) Assert.AreEqual(pieces[k].StateHash, loaded[k].StateHash);
                Assert.AreEqual(33, (int)loaded[3].UserData);

                byte[] damaged = asset.Save();
                damaged[damaged.Length / 2] ^= 1;
                FracasException e = Assert.Throws<FracasException>(() => Asset.Load(damaged));
                Assert.AreEqual(Status.InvalidData, e.Status);
            }
        }

        [Test]
        public void ErrorsAreExceptionsWithTheSentenceOfTheLibrary()
        {
            AssetSettings bad = Meshes.Brick(0.2, 0.1, 0.06);
            bad.Positions[17].Y = float.NaN;
            FracasException e = Assert.Throws<FracasException>(() => Asset.Create(bad));
            Assert.AreEqual(Status.InvalidMesh, e.Status);
            StringAssert.Contains("17", e.Message);

            bad = Meshes.Brick(0.2, 0.1, 0.06);
            bad.Tets[5] = 27; // there are 27 nodes
            e = Assert.Throws<FracasException>(() => Asset.Create(bad));
            Assert.AreEqual(Status.InvalidMesh, e.Status);
            StringAssert.Contains("27", e.Message);

            Assert.Throws<FracasException>(() => Asset.Create(new AssetSettings()));
            Assert.Throws<ArgumentException>(() => Asset.Create(new AssetSettings { Positions = bad.Positions, Uvs = new float[3] }));
            Assert.Throws<FracasException>(() => Asset.Load(new byte[100]));
            Assert.Throws<FracasException>(() => Hull.Create(new float[4]));
            Assert.Throws<FracasException>(() => FracasLibrary.SetThreads(1000));
            using (FracasObject brick = Meshes.NewBrick())
            {
                Assert.Throws<OverflowException>(() => brick.Fracture(FractureSettings.Random(-1, 1)));
                e = Assert.Throws<FracasException>(() => brick.Fracture(new FractureSettings(0)));
                Assert.AreEqual(Status.InvalidArgument, e.Status);
            }
        }

        [Test]
        public void ThingsThatAreGoneThrow()
        {
            FracasObject brick = Meshes.NewBrick();
            brick.Dispose();
            brick.Dispose(); // twice is nothing
            FracasException e = Assert.Throws<FracasException>(() => brick.Prepare());
            Assert.AreEqual(Status.InvalidHandle, e.Status);
            Contact[] contacts = new Contact[4];
            Assert.Throws<FracasException>(() => Queries.Pair(brick, BodyPose.Identity, brick, BodyPose.Identity, contacts));
            Assert.Throws<ArgumentNullException>(() => Queries.Pair(null, BodyPose.Identity, brick, BodyPose.Identity, contacts));
            using (FracasObject other = Meshes.NewBrick())
                Assert.Throws<FracasException>(() => // a pose without a rotation
                    Queries.Pair(other, default(BodyPose), other, BodyPose.Identity, contacts));
        }

        [Test]
        public void LogReceivesWarnings()
        {
            List<string> messages = new List<string>();
            FracasLibrary.SetLog((level, text) => { lock (messages) messages.Add(level + ": " + text); });
            AssetSettings open = Meshes.Box(0.2f, 0.1f, 0.06f);
            open.Positions = new List<Float3>(open.Positions) { new Float3(9, 9, 9) }.ToArray(); // belongs to no triangle
            int[] turned = { open.Triangles[1], open.Triangles[0], open.Triangles[2] };
            Array.Copy(turned, open.Triangles, 3); // one triangle is inside out, which is repaired
            Asset.Create(open).Dispose();
            Assert.That(messages.Count, Is.GreaterThan(0));
            StringAssert.StartsWith("Warning: ", messages[0]);

            FracasLibrary.SetLog(null);
            int before = messages.Count;
            Asset.Create(open).Dispose();
            Assert.AreEqual(before, messages.Count);
            FracasLibrary.SetLog((level, text) => { throw new Exception("a log that throws"); });
            Asset.Create(open).Dispose();
        }

        [Test]
        public void TaskHookRunsTheWork()
        {
            int calls = 0, ranges = 0;
            FracasLibrary.SetParallelFor((count, grain, run) =>
            {
                Interlocked.Increment(ref calls);
                List<Thread> threads = new List<Thread>();
                for (int begin = 0; begin < count; begin += grain)
                {
                    int from = begin, to = Math.Min(count, begin + grain);
                    Thread thread = new Thread(() => { run(from, to); Interlocked.Increment(ref ranges); });
                    thread.Start();
                    threads.Add(thread);
                    if (threads.Count % 8 == 0) threads[threads.Count - 8].Join();
                }
                foreach (Thread thread in threads) thread.Join();
            });
            ulong hash;
            using (Asset asset = Asset.Create(Meshes.Brick(0.2, 0.1, 0.06))) hash = asset.Info.hash;
            Assert.That(calls, Is.GreaterThan(0));
            Assert.That(ranges, Is.GreaterThan(1));
            FracasLibrary.SetParallelFor(null);
            using (Asset asset = Asset.Create(Meshes.Brick(0.2, 0.1, 0.06))) Assert.AreEqual(hash, asset.Info.hash);

            FracasLibrary.SetParallelFor((count, grain, run) => { throw new InvalidOperationException("no threads today"); });
            FracasException e = Assert.Throws<FracasException>(() => Asset.Create(Meshes.Brick(0.2, 0.1, 0.06)));
            Assert.AreEqual(Status.Tasks, e.Status);
            Assert.AreEqual("no threads today", e.InnerException.Message);
        }

        [Test]
        public void CallbacksReportWhatTheyThrow()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                Contact[] contacts = new Contact[8];
                Shape field = Shape.Field((Double3 p, out Double3 way) => { throw new InvalidOperationException("no terrain here"); });
                FracasException e = Assert.Throws<FracasException>(() => Queries.WithShape(brick, BodyPose.Identity, field,
                    BodyPose.Identity, contacts));
                Assert.AreEqual("no terrain here", e.InnerException.Message);
                Queries.Pair(brick, BodyPose.Identity, brick, BodyPose.At(1, 0, 0), contacts); // it is forgotten
            }
            float done = 0;
            AssetSettings settings = Meshes.Brick(0.2, 0.1, 0.06);
            settings.Progress = share => done = Math.Max(done, share);
            Asset.Create(settings).Dispose();
            Assert.AreEqual(1f, done);
        }

        [Test]
        public void NothingIsAllocatedInAWarmQuery()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                Contact[] contacts = new Contact[64];
                QuerySettings settings = new QuerySettings();
                Shape floor = Shape.HalfSpace(new Float3(0, 1, 0), -0.0499f);
                PairMemory memory = default(PairMemory);
                Action queries = () =>
                {
                    for (int k = 0; k < 1000; k++)
                    {
                        Queries.Pair(brick, BodyPose.At(0, 0.099, 0), brick, BodyPose.Identity, contacts, ref memory, settings);
                        Queries.WithShape(brick, BodyPose.Identity, floor, BodyPose.Identity, contacts);
                    }
                };
                queries();
                // The collector runs after a few megabytes: with 40,000 queries of each kind it would, at a hundred bytes each.
                GC.Collect();
                int collections = GC.CollectionCount(0);
                for (int k = 0; k < 40; k++) queries();
                Assert.AreEqual(collections, GC.CollectionCount(0));
            }
        }

        [Test]
        public void FinalizersDestroyWhatNobodyNeeds()
        {
            using (Asset asset = Asset.Create(Meshes.Brick(0.2, 0.1, 0.06)))
            {
                Abandon(asset, 2000);
                // A conservative collector may take something on a stack for a reference: nearly all must go.
                for (int k = 0; k < 50 && FracasLibrary.LiveHandles > 100; k++)
                {
                    GC.Collect();
                    GC.WaitForPendingFinalizers();
                }
                Assert.That(FracasLibrary.LiveHandles, Is.LessThanOrEqualTo(100));
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Abandon(Asset asset, int count)
        {
            for (int k = 0; k < count; k++) FracasObject.Create(asset);
            Assert.That(FracasLibrary.LiveHandles, Is.GreaterThan(100));
        }

        [Test]
        public void ShutdownLeavesNothingAndStartsAnew()
        {
            FracasObject brick = Meshes.NewBrick();
            Assert.AreEqual(1, FracasLibrary.Shutdown());
            Assert.AreEqual(0, FracasLibrary.LiveHandles);
            Assert.Throws<FracasException>(() => brick.Prepare());
            using (FracasObject other = Meshes.NewBrick())
            {
                brick.Dispose(); // must not be the end of another object
                Assert.AreEqual(1, FracasLibrary.LiveHandles);
                other.Prepare();
            }
        }

#if NETSTANDARD2_1 || NETSTANDARD2_1_OR_GREATER
        [Test]
        public unsafe void SpansAreFilledInPlace()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                Contact* memory = stackalloc Contact[8];
                Span<Contact> contacts = new Span<Contact>(memory, 8);
                Found found = Queries.Pair(brick, BodyPose.At(0, 0.099, 0), brick, BodyPose.Identity, contacts);
                Assert.That(found.Count, Is.GreaterThanOrEqualTo(4));
                Assert.AreEqual(0.001, memory[0].Depth, 1e-5);
            }
        }
#endif
    }
}
