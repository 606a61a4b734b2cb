using Unity.Collections;
using Unity.Collections.LowLevel.Unsafe;

namespace Fracas
{
    public static unsafe partial class Queries
    {
        /// <summary>Writes the contacts of two objects, the best first, without a copy.</summary>
        public static Found Pair(FracasObject a, BodyPose poseA, FracasObject b, BodyPose poseB, NativeArray<Contact> contacts,
            QuerySettings settings = null)
        {
            return Pair(a, poseA, b, poseB, Pointer(contacts), contacts.Length, settings, null, null);
        }

        /// <summary>The same with a memory of the pair.</summary>
        public static Found Pair(FracasObject a, BodyPose poseA, FracasObject b, BodyPose poseB, NativeArray<Contact> contacts,
            ref PairMemory memory, QuerySettings settings = null)
        {
            fixed (PairMemory* kept = &memory) return Pair(a, poseA, b, poseB, Pointer(contacts), contacts.Length, settings, kept, null);
        }

        /// <summary>Writes the contacts of an object, A, and a simple shape, B, without a copy.</summary>
        public static Found WithShape(FracasObject a, BodyPose poseA, Shape shape, BodyPose poseShape, NativeArray<Contact> contacts,
            QuerySettings settings = null)
        {
            return WithShape(a, poseA, shape, poseShape, Pointer(contacts), contacts.Length, settings, null, null);
        }

        /// <summary>
        /// Finds the contacts of many pairs. `offsets` needs one element more than `pairs`; `statuses`, `memories` and `velocities` may be
        /// default.
        /// </summary>
        public static Status Batch(NativeArray<QueryPair> pairs, NativeArray<Contact> contacts, NativeArray<uint> offsets,
            QuerySettings settings = null, NativeArray<Status> statuses = default(NativeArray<Status>),
            NativeArray<PairMemory> memories = default(NativeArray<PairMemory>),
            NativeArray<Velocity> velocities = default(NativeArray<Velocity>))
        {
            Need("offsets", offsets.Length, pairs.Length + 1);
            if (statuses.IsCreated) Need("statuses", statuses.Length, pairs.Length);
            if (memories.IsCreated) Need("memories", memories.Length, pairs.Length);
            if (velocities.IsCreated) Need("velocities", velocities.Length, 2 * pairs.Length);
            return Batch(Pointer(pairs), pairs.Length, Pointer(contacts), contacts.Length, Pointer(offsets), Pointer(statuses), settings,
                Pointer(memories), Pointer(velocities), null);
        }

        static void Need(string name, int length, int least)
        {
            if (length < least) throw new System.ArgumentException(name + " has " + length + " elements, and needs " + least);
        }

        // One for each type: C# 7 has no generic pointers.
        static Contact* Pointer(NativeArray<Contact> array) { return (Contact*)NativeArrayUnsafeUtility.GetUnsafePtr(array); }
        static QueryPair* Pointer(NativeArray<QueryPair> array) { return (QueryPair*)NativeArrayUnsafeUtility.GetUnsafeReadOnlyPtr(array); }
        static uint* Pointer(NativeArray<uint> array) { return (uint*)NativeArrayUnsafeUtility.GetUnsafePtr(array); }
        static Status* Pointer(NativeArray<Status> array)
        {
            return array.IsCreated ? (Status*)NativeArrayUnsafeUtility.GetUnsafePtr(array) : null;
        }
        static PairMemory* Pointer(NativeArray<PairMemory> array)
        {
            return array.IsCreated ? (PairMemory*)NativeArrayUnsafeUtility.GetUnsafePtr(array) : null;
        }
        static Velocity* Pointer(NativeArray<Velocity> array)
        {
            return array.IsCreated ? (Velocity*)NativeArrayUnsafeUtility.GetUnsafeReadOnlyPtr(array) : null;
        }
    }
}
