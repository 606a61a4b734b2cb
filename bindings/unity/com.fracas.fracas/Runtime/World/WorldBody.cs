using System;

namespace Fracas
{
    /// <summary>What contacts gave a body in one step.</summary>
    public struct Blow
    {
        /// <summary>N s, and which way it pushed the body.</summary>
        public Double3 Impulse;
        /// <summary>Where, in the world: the mean of the contacts, by their impulses.</summary>
        public Double3 Point;
    }

    /// <summary>A body of a FracasWorld. All in the library's frame.</summary>
    public sealed class WorldBody
    {
        public readonly FracasObject Object;
        /// <summary>Of the object's frame, which fragments share with the body that they come from.</summary>
        public BodyPose Pose;
        /// <summary>Of the centre of mass, m/s.</summary>
        public Double3 LinearVelocity;
        /// <summary>rad/s.</summary>
        public Double3 AngularVelocity;
        public double Friction = 0.6;
        /// <summary>0: does not bounce, 1: bounces as fast as it came.</summary>
        public double Restitution;
        /// <summary>Yours.</summary>
        public object Tag;

        /// <summary>In the object's frame.</summary>
        public readonly MassProperties Mass;
        /// <summary>What hit it in the last step.</summary>
        public Blow Blow;

        // What solvers work with: valid during a step.

        /// <summary>Centre of mass in the world.</summary>
        public Double3 Centre;
        public double InverseMass;
        /// <summary>Velocities of this step alone, which push overlapping bodies apart and give them no energy.</summary>
        public Double3 PushLinear, PushAngular;

        internal readonly uint Number;
        internal int Index;
        internal Aabb Reach;
        internal Double3 LinearBefore, AngularBefore;
        internal double Radius, BlowWeight;
        readonly Inertia inverseInertia;

        internal WorldBody(FracasObject obj, BodyPose pose, uint number)
        {
            Object = obj;
            Pose = pose;
            Number = number;
            Mass = obj.Mass;
            InverseMass = 1 / Mass.Mass;
            inverseInertia = Mass.Inertia.Inverse;
            Aabb bounds = obj.Bounds();
            Radius = (bounds.Max - bounds.Min).Length / 2;
            Centre = pose * Mass.Centre;
        }

        /// <summary>The change of angular velocity by an angular impulse, in the world.</summary>
        public Double3 Turned(Double3 angularImpulse)
        {
            return Pose.Rotation * (inverseInertia * (Pose.Rotation.Inverse * angularImpulse));
        }

        /// <summary>Velocity of a point of the body, in the world.</summary>
        public Double3 VelocityAt(Double3 point) { return LinearVelocity + Double3.Cross(AngularVelocity, point - Centre); }

        public void ApplyImpulse(Double3 impulse, Double3 point)
        {
            LinearVelocity += InverseMass * impulse;
            AngularVelocity += Turned(Double3.Cross(point - Centre, impulse));
        }

        internal void Place() { Centre = Pose * Mass.Centre; }

        /// <summary>Moves it along, centre of mass on a line, by both kinds of velocity.</summary>
        internal void Move(double seconds)
        {
            Double3 turn = seconds * (AngularVelocity + PushAngular);
            double angle = turn.Length;
            Centre += seconds * (LinearVelocity + PushLinear);
            if (angle > 0) Pose.Rotation = Rotation.About(turn, angle) * Pose.Rotation;
            Pose.Position = Centre - Pose.Rotation * Mass.Centre;
            PushLinear = PushAngular = new Double3();
        }
    }

    /// <summary>Something that does not move by itself. Set its pose as you like between steps.</summary>
    public sealed class Obstacle
    {
        public readonly Shape Shape;
        public BodyPose Pose;
        public double Friction = 0.6;
        internal readonly uint Number;

        internal Obstacle(Shape shape, BodyPose pose, uint number)
        {
            Shape = shape;
            Pose = pose;
            Number = number;
        }
    }
}
