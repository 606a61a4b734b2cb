using System;
using Fracas.Native;

namespace Fracas
{
    /// <summary>
    /// Pairs that are queried together, and their contacts. It keeps its arrays from step to step, so that nothing is allocated once they
    /// are large enough: Clear, Add each pair, Run, read. For one thread.
    /// </summary>
    public sealed unsafe class QueryBatch
    {
        QueryPair[] pairs = new QueryPair[16];
        PairMemory[] memories = new PairMemory[16], before = new PairMemory[0];
        Velocity[] velocities = new Velocity[32];
        Status[] statuses = new Status[16];
        uint[] offsets = new uint[17];
        Contact[] contacts = new Contact[256];
        bool moving;

        /// <summary>Number of pairs.</summary>
        public int Count { get; private set; }

        /// <summary>The contacts of all pairs after Run: those of pair k are First(k) to First(k + 1).</summary>
        public Contact[] Contacts { get { return contacts; } }

        public int First(int pair) { return (int)offsets[pair]; }

        /// <summary>Ok, Interrupted, or the error of a pair, which then has no contacts.</summary>
        public Status StatusOf(int pair) { return statuses[pair]; }

        /// <summary>What is kept of the pair: set it before Run, save it after.</summary>
        public ref PairMemory Memory(int pair) { return ref memories[pair]; }

        public void Clear()
        {
            Count = 0;
            moving = false;
        }

        /// <summary>Adds a pair and returns its index. Its memory is empty until you set it. Keep both objects until after Run.</summary>
        public int Add(FracasObject a, BodyPose poseA, FracasObject b, BodyPose poseB)
        {
            if (Count == pairs.Length)
            {
                int room = 2 * Count;
                Array.Resize(ref pairs, room);
                Array.Resize(ref memories, room);
                Array.Resize(ref velocities, 2 * room);
                Array.Resize(ref statuses, room);
                Array.Resize(ref offsets, room + 1);
            }
            pairs[Count] = new QueryPair { A = a.Native, B = b.Native, PoseA = poseA, PoseB = poseB };
            memories[Count] = default(PairMemory);
            velocities[2 * Count] = velocities[2 * Count + 1] = default(Velocity);
            return Count++;
        }

        /// <summary>The same of bodies that move; contacts of what meets within settings.Seconds are found too.</summary>
        public int Add(FracasObject a, BodyPose poseA, Velocity ofA, FracasObject b, BodyPose poseB, Velocity ofB)
        {
            int pair = Add(a, poseA, b, poseB);
            velocities[2 * pair] = ofA;
            velocities[2 * pair + 1] = ofB;
            moving = true;
            return pair;
        }

        /// <summary>Finds all contacts. If they do not fit, the array grows, and the query is repeated once with the same memories.</summary>
        public Status Run(QuerySettings settings = null)
        {
            int most = settings == null ? 0 : settings.MaxContacts;
            if (most > 0 && contacts.Length < most * Count) contacts = new Contact[2 * most * Count];
            bool fits = most > 0;
            if (!fits)
            {
                if (before.Length < Count) before = new PairMemory[memories.Length];
                Array.Copy(memories, before, Count);
            }
            Status status = Query(settings);
            if (fits || offsets[Count] <= contacts.Length) return status;
            Array.Copy(before, memories, Count);
            contacts = new Contact[Math.Max((int)offsets[Count], 2 * contacts.Length)];
            return Query(settings);
        }

        Status Query(QuerySettings settings)
        {
            fixed (QueryPair* first = pairs)
            fixed (PairMemory* kept = memories)
            fixed (Velocity* moves = velocities)
            fixed (Status* each = statuses)
            fixed (uint* bounds = offsets)
            fixed (Contact* found = contacts)
                return Queries.Batch(first, Count, found, contacts.Length, bounds, each, settings, kept, moving ? moves : null, null);
        }
    }
}
