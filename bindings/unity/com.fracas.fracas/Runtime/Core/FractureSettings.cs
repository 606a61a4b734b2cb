using System;
using Fracas.Native;

namespace Fracas
{
    /// <summary>Where the cracks run.</summary>
    public enum Pattern : uint
    {
        /// <summary>Along planes: four floats each in Values, normal and offset.</summary>
        Planes = Api.FC_PATTERN_PLANES,
        /// <summary>Voronoi cells of points: three floats each in Values.</summary>
        Voronoi = Api.FC_PATTERN_VORONOI,
        /// <summary>Voronoi cells of Count random points.</summary>
        RandomVoronoi = Api.FC_PATTERN_RANDOM_VORONOI,
        /// <summary>Small cells at ImpactPoint, larger ones away from it; those beyond ImpactRadius stay joined.</summary>
        Impact = Api.FC_PATTERN_IMPACT,
        /// <summary>One label per node of the mesh in Labels.</summary>
        Labels = Api.FC_PATTERN_LABELS,
    }

    /// <summary>How an object breaks. Lengths in metres, in the object's frame. New ones have the library's defaults.</summary>
    public sealed unsafe class FractureSettings
    {
        public Pattern Pattern;
        public float[] Values;
        public int[] Labels;
        public int Count;
        public ulong Seed;
        public Float3 ImpactPoint, ImpactDirection;
        /// <summary>0: half the radius of the object.</summary>
        public float ImpactRadius;
        /// <summary>Amplitude of rough cracks as a fraction of the radius, at most 0.05. 0: smooth.</summary>
        public float Roughness;
        /// <summary>In mean edge lengths of the mesh.</summary>
        public float RoughnessWavelength;
        public ulong RoughnessSeed;
        /// <summary>Fragments with a smaller share of the volume are joined to a neighbour.</summary>
        public float MinVolumeShare;
        /// <summary>Fragments with a smaller radius are joined to a neighbour.</summary>
        public float MinRadius;
        /// <summary>Never more fragments than this. 0: no limit.</summary>
        public int MaxFragments;

        public FractureSettings(Pattern pattern)
        {
            FracasLibrary.Ready();
            fc_fracture_desc desc;
            Api.fc_fracture_desc_default(&desc);
            Pattern = pattern;
            Count = (int)desc.count;
            RoughnessWavelength = desc.roughness_wavelength;
        }

        /// <summary>`count` random pieces.</summary>
        public static FractureSettings Random(int count, ulong seed)
        {
            return new FractureSettings(Pattern.RandomVoronoi) { Count = count, Seed = seed };
        }

        /// <summary>About `count` pieces around a point that was hit. A radius of 0: half that of the object.</summary>
        public static FractureSettings Impact(Float3 point, Float3 direction, float radius, int count, ulong seed)
        {
            return new FractureSettings(Pattern.Impact)
            {
                ImpactPoint = point, ImpactDirection = direction, ImpactRadius = radius, Count = count, Seed = seed,
            };
        }

        /// <summary>The descriptor without Values and Labels, which the caller pins.</summary>
        internal void Fill(fc_fracture_desc* desc)
        {
            Api.fc_fracture_desc_default(desc);
            desc->pattern = (uint)Pattern;
            desc->count = checked((uint)Count);
            desc->seed = Seed;
            *(Float3*)desc->impact_point = ImpactPoint;
            *(Float3*)desc->impact_direction = ImpactDirection;
            desc->impact_radius = ImpactRadius;
            desc->roughness = Roughness;
            desc->roughness_wavelength = RoughnessWavelength;
            desc->roughness_seed = RoughnessSeed;
            desc->min_volume_share = MinVolumeShare;
            desc->min_radius = MinRadius;
            desc->max_fragments = checked((uint)MaxFragments);
        }
    }
}
