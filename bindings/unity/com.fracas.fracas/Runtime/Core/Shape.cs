using System;
using System.Runtime.InteropServices;
using Fracas.Native;

namespace Fracas
{
    /// <summary>A convex hull to query against, from the planes of its faces.</summary>
    public sealed unsafe class Hull : NativeHandle
    {
        Hull() { }

        public fc_hull Native { get { return new fc_hull { id = Id }; } }

        /// <param name="planes">Four floats per plane: outward normal, and offset along it.</param>
        public static Hull Create(float[] planes)
        {
            if (planes == null) throw new ArgumentNullException("planes");
            Hull hull = new Hull();
            fc_hull made;
            fixed (float* data = planes) FracasException.Check(Api.fc_hull_create(data, (uint)planes.Length / 4, 0, &made));
            hull.Own(made.id);
            return hull;
        }

        protected override void Destroy(ulong id) { Api.fc_hull_destroy(new fc_hull { id = id }); }
    }

    /// <summary>
    /// Signed distance from a point of the shape's frame to its surface, negative inside, and the direction out of it there. It must not
    /// change faster than the point moves. Called some hundred times per query, by the querying thread.
    /// </summary>
    public delegate double FieldFunction(Double3 point, out Double3 outward);

    /// <summary>A simple shape that objects are queried against. Immutable; share it as you like.</summary>
    public sealed unsafe class Shape
    {
        fc_shape native;
        readonly Hull hull;
        readonly FieldFunction field;
        readonly Float3[] points;

        Shape(uint kind, Hull hull = null, FieldFunction field = null, Float3[] points = null)
        {
            FracasLibrary.Ready();
            fc_shape shape;
            Api.fc_shape_default(&shape);
            shape.kind = kind;
            native = shape;
            this.hull = hull;
            this.field = field;
            this.points = points;
        }

        /// <summary>All points with normal . x &lt;= offset.</summary>
        public static Shape HalfSpace(Float3 normal, float offset)
        {
            Shape shape = new Shape(Api.FC_SHAPE_HALF_SPACE);
            fixed (fc_shape* native = &shape.native) *(Float3*)native->normal = normal;
            shape.native.offset = offset;
            return shape;
        }

        public static Shape Ball(float radius)
        {
            Shape shape = new Shape(Api.FC_SHAPE_BALL);
            shape.native.radius = radius;
            return shape;
        }

        public static Shape Box(Float3 halfExtents)
        {
            Shape shape = new Shape(Api.FC_SHAPE_BOX);
            fixed (fc_shape* native = &shape.native) *(Float3*)native->half_extents = halfExtents;
            return shape;
        }

        /// <summary>All points within `radius` of a segment.</summary>
        public static Shape Capsule(Float3 end, Float3 otherEnd, float radius)
        {
            Shape shape = new Shape(Api.FC_SHAPE_CAPSULE);
            fixed (fc_shape* native = &shape.native)
            {
                Float3* ends = (Float3*)native->ends;
                ends[0] = end;
                ends[1] = otherEnd;
            }
            shape.native.radius = radius;
            return shape;
        }

        /// <summary>A hull, which must not be disposed of as long as the shape is used.</summary>
        public static Shape ConvexHull(Hull hull)
        {
            if (hull == null) throw new ArgumentNullException("hull");
            Shape shape = new Shape(Api.FC_SHAPE_HULL, hull);
            shape.native.hull = hull.Native;
            return shape;
        }

        /// <summary>Your own signed distance, such as terrain. `points`: where its surface protrudes; may be null.</summary>
        public static Shape Field(FieldFunction field, Float3[] points = null)
        {
            if (field == null) throw new ArgumentNullException("field");
            return new Shape(Api.FC_SHAPE_FIELD, null, field, points);
        }

        /// <summary>
        /// The shape for calls of Fracas.Native.Api, in Burst jobs too. Not of a field, which is a managed function; the hull of a hull
        /// must be kept alive by you.
        /// </summary>
        public fc_shape Native
        {
            get
            {
                if (field != null)
                    throw new InvalidOperationException("a shape given by a field function has no plain data; query it through Queries");
                return native;
            }
        }

        /// <summary>The shape for one call, with what it refers to held in place until it is disposed of.</summary>
        internal Pinned Pin() { return new Pinned(native, hull, field, points); }
    }

    /// <summary>A struct, so that a query of a simple shape allocates nothing.</summary>
    unsafe struct Pinned : IDisposable
    {
        public fc_shape Native;
        readonly Hull hull;
        GCHandle function, data;

        internal Pinned(fc_shape shape, Hull hull, FieldFunction field, Float3[] points)
        {
            Native = shape;
            this.hull = hull;
            function = data = default(GCHandle);
            if (field == null) return;
            function = GCHandle.Alloc(field);
            Native.field = Callbacks.Field;
            Native.user_data = (void*)GCHandle.ToIntPtr(function);
            if (points == null) return;
            data = GCHandle.Alloc(points, GCHandleType.Pinned);
            Native.points = (float*)data.AddrOfPinnedObject();
            Native.point_count = (uint)points.Length;
        }

        public void Dispose()
        {
            if (function.IsAllocated) function.Free();
            if (data.IsAllocated) data.Free();
            GC.KeepAlive(hull);
        }
    }
}
