using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using NUnit.Framework;

namespace Fracas.Tests
{
    /// <summary>What needs a whole runtime for itself: memory over time, and domains that are unloaded, as the Editor does.</summary>
    [TestFixture]
    public class LifetimeTests
    {
        /// <summary>Resident memory of this process in bytes.</summary>
        static long Resident()
        {
            foreach (string line in File.ReadAllLines("/proc/self/status"))
                if (line.StartsWith("VmRSS:")) return 1024 * long.Parse(line.Split(new[] { ' ', '\t' },
                    StringSplitOptions.RemoveEmptyEntries)[1]);
            throw new InvalidOperationException("/proc/self/status has no VmRSS");
        }

        [Test]
        public void AHundredThousandObjectsComeAndGoWithoutALeak()
        {
            using (Asset asset = Asset.Create(Meshes.Brick(0.2, 0.1, 0.06)))
            {
                Contact[] contacts = new Contact[16];
                long begun = 0;
                for (int k = 0; k < 110000; k++)
                {
                    if (k == 10000) begun = Settled(); // what is built once is there
                    using (FracasObject brick = FracasObject.Create(asset))
                        if (k % 16 == 0) Queries.Pair(brick, BodyPose.At(0, 0.099, 0), brick, BodyPose.Identity, contacts);
                }
                long grown = Settled() - begun;
                Console.WriteLine("100,000 objects: memory grew by {0} KiB", grown / 1024);
                Assert.AreEqual(1, FracasLibrary.LiveHandles);
                Assert.That(grown, Is.LessThan(4 << 20)); // 40 bytes an object would be enough to fail
            }
        }

        [Test]
        public void FracturesComeAndGoWithoutALeak()
        {
            using (FracasObject brick = Meshes.NewBrick())
            {
                long begun = 0;
                for (int k = 0; k < 1200; k++)
                {
                    if (k == 200) begun = Settled();
                    foreach (FracasObject piece in brick.Fracture(FractureSettings.Random(8, (ulong)k % 16))) piece.Dispose();
                }
                Assert.AreEqual(1, FracasLibrary.LiveHandles);
                Assert.That(Settled() - begun, Is.LessThan(8 << 20)); // the pieces of a break have about 50 KiB
            }
        }

        static long Settled()
        {
            for (int k = 0; k < 3; k++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
            return Resident();
        }

        /// <summary>What a game does in the Editor: hooks, threads, and objects that it forgets.</summary>
        public sealed class Game : MarshalByRefObject
        {
            public int Play()
            {
                FracasLibrary.SetLog((level, text) => Console.WriteLine("from a domain that is gone: " + text));
                FracasLibrary.SetParallelFor((count, grain, run) => run(0, count));
                FracasObject brick = Meshes.NewBrick();
                foreach (FracasObject piece in brick.Fracture(FractureSettings.Random(8, 1))) kept += piece.Info.is_fragment;
                return FracasLibrary.LiveHandles;
            }
            uint kept;
        }

        [Test]
        public void DomainsThatAreUnloadedLeaveNothing()
        {
            for (int reload = 0; reload < 2; reload++)
            {
                AppDomain scripts = AppDomain.CreateDomain("scripts", null, AppDomain.CurrentDomain.BaseDirectory, "", false);
                Game game = (Game)scripts.CreateInstanceFromAndUnwrap(typeof(Game).Assembly.Location, typeof(Game).FullName);
                Assert.That(game.Play(), Is.GreaterThanOrEqualTo(9));
                AppDomain.Unload(scripts);
                Assert.AreEqual(0, FracasLibrary.LiveHandles);
                // Would call the hooks of the domain that is gone, if they were still set: a warning, and parallel work.
                AssetSettings open = Meshes.Box(0.2f, 0.1f, 0.06f);
                int first = open.Triangles[0];
                open.Triangles[0] = open.Triangles[1];
                open.Triangles[1] = first;
                Asset.Create(open).Dispose();
            }
        }

        /// <summary>Objects that are destroyed while other threads use them: exceptions, never a crash.</summary>
        [Test]
        public void ObjectsThatAreDestroyedInUseThrow()
        {
            Stopwatch patience = Stopwatch.StartNew(); // if they are not destroyed, it ends all the same
            for (int round = 0; round < 20; round++)
            {
                FracasObject brick = Meshes.NewBrick();
                int failed = 0, started = 0;
                Thread[] threads = new Thread[3];
                for (int k = 0; k < threads.Length; k++)
                {
                    threads[k] = new Thread(() =>
                    {
                        Contact[] contacts = new Contact[16];
                        Interlocked.Increment(ref started);
                        try { while (patience.ElapsedMilliseconds < 20000) Queries.Pair(brick, BodyPose.At(0, 0.099, 0), brick,
                            BodyPose.Identity, contacts); }
                        catch (FracasException e) { if (e.Status == Status.InvalidHandle) Interlocked.Increment(ref failed); }
                    });
                    threads[k].Start();
                }
                while (Volatile.Read(ref started) < threads.Length) Thread.Yield();
                brick.Dispose();
                foreach (Thread thread in threads) thread.Join();
                Assert.AreEqual(threads.Length, failed);
            }
        }
    }
}
