// A world of bodies that break: broad phase, the library's narrow phase, a solver behind an interface, integration. It does not know
// Unity, and runs anywhere.
using System;
using System.Collections.Generic;

namespace Fracas
{
    /// <summary>
    /// Bodies and obstacles, moved in fixed steps. It owns the objects of its bodies. In the library's frame. For one thread; queries use
    /// the threads that FracasLibrary has.
    /// </summary>
    public sealed class FracasWorld : IDisposable
    {
        public Double3 Gravity = new Double3(0, -9.81, 0);
        public IContactSolver Solver = new SequentialImpulses();
        /// <summary>
        /// How often a step is solved and moved, with the contacts of its start, which move along. Stacks need it: five bricks rock and
        /// fall with 30 iterations in one substep, and stand with 12 in each of six.
        /// </summary>
        public int Substeps = 6;
        /// <summary>Margin and tolerance suit bodies of some centimetres to some metres.</summary>
        public readonly QuerySettings Query = new QuerySettings { Margin = 0.001f, Tolerance = 0.0001f, MaxContacts = 16 };

        /// <summary>What is kept of a pair from step to step.</summary>
        sealed class Pair
        {
            public PairMemory Memory;
            public uint[] Features = new uint[8];
            public double[] Normal = new double[8];
            public Double3[] Friction = new Double3[8];
            public int Count;
            public int LastStep;
        }

        readonly List<WorldBody> bodies = new List<WorldBody>();
        readonly List<Obstacle> obstacles = new List<Obstacle>();
        readonly List<WorldBody> sorted = new List<WorldBody>();
        readonly Dictionary<ulong, Pair> pairs = new Dictionary<ulong, Pair>();
        readonly List<Pair> queried = new List<Pair>();
        readonly List<WorldBody> queriedA = new List<WorldBody>(), queriedB = new List<WorldBody>();
        readonly List<ulong> forgotten = new List<ulong>();
        readonly QueryBatch batch = new QueryBatch();
        readonly Contact[] ofShape = new Contact[64];
        SolverContact[] contacts = new SolverContact[256];
        int contactCount, step;
        uint numbers;

        public IList<WorldBody> Bodies { get { return bodies.AsReadOnly(); } }

        /// <summary>Contacts of the last step, those of gaps included.</summary>
        public int ContactCount { get { return contactCount; } }
        public SolverContact ContactAt(int index) { return contacts[index]; }

        /// <summary>Adds a body, which owns the object from now on.</summary>
        public WorldBody Add(FracasObject obj, BodyPose pose)
        {
            WorldBody body = new WorldBody(obj, pose, numbers++);
            bodies.Add(body);
            sorted.Add(body);
            return body;
        }

        /// <summary>Removes a body and disposes of its object.</summary>
        public void Remove(WorldBody body)
        {
            if (!bodies.Remove(body)) throw new ArgumentException("the body is not in this world");
            sorted.Remove(body);
            body.Object.Dispose();
        }

        public bool Contains(WorldBody body) { return bodies.Contains(body); }

        public Obstacle Add(Shape shape, BodyPose pose)
        {
            Obstacle obstacle = new Obstacle(shape, pose, numbers++);
            obstacles.Add(obstacle);
            return obstacle;
        }

        public void Remove(Obstacle obstacle) { obstacles.Remove(obstacle); }

        /// <summary>
        /// Breaks a body: it goes, and its fragments come in its place, with its velocity field: momentum, angular momentum and energy add
        /// up. No fragments, and the body stays, if the pattern cuts nothing.
        ///
        /// What broke a body does not stop it: its fragments go on as it moved before the last step, and meet the obstacle on their own.
        /// Say `beforeBlow: false` where nothing hit it.
        /// </summary>
        public WorldBody[] Break(WorldBody body, FractureSettings how, bool beforeBlow = true)
        {
            if (!bodies.Contains(body)) throw new ArgumentException("the body is not in this world");
            FracasObject[] fragments = body.Object.Fracture(how);
            WorldBody[] parts = new WorldBody[fragments.Length];
            if (parts.Length == 0) return parts;
            body.Place();
            Double3 linear = beforeBlow ? body.LinearBefore : body.LinearVelocity;
            Double3 angular = beforeBlow ? body.AngularBefore : body.AngularVelocity;
            for (int k = 0; k < parts.Length; k++)
            {
                WorldBody part = parts[k] = Add(fragments[k], body.Pose);
                part.LinearVelocity = linear + Double3.Cross(angular, part.Centre - body.Centre);
                part.AngularVelocity = angular;
                part.LinearBefore = part.LinearVelocity;
                part.AngularBefore = angular;
                part.Friction = body.Friction;
                part.Restitution = body.Restitution;
                part.Tag = body.Tag;
            }
            Remove(body);
            return parts;
        }

        /// <summary>One step. Call it with the same length each time.</summary>
        public void Step(double seconds)
        {
            if (!(seconds > 0)) throw new ArgumentOutOfRangeException("seconds", "a step must be longer than 0 seconds");
            step++;
            contactCount = 0;
            Query.Seconds = (float)seconds;
            foreach (WorldBody body in bodies)
            {
                body.Place();
                body.LinearBefore = body.LinearVelocity + seconds * Gravity;
                body.AngularBefore = body.AngularVelocity;
                body.Blow = new Blow();
                body.BlowWeight = 0;
            }
            CollidePairs(seconds);
            CollideObstacles();
            double part = seconds / Substeps;
            for (int k = 0; k < Substeps; k++)
            {
                foreach (WorldBody body in bodies) body.LinearVelocity += part * Gravity;
                Solver.Solve(contacts, contactCount, part);
                for (int c = 0; c < contactCount; c++) AddToBlows(ref contacts[c]);
                foreach (WorldBody body in bodies) body.Move(part);
                for (int c = 0; c < contactCount; c++) contacts[c].MoveAlong();
            }
            Remember();
        }

        /// <summary>Sort and sweep: boxes around all that bodies reach within the step, in the order of their lowest x.</summary>
        void CollidePairs(double seconds)
        {
            foreach (WorldBody body in bodies)
            {
                Aabb box = body.Object.Bounds(body.Pose);
                Double3 way = seconds * body.LinearBefore;
                double wide = Math.Max(0, Query.Margin) + seconds * body.AngularVelocity.Length * body.Radius;
                box.Min = box.Min + new Double3(Math.Min(0, way.X) - wide, Math.Min(0, way.Y) - wide, Math.Min(0, way.Z) - wide);
                box.Max = box.Max + new Double3(Math.Max(0, way.X) + wide, Math.Max(0, way.Y) + wide, Math.Max(0, way.Z) + wide);
                body.Reach = box;
            }
            // By insertion: the order is nearly that of the last step.
            for (int k = 1; k < sorted.Count; k++)
            {
                WorldBody body = sorted[k];
                int at = k;
                for (; at > 0 && sorted[at - 1].Reach.Min.X > body.Reach.Min.X; at--) sorted[at] = sorted[at - 1];
                sorted[at] = body;
            }
            batch.Clear();
            queried.Clear();
            queriedA.Clear();
            queriedB.Clear();
            for (int i = 0; i < sorted.Count; i++)
                for (int j = i + 1; j < sorted.Count && sorted[j].Reach.Min.X <= sorted[i].Reach.Max.X; j++)
                {
                    if (!sorted[i].Reach.Meets(sorted[j].Reach)) continue;
                    // The older first, whatever the order is now: a memory is of the bodies in their order.
                    bool swap = sorted[i].Number > sorted[j].Number;
                    WorldBody a = sorted[swap ? j : i], b = sorted[swap ? i : j];
                    Pair pair = PairOf(a.Number, b.Number);
                    int index = batch.Add(a.Object, a.Pose, VelocityOf(a), b.Object, b.Pose, VelocityOf(b));
                    batch.Memory(index) = pair.Memory;
                    queried.Add(pair);
                    queriedA.Add(a);
                    queriedB.Add(b);
                }
            if (batch.Count == 0) return;
            batch.Run(Query);
            for (int k = 0; k < batch.Count; k++)
            {
                WorldBody a = queriedA[k], b = queriedB[k];
                queried[k].Memory = batch.Memory(k);
                for (int c = batch.First(k); c < batch.First(k + 1); c++)
                    Append(a, b, k, queried[k], batch.Contacts[c], Math.Sqrt(a.Friction * b.Friction),
                           Math.Max(a.Restitution, b.Restitution));
            }
        }

        unsafe void CollideObstacles()
        {
            Velocity* moves = stackalloc Velocity[2];
            moves[1] = new Velocity();
            foreach (Obstacle obstacle in obstacles)
                foreach (WorldBody body in bodies)
                {
                    Pair pair = PairOf(obstacle.Number, body.Number);
                    moves[0] = VelocityOf(body);
                    Found found;
                    fixed (Contact* data = ofShape)
                    fixed (PairMemory* memory = &pair.Memory)
                        found = Queries.WithShape(body.Object, body.Pose, obstacle.Shape, obstacle.Pose, data, ofShape.Length, Query,
                            memory, moves);
                    int index = queried.Count;
                    queried.Add(pair);
                    for (int c = 0; c < found.Count; c++)
                        Append(body, null, index, pair, ofShape[c], Math.Sqrt(body.Friction * obstacle.Friction), body.Restitution);
                }
        }

        static Velocity VelocityOf(WorldBody body) { return new Velocity((Float3)body.LinearBefore, (Float3)body.AngularBefore); }

        Pair PairOf(uint a, uint b)
        {
            ulong key = (ulong)a << 32 | b;
            Pair pair;
            if (!pairs.TryGetValue(key, out pair)) pairs.Add(key, pair = new Pair());
            pair.LastStep = step;
            return pair;
        }

        void Append(WorldBody a, WorldBody b, int index, Pair pair, Contact contact, double friction, double restitution)
        {
            if (contactCount == contacts.Length) Array.Resize(ref contacts, 2 * contactCount);
            SolverContact point = new SolverContact
            {
                A = a, B = b, Point = a.Pose.Position + contact.Point, Normal = contact.Normal, Depth = contact.Depth, Friction = friction,
                Restitution = restitution, Feature = contact.Feature, Pair = index,
            };
            for (int k = 0; k < pair.Count; k++)
                if (pair.Features[k] == contact.Feature)
                {
                    point.NormalImpulse = pair.Normal[k];
                    point.FrictionImpulse = pair.Friction[k];
                    break;
                }
            point.Attach();
            contacts[contactCount++] = point;
        }

        static void AddToBlows(ref SolverContact c)
        {
            Hit(c.A, c.NormalImpulse * c.Normal, c.Point);
            if (c.B != null) Hit(c.B, -(c.NormalImpulse * c.Normal), c.Point);
        }

        /// <summary>Keeps the impulses for the next step.</summary>
        void Remember()
        {
            foreach (Pair pair in queried) pair.Count = 0;
            for (int k = 0; k < contactCount; k++)
            {
                SolverContact c = contacts[k];
                Pair pair = queried[c.Pair];
                if (pair.Count == pair.Features.Length)
                {
                    Array.Resize(ref pair.Features, 2 * pair.Count);
                    Array.Resize(ref pair.Normal, 2 * pair.Count);
                    Array.Resize(ref pair.Friction, 2 * pair.Count);
                }
                pair.Features[pair.Count] = c.Feature;
                pair.Normal[pair.Count] = c.NormalImpulse;
                pair.Friction[pair.Count++] = c.FrictionImpulse;
            }
            if (step % 64 != 0) return;
            foreach (KeyValuePair<ulong, Pair> entry in pairs) if (entry.Value.LastStep != step) forgotten.Add(entry.Key);
            foreach (ulong key in forgotten) pairs.Remove(key);
            forgotten.Clear();
        }

        static void Hit(WorldBody body, Double3 impulse, Double3 point)
        {
            double weight = impulse.Length;
            if (weight == 0) return;
            body.BlowWeight += weight;
            body.Blow.Point += weight / body.BlowWeight * (point - body.Blow.Point);
            body.Blow.Impulse += impulse;
        }

        public void Dispose()
        {
            foreach (WorldBody body in bodies) body.Object.Dispose();
            bodies.Clear();
            sorted.Clear();
            pairs.Clear();
        }
    }
}
