using System;

namespace Fracas
{
    /// <summary>A contact of two bodies of a world, as a solver wants it.</summary>
    public struct SolverContact
    {
        /// <summary>B is null for an obstacle.</summary>
        public WorldBody A, B;
        /// <summary>In the world.</summary>
        public Double3 Point;
        /// <summary>From B towards A.</summary>
        public Double3 Normal;
        /// <summary>Positive: overlap. Negative: a gap that may close within the step.</summary>
        public double Depth;
        public double Friction, Restitution;
        /// <summary>N s along the normal, 0 or more. Before Solve that of the last substep; after it that of this one.</summary>
        public double NormalImpulse;
        /// <summary>N s across the normal, on A. Before and after as above.</summary>
        public Double3 FrictionImpulse;
        /// <summary>Stable from step to step.</summary>
        public uint Feature;
        internal int Pair;
        Double3 onA, onB;
        double depthBefore;

        /// <summary>Fixes the point to both bodies.</summary>
        internal void Attach()
        {
            onA = A.Pose.ToBody(Point);
            onB = B == null ? Point : B.Pose.ToBody(Point);
            depthBefore = Depth;
        }

        /// <summary>Both bodies have moved a little: so have its point and its depth.</summary>
        internal void MoveAlong()
        {
            Double3 a = A.Pose * onA, b = B == null ? onB : B.Pose * onB;
            Point = 0.5 * (a + b);
            Depth = depthBefore - Double3.Dot(a - b, Normal);
        }
    }

    /// <summary>
    /// Makes velocities obey contacts. The only thing between the world and your own solver: it knows nothing of Fracas but contacts.
    /// </summary>
    public interface IContactSolver
    {
        /// <summary>
        /// Changes the velocities of the bodies, which gravity has changed already, and sets the impulses of the contacts. May set
        /// PushLinear and PushAngular, which last for this substep only. Called for every substep.
        /// </summary>
        void Solve(SolverContact[] contacts, int count, double seconds);
    }

    /// <summary>
    /// Sequential impulses, as in Box2D-Lite: contacts one after the other, several times; impulses add up and stay positive, and start
    /// where they ended in the last step. Overlap is taken out by velocities that last one step, so that it gives no energy. A reference:
    /// small, deterministic, on one thread.
    /// </summary>
    public sealed class SequentialImpulses : IContactSolver
    {
        public int Iterations = 12;
        /// <summary>Metres of overlap that stay, so that contacts do not come and go.</summary>
        public double Slop = 0.0001;
        /// <summary>Share of the rest that is taken out in a step.</summary>
        public double PushShare = 0.2;
        /// <summary>Metres per second: never faster than this.</summary>
        public double MaxPush = 1;
        /// <summary>Metres per second: what meets slower does not bounce.</summary>
        public double BounceAbove = 0.5;

        /// <summary>What is the same in all iterations.</summary>
        struct Row
        {
            public Double3 ArmA, ArmB, Tangent1, Tangent2;
            public double MassNormal, Mass1, Mass2, Target, Bounce, Push, PushImpulse, Impulse1, Impulse2;
        }

        Row[] rows = new Row[64];

        public void Solve(SolverContact[] contacts, int count, double seconds)
        {
            if (rows.Length < count) rows = new Row[Math.Max(count, 2 * rows.Length)];
            for (int k = 0; k < count; k++) Begin(ref contacts[k], ref rows[k], seconds);
            for (int i = 0; i < Iterations; i++)
                for (int k = 0; k < count; k++) Iterate(ref contacts[k], ref rows[k]);
            // After all, since what comes fast has a gap first, which only slows it down.
            for (int i = 0; i < Iterations; i++)
                for (int k = 0; k < count; k++)
                    if (rows[k].Bounce > 0 && contacts[k].NormalImpulse > 0) Reach(ref contacts[k], ref rows[k], rows[k].Bounce);
            for (int k = 0; k < count; k++)
                contacts[k].FrictionImpulse = rows[k].Impulse1 * rows[k].Tangent1 + rows[k].Impulse2 * rows[k].Tangent2;
        }

        void Begin(ref SolverContact c, ref Row row, double seconds)
        {
            row.ArmA = c.Point - c.A.Centre;
            row.ArmB = c.B == null ? new Double3() : c.Point - c.B.Centre;
            // The axis of which the normal has least is never parallel to it.
            Double3 n = c.Normal, axis = Math.Abs(n.X) < 0.6 ? new Double3(1, 0, 0) : new Double3(0, 1, 0);
            Double3 across = Double3.Cross(n, axis);
            row.Tangent1 = (1 / across.Length) * across;
            row.Tangent2 = Double3.Cross(n, row.Tangent1);
            row.MassNormal = EffectiveMass(ref c, ref row, n);
            row.Mass1 = EffectiveMass(ref c, ref row, row.Tangent1);
            row.Mass2 = EffectiveMass(ref c, ref row, row.Tangent2);

            double closing = -Double3.Dot(Relative(ref c), n);
            row.Bounce = closing > BounceAbove ? c.Restitution * closing : 0;
            row.Target = Math.Min(0, c.Depth / seconds); // a gap may close, but no further
            // Contacts that are not too deep hold too, or a push at one corner would press the others in.
            double deeper = (c.Depth - Slop) / seconds;
            row.Push = deeper > 0 ? Math.Min(MaxPush, PushShare * deeper) : deeper;
            row.PushImpulse = 0;

            row.Impulse1 = Double3.Dot(c.FrictionImpulse, row.Tangent1);
            row.Impulse2 = Double3.Dot(c.FrictionImpulse, row.Tangent2);
            Apply(ref c, ref row, c.NormalImpulse * n + row.Impulse1 * row.Tangent1 + row.Impulse2 * row.Tangent2);
        }

        static void Iterate(ref SolverContact c, ref Row row)
        {
            double bound = c.Friction * c.NormalImpulse;
            Double3 v = Relative(ref c);
            double before1 = row.Impulse1, before2 = row.Impulse2;
            row.Impulse1 -= row.Mass1 * Double3.Dot(v, row.Tangent1);
            row.Impulse2 -= row.Mass2 * Double3.Dot(v, row.Tangent2);
            double size = Math.Sqrt(row.Impulse1 * row.Impulse1 + row.Impulse2 * row.Impulse2);
            if (size > bound)
            {
                row.Impulse1 *= bound / size;
                row.Impulse2 *= bound / size;
            }
            Apply(ref c, ref row, (row.Impulse1 - before1) * row.Tangent1 + (row.Impulse2 - before2) * row.Tangent2);

            Reach(ref c, ref row, row.Target);

            Double3 push = c.A.PushLinear + Double3.Cross(c.A.PushAngular, row.ArmA);
            if (c.B != null) push -= c.B.PushLinear + Double3.Cross(c.B.PushAngular, row.ArmB);
            double pushed = row.PushImpulse;
            row.PushImpulse = Math.Max(0, pushed + row.MassNormal * (row.Push - Double3.Dot(push, c.Normal)));
            Double3 impulse = (row.PushImpulse - pushed) * c.Normal;
            c.A.PushLinear += c.A.InverseMass * impulse;
            c.A.PushAngular += c.A.Turned(Double3.Cross(row.ArmA, impulse));
            if (c.B == null) return;
            c.B.PushLinear -= c.B.InverseMass * impulse;
            c.B.PushAngular -= c.B.Turned(Double3.Cross(row.ArmB, impulse));
        }

        /// <summary>Gives the bodies a velocity along the normal, or as much of it as needs no pulling.</summary>
        static void Reach(ref SolverContact c, ref Row row, double velocity)
        {
            double before = c.NormalImpulse;
            c.NormalImpulse = Math.Max(0, before + row.MassNormal * (velocity - Double3.Dot(Relative(ref c), c.Normal)));
            Apply(ref c, ref row, (c.NormalImpulse - before) * c.Normal);
        }

        static Double3 Relative(ref SolverContact c)
        {
            Double3 v = c.A.VelocityAt(c.Point);
            return c.B == null ? v : v - c.B.VelocityAt(c.Point);
        }

        static void Apply(ref SolverContact c, ref Row row, Double3 impulse)
        {
            c.A.LinearVelocity += c.A.InverseMass * impulse;
            c.A.AngularVelocity += c.A.Turned(Double3.Cross(row.ArmA, impulse));
            if (c.B == null) return;
            c.B.LinearVelocity -= c.B.InverseMass * impulse;
            c.B.AngularVelocity -= c.B.Turned(Double3.Cross(row.ArmB, impulse));
        }

        static double EffectiveMass(ref SolverContact c, ref Row row, Double3 way)
        {
            Double3 a = Double3.Cross(row.ArmA, way);
            double inverse = c.A.InverseMass + Double3.Dot(a, c.A.Turned(a));
            if (c.B != null)
            {
                Double3 b = Double3.Cross(row.ArmB, way);
                inverse += c.B.InverseMass + Double3.Dot(b, c.B.Turned(b));
            }
            return 1 / inverse;
        }
    }
}
