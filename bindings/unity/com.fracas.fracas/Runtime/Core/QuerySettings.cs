using Fracas.Native;

namespace Fracas
{
    /// <summary>How many contacts of a pair are returned.</summary>
    public enum ContactMode : uint
    {
        /// <summary>TargetContacts well-spread ones, then only those that are deeper than the deepest so far. The default.</summary>
        TargetThenDeeper = Api.FC_MODE_TARGET_THEN_DEEPER,
        /// <summary>TargetContacts, then all that are deeper than the tolerance.</summary>
        TargetThenDeep = Api.FC_MODE_TARGET_THEN_DEEP,
        /// <summary>TargetContacts and no more.</summary>
        Exactly = Api.FC_MODE_EXACTLY,
        /// <summary>Every sample point in contact.</summary>
        Full = Api.FC_MODE_FULL,
    }

    /// <summary>
    /// Options of queries. New ones have the library's defaults; keep them and use them again. Settings are not changed by queries, so
    /// threads may share them.
    /// </summary>
    public sealed unsafe class QuerySettings
    {
        fc_query_desc native;

        public QuerySettings()
        {
            FracasLibrary.Ready();
            fc_query_desc desc;
            Api.fc_query_desc_default(&desc);
            native = desc;
        }

        /// <summary>Metres. Bodies this far apart are in contact, with negative depth. Below 0: 0.1 % of the smaller radius.</summary>
        public float Margin { get { return native.margin; } set { native.margin = value; } }
        /// <summary>Metres by which a further contact must be deeper. Below 0: the library's choice.</summary>
        public float Tolerance { get { return native.tolerance; } set { native.tolerance = value; } }
        public ContactMode Mode { get { return (ContactMode)native.mode; } set { native.mode = (uint)value; } }
        public int TargetContacts { get { return (int)native.target_contacts; } set { native.target_contacts = checked((uint)value); } }
        /// <summary>Never more for a pair. 0: no limit.</summary>
        public int MaxContacts { get { return (int)native.max_contacts; } set { native.max_contacts = checked((uint)value); } }
        /// <summary>Never more for a pair with nearly the same normal. 0: no limit.</summary>
        public int MaxPerNormal { get { return (int)native.max_per_normal; } set { native.max_per_normal = checked((uint)value); } }
        /// <summary>Most units of work of a call, of all its pairs together. 0: no limit.</summary>
        public int Budget { get { return (int)native.budget; } set { native.budget = checked((uint)value); } }
        /// <summary>Seconds of the step, for velocities: what meets within it has contacts already. 0: contacts of now.</summary>
        public float Seconds { get { return native.seconds; } set { native.seconds = value; } }
        /// <summary>Depths by the shortest way out of each point, instead of along the normal as solvers need them.</summary>
        public bool ShortestWay
        {
            get { return (native.flags & Api.FC_QUERY_SHORTEST_WAY) != 0; }
            set { native.flags = value ? native.flags | Api.FC_QUERY_SHORTEST_WAY : native.flags & ~Api.FC_QUERY_SHORTEST_WAY; }
        }

        /// <summary>
        /// The descriptor, for calls of Fracas.Native.Api, in Burst jobs too. It has no memories, motions and weights: these are pointers.
        /// </summary>
        public fc_query_desc Native { get { return native; } }

        static QuerySettings defaults;
        internal static QuerySettings Defaults { get { return defaults ?? (defaults = new QuerySettings()); } }
    }
}
