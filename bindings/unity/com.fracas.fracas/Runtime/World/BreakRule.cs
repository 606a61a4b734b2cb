using System;

namespace Fracas
{
    /// <summary>
    /// When a body breaks, and into how many pieces: a rule for games, not fracture mechanics. A blow is an impulse over the body's
    /// cross-section, J / V^(2/3), in N s / m². Above the strength of its material the body breaks around the point that was hit, into
    /// more pieces the harder the blow. Small pieces are thus tougher than large ones, and nothing turns to dust.
    /// </summary>
    [Serializable]
    public sealed class BreakRule
    {
        /// <summary>N s / m². For a body of size L and density r that hits the floor at speed v, it takes about r L v.</summary>
        public double Strength = 500;
        /// <summary>Pieces at a blow just above the strength; twice the blow makes twice as many.</summary>
        public double Pieces = 6;
        public int MostPieces = 40;
        /// <summary>What is beyond this share of the body's radius from the blow stays whole. 2: all of it breaks.</summary>
        public double Reach = 2;
        /// <summary>Of the cracks, at most 0.05. 0: smooth.</summary>
        public float Roughness;
        /// <summary>Bodies with less volume than this, in m³, do not break.</summary>
        public double Smallest = 2e-5;

        /// <summary>How to break a body by what hit it in the last step; null if it stands that. `seed` chooses the cracks.</summary>
        public FractureSettings BrokenBy(WorldBody body, ulong seed)
        {
            double volume = body.Mass.Volume, size = body.Blow.Impulse.Length;
            double strain = size / (Strength * Math.Pow(volume, 2.0 / 3));
            if (!(strain > 1) || volume < Smallest) return null;
            Double3 at = body.Pose.ToBody(body.Blow.Point);
            Double3 way = body.Pose.Rotation.Inverse * ((1 / size) * body.Blow.Impulse);
            int count = (int)Math.Max(2, Math.Min(MostPieces, Pieces * strain));
            FractureSettings how = FractureSettings.Impact((Float3)at, (Float3)way, (float)(Reach * body.Radius), count, seed);
            how.MaxFragments = MostPieces;
            how.MinVolumeShare = 0.002f;
            how.Roughness = Roughness;
            how.RoughnessSeed = seed;
            return how;
        }
    }
}
