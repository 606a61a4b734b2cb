using System;
using Fracas.Native;

namespace Fracas
{
    /// <summary>What a query returned.</summary>
    public struct Found
    {
        /// <summary>Ok, Incomplete (more than fit), Interrupted (the budget), or NoHit.</summary>
        public Status Status;
        /// <summary>Contacts that were written.</summary>
        public int Count;
        /// <summary>Contacts that there are.</summary>
        public int Total;

        internal Found(Status status, uint total, int room)
        {
            Status = status;
            Total = (int)total;
            Count = Math.Min(Total, room);
        }
    }

    /// <summary>
    /// Contacts, sweeps and distances. All in the library's frame; contact points are relative to A's position. Nothing is copied: arrays
    /// are pinned, Span and NativeArray are passed on. Any thread may call; no call allocates once it is warm.
    ///
    /// In Burst jobs call Fracas.Native.Api: QuerySettings.Native is the descriptor, and pointers to the structs of Types.cs are cast to
    /// those of the C interface.
    /// </summary>
    public static unsafe partial class Queries
    {
        /// <summary>Writes the contacts of two objects, the best first.</summary>
        public static Found Pair(FracasObject a, BodyPose poseA, FracasObject b, BodyPose poseB, Contact[] contacts,
            QuerySettings settings = null)
        {
            fixed (Contact* data = contacts) return Pair(a, poseA, b, poseB, data, Length(contacts), settings, null, null);
        }

        /// <summary>
        /// The same with a memory of the pair: contacts stay the same while the bodies do not move, and bodies that have crossed are pushed
        /// back to where they came from.
        /// </summary>
        public static Found Pair(FracasObject a, BodyPose poseA, FracasObject b, BodyPose poseB, Contact[] contacts, ref PairMemory memory, QuerySettings settings = null)
        {
            fixed (Contact* data = contacts)
            fixed (PairMemory* kept = &memory)
                return Pair(a, poseA, b, poseB, data, Length(contacts), settings, kept, null);
        }

        /// <summary>The same in a part of an array.</summary>
        public static Found Pair(FracasObject a, BodyPose poseA, FracasObject b, BodyPose poseB, ArraySegment<Contact> contacts,
                                 QuerySettings settings = null)
        {
            fixed (Contact* data = contacts.Array)
                return Pair(a, poseA, b, poseB, data + contacts.Offset, contacts.Count, settings, null, null);
        }

        /// <summary>The same with all options. `memory` and `velocities` (A's, then B's; settings.Seconds) may be null.</summary>
        public static Found Pair(FracasObject a, BodyPose poseA, FracasObject b, BodyPose poseB, Contact* contacts, int capacity,
                                 QuerySettings settings, PairMemory* memory, Velocity* velocities)
        {
            fc_query_desc desc = Descriptor(settings, memory, velocities);
            uint count = 0;
            Status status = FracasException.Check(Api.fc_query_pair(Handle(a), (fc_pose*)&poseA, Handle(b), (fc_pose*)&poseB, &desc,
                                                                    (fc_contact*)contacts, (uint)capacity, &count));
            GC.KeepAlive(a);
            GC.KeepAlive(b);
            return new Found(status, count, capacity);
        }

        /// <summary>Writes the contacts of an object, A, and a simple shape, B.</summary>
        public static Found WithShape(FracasObject a, BodyPose poseA, Shape shape, BodyPose poseShape, Contact[] contacts,
            QuerySettings settings = null)
        {
            fixed (Contact* data = contacts) return WithShape(a, poseA, shape, poseShape, data, Length(contacts), settings, null, null);
        }

        /// <summary>The same with a memory of the pair.</summary>
        public static Found WithShape(FracasObject a, BodyPose poseA, Shape shape, BodyPose poseShape, Contact[] contacts,
            ref PairMemory memory, QuerySettings settings = null)
        {
            fixed (Contact* data = contacts)
            fixed (PairMemory* kept = &memory)
                return WithShape(a, poseA, shape, poseShape, data, Length(contacts), settings, kept, null);
        }

        /// <summary>The same with all options.</summary>
        public static Found WithShape(FracasObject a, BodyPose poseA, Shape shape, BodyPose poseShape, Contact* contacts, int capacity,
                                      QuerySettings settings, PairMemory* memory, Velocity* velocities)
        {
            if (shape == null) throw new ArgumentNullException("shape");
            fc_query_desc desc = Descriptor(settings, memory, velocities);
            uint count = 0;
            fc_object handle = Handle(a);
            Status status;
            using (Pinned pinned = shape.Pin())
            {
                fc_shape native = pinned.Native;
                status = FracasException.Check(Api.fc_query_shape(handle, (fc_pose*)&poseA, &native, (fc_pose*)&poseShape, &desc,
                                                                  (fc_contact*)contacts, (uint)capacity, &count));
            }
            GC.KeepAlive(a);
            return new Found(status, count, capacity);
        }

        /// <summary>
        /// Finds the contacts of many pairs, in parallel where FracasLibrary has threads. `offsets` has one element more than there are
        /// pairs: contacts of pair k are offsets[k] to offsets[k + 1]. `statuses`, `memories` and `velocities` (two per pair) may be null.
        /// QueryBatch keeps such arrays.
        /// </summary>
        public static Status Batch(QueryPair* pairs, int pairCount, Contact* contacts, int capacity, uint* offsets, Status* statuses,
                                   QuerySettings settings, PairMemory* memories, Velocity* velocities, float* weights)
        {
            fc_query_desc desc = Descriptor(settings, memories, velocities);
            desc.weights = weights;
            return FracasException.Check(Api.fc_query_pairs((fc_pair*)pairs, (uint)pairCount, &desc, (fc_contact*)contacts, (uint)capacity,
                                                            offsets, (int*)statuses));
        }

        /// <summary>The first time at which two moving objects touch; false if they do not.</summary>
        public static bool SweepPair(FracasObject a, BodyPose startA, BodyPose endA, FracasObject b, BodyPose startB, BodyPose endB,
            out SweepHit hit)
        {
            hit = default(SweepHit);
            Status status;
            fixed (SweepHit* found = &hit)
                status = FracasException.Check(Api.fc_sweep_pair(Handle(a), (fc_pose*)&startA, (fc_pose*)&endA, Handle(b), (fc_pose*)&startB,
                                                                 (fc_pose*)&endB, null, (fc_sweep_hit*)found));
            GC.KeepAlive(a);
            GC.KeepAlive(b);
            return status != Status.NoHit;
        }

        /// <summary>The first time at which a moving object and a moving shape touch; false if they do not.</summary>
        public static bool SweepShape(FracasObject a, BodyPose startA, BodyPose endA, Shape shape, BodyPose startShape, BodyPose endShape,
            out SweepHit hit)
        {
            if (shape == null) throw new ArgumentNullException("shape");
            hit = default(SweepHit);
            Status status;
            using (Pinned pinned = shape.Pin())
            {
                fc_shape native = pinned.Native;
                fixed (SweepHit* found = &hit)
                    status = FracasException.Check(Api.fc_sweep_shape(Handle(a), (fc_pose*)&startA, (fc_pose*)&endA, &native,
                        (fc_pose*)&startShape, (fc_pose*)&endShape, null, (fc_sweep_hit*)found));
            }
            GC.KeepAlive(a);
            return status != Status.NoHit;
        }

        /// <summary>Sweeps many pairs; hits[k].Time is 2 where they do not touch. `statuses` may be null.</summary>
        public static Status SweepBatch(Sweep[] sweeps, SweepHit[] hits, Status[] statuses = null)
        {
            if (sweeps == null) throw new ArgumentNullException("sweeps");
            if (Length(hits) < sweeps.Length || (statuses != null && statuses.Length < sweeps.Length))
                throw new ArgumentException("hits and statuses need an element for each of the " + sweeps.Length + " sweeps");
            fixed (Sweep* data = sweeps)
            fixed (SweepHit* found = hits)
            fixed (Status* each = statuses)
                return FracasException.Check(Api.fc_sweep_pairs((fc_sweep*)data, (uint)sweeps.Length, null, (fc_sweep_hit*)found,
                    (int*)each));
        }

        /// <summary>Distance and closest points of two objects; false if they are farther apart than `range`.</summary>
        public static bool Distance(FracasObject a, BodyPose poseA, FracasObject b, BodyPose poseB, out Closest closest,
                                    double range = double.PositiveInfinity)
        {
            closest = default(Closest);
            Status status;
            fixed (Closest* found = &closest)
                status = FracasException.Check(Api.fc_distance_pair(Handle(a), (fc_pose*)&poseA, Handle(b), (fc_pose*)&poseB, range,
                    (fc_distance*)found));
            GC.KeepAlive(a);
            GC.KeepAlive(b);
            return status != Status.NoHit;
        }

        /// <summary>Distance and closest points of an object and a shape; false if they are farther apart than `range`.</summary>
        public static bool DistanceToShape(FracasObject a, BodyPose poseA, Shape shape, BodyPose poseShape, out Closest closest,
                                           double range = double.PositiveInfinity)
        {
            if (shape == null) throw new ArgumentNullException("shape");
            closest = default(Closest);
            Status status;
            using (Pinned pinned = shape.Pin())
            {
                fc_shape native = pinned.Native;
                fixed (Closest* found = &closest)
                    status = FracasException.Check(Api.fc_distance_shape(Handle(a), (fc_pose*)&poseA, &native, (fc_pose*)&poseShape, range,
                        (fc_distance*)found));
            }
            GC.KeepAlive(a);
            return status != Status.NoHit;
        }

        /// <summary>Reduces contacts in place, as queries do; returns how many remain. 0: no limit. For contacts of several pairs.</summary>
        public static int Reduce(Contact[] contacts, int count, int maxPerNormal = 4, int maxContacts = 0)
        {
            if (count < 0 || count > Length(contacts)) throw new ArgumentOutOfRangeException("count");
            uint reduced = 0;
            fixed (Contact* data = contacts)
                FracasException.Check(Api.fc_reduce_contacts((fc_contact*)data, (uint)count, checked((uint)maxPerNormal),
                    checked((uint)maxContacts), (fc_contact*)data, (uint)count, &reduced));
            return (int)reduced;
        }

        /// <summary>Statistics of this thread's last query.</summary>
        public static fc_query_stats Stats
        {
            get
            {
                fc_query_stats stats;
                Api.fc_query_stats_default(&stats);
                FracasException.Check(Api.fc_query_get_stats(&stats));
                return stats;
            }
        }

#if NETSTANDARD2_1 || NETSTANDARD2_1_OR_GREATER
        /// <summary>Writes the contacts of two objects, the best first.</summary>
        public static Found Pair(FracasObject a, BodyPose poseA, FracasObject b, BodyPose poseB, Span<Contact> contacts,
            QuerySettings settings = null)
        {
            fixed (Contact* data = contacts) return Pair(a, poseA, b, poseB, data, contacts.Length, settings, null, null);
        }

        /// <summary>The same with a memory of the pair.</summary>
        public static Found Pair(FracasObject a, BodyPose poseA, FracasObject b, BodyPose poseB, Span<Contact> contacts,
            ref PairMemory memory, QuerySettings settings = null)
        {
            fixed (Contact* data = contacts)
            fixed (PairMemory* kept = &memory)
                return Pair(a, poseA, b, poseB, data, contacts.Length, settings, kept, null);
        }

        /// <summary>Writes the contacts of an object, A, and a simple shape, B.</summary>
        public static Found WithShape(FracasObject a, BodyPose poseA, Shape shape, BodyPose poseShape, Span<Contact> contacts,
            QuerySettings settings = null)
        {
            fixed (Contact* data = contacts) return WithShape(a, poseA, shape, poseShape, data, contacts.Length, settings, null, null);
        }
#endif

        static fc_query_desc Descriptor(QuerySettings settings, PairMemory* memories, Velocity* velocities)
        {
            fc_query_desc desc = (settings ?? QuerySettings.Defaults).Native;
            desc.memories = (fc_pair_memory*)memories;
            desc.motions = (fc_motion*)velocities;
            return desc;
        }

        static fc_object Handle(FracasObject owner)
        {
            if (owner == null) throw new ArgumentNullException("object");
            return owner.Native;
        }

        static int Length<T>(T[] array) { return array == null ? 0 : array.Length; }
    }
}
