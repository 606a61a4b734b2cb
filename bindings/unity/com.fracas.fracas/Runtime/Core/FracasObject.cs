using System;
using System.Collections.Generic;
using Fracas.Native;

namespace Fracas
{
    /// <summary>
    /// A rigid body, intact or a fragment (the library's word is object; UnityEngine.Object has that name). It never changes: breaking it
    /// makes new objects, and it stays as it was until you dispose of it. Any number of threads may use it.
    /// </summary>
    public sealed unsafe class FracasObject : NativeHandle
    {
        FracasObject() { }

        public fc_object Native { get { return new fc_object { id = Id }; } }

        static FracasObject Owned(fc_object made)
        {
            FracasObject owner = new FracasObject();
            owner.Own(made.id);
            return owner;
        }

        static FracasObject[] Owned(fc_object[] made, uint count)
        {
            FracasObject[] owners = new FracasObject[count];
            for (int k = 0; k < owners.Length; k++) owners[k] = Owned(made[k]);
            return owners;
        }

        /// <summary>An object of an asset. A hundred of them share it and cost next to nothing.</summary>
        /// <param name="body">Which of the asset's connected bodies.</param>
        public static FracasObject Create(Asset asset, double scale = 1, int body = 0, ulong userData = 0)
        {
            if (asset == null) throw new ArgumentNullException("asset");
            fc_object made;
            fc_object_desc desc;
            Api.fc_object_desc_default(&desc);
            desc.scale = scale;
            desc.body = checked((uint)body);
            desc.user_data = userData;
            FracasException.Check(Api.fc_object_create(asset.Native, &desc, &made));
            GC.KeepAlive(asset);
            return Owned(made);
        }

        public fc_object_info Info
        {
            get
            {
                fc_object_info info;
                Api.fc_object_info_default(&info);
                FracasException.Check(Api.fc_object_get_info(Native, &info));
                GC.KeepAlive(this);
                return info;
            }
        }

        /// <summary>Bytes of memory, own and shared.</summary>
        public fc_object_memory Memory
        {
            get
            {
                fc_object_memory memory;
                Api.fc_object_memory_default(&memory);
                FracasException.Check(Api.fc_object_get_memory(Native, &memory));
                GC.KeepAlive(this);
                return memory;
            }
        }

        /// <summary>A number of yours; fragments inherit it. The only thing of an object that changes.</summary>
        public ulong UserData
        {
            get
            {
                ulong value;
                FracasException.Check(Api.fc_object_get_user_data(Native, &value));
                GC.KeepAlive(this);
                return value;
            }
            set
            {
                FracasException.Check(Api.fc_object_set_user_data(Native, value));
                GC.KeepAlive(this);
            }
        }

        public MassProperties Mass
        {
            get
            {
                MassProperties mass;
                FracasException.Check(Api.fc_object_mass(Native, (fc_mass*)&mass));
                GC.KeepAlive(this);
                return mass;
            }
        }

        /// <summary>Of the whole state; equal hashes behave identically, bit for bit.</summary>
        public ulong StateHash
        {
            get
            {
                ulong hash;
                FracasException.Check(Api.fc_object_state_hash(Native, &hash));
                GC.KeepAlive(this);
                return hash;
            }
        }

        /// <summary>In the object's frame.</summary>
        public Aabb Bounds() { return BoundsAt(null); }

        /// <summary>In the world.</summary>
        public Aabb Bounds(BodyPose pose) { return BoundsAt(&pose); }

        Aabb BoundsAt(BodyPose* pose)
        {
            Aabb bounds;
            FracasException.Check(Api.fc_object_bounds(Native, (fc_pose*)pose, (fc_aabb*)&bounds));
            GC.KeepAlive(this);
            return bounds;
        }

        /// <summary>Builds what the first query would build; for the job that broke the body.</summary>
        public void Prepare()
        {
            FracasException.Check(Api.fc_object_prepare(Native));
            GC.KeepAlive(this);
        }

        /// <summary>
        /// Breaks the object; it stays as it was. The fragments together are exactly it, and keep its frame: give them its pose. No
        /// fragments if the pattern cut nothing.
        /// </summary>
        public FracasObject[] Fracture(FractureSettings settings) { fc_fracture_info info; return Fracture(settings, out info); }

        public FracasObject[] Fracture(FractureSettings settings, out fc_fracture_info info)
        {
            if (settings == null) throw new ArgumentNullException("settings");
            fc_fracture_desc desc;
            settings.Fill(&desc);
            fc_object[] made;
            uint count = 0, bound = 0;
            fixed (fc_fracture_info* result = &info)
            fixed (float* values = settings.Values)
            fixed (int* labels = settings.Labels)
            {
                Api.fc_fracture_info_default(result);
                desc.values = values;
                uint each = settings.Pattern == Pattern.Planes ? 4u : 3u;
                desc.value_count = settings.Values == null ? 0 : (uint)settings.Values.Length / each;
                desc.labels = (uint*)labels;
                desc.label_count = settings.Labels == null ? 0 : (uint)settings.Labels.Length;
                FracasException.Check(Api.fc_fracture_bound(Native, &desc, &bound));
                made = new fc_object[Math.Min(bound, 1024)];
                int status = Broken(&desc, made, &count, result);
                if (status == Api.FC_ERROR_CAPACITY) // more than most bodies ever break into: once more, with room for all
                {
                    made = new fc_object[count];
                    status = Broken(&desc, made, &count, result);
                }
                FracasException.Check(status);
            }
            GC.KeepAlive(this);
            return Owned(made, count);
        }

        int Broken(fc_fracture_desc* desc, fc_object[] made, uint* count, fc_fracture_info* info)
        {
            fixed (fc_object* all = made) return Api.fc_fracture(Native, desc, all, (uint)made.Length, count, info);
        }

        /// <summary>Pairs of adjacent fragments of the fracture that made this one, as indices into its array.</summary>
        public Adjacency[] Neighbours()
        {
            uint count = 0;
            FracasException.Check(Api.fc_object_adjacency(Native, null, 0, &count));
            Adjacency[] pairs = new Adjacency[count];
            fixed (Adjacency* data = pairs) FracasException.Check(Api.fc_object_adjacency(Native, (fc_adjacency*)data, count, &count));
            GC.KeepAlive(this);
            return pairs;
        }

        /// <summary>The planes that cut the fragment out of its body; none for a union, a rough fragment and an intact object.</summary>
        public CutPlane[] Planes()
        {
            uint count = 0;
            FracasException.Check(Api.fc_object_get_planes(Native, null, 0, &count));
            CutPlane[] planes = new CutPlane[count];
            fixed (CutPlane* data = planes) FracasException.Check(Api.fc_object_get_planes(Native, (fc_plane*)data, count, &count));
            GC.KeepAlive(this);
            return planes;
        }

        /// <summary>The closed collision surface, in the object's frame.</summary>
        public Surface Surface()
        {
            uint vertices = 0, triangles = 0;
            FracasException.Check(Api.fc_object_surface(Native, null, 0, &vertices, null, 0, &triangles));
            Surface surface = new Surface { Positions = new Float3[vertices], Triangles = new SurfaceTriangle[triangles] };
            fixed (Float3* positions = surface.Positions)
            fixed (SurfaceTriangle* corners = surface.Triangles)
                FracasException.Check(Api.fc_object_surface(Native, (float*)positions, vertices, &vertices, (fc_triangle*)corners,
                    triangles, &triangles));
            GC.KeepAlive(this);
            return surface;
        }

        /// <summary>The render mesh, in the object's frame: the surface that was kept (KeepSurface) cut along the cracks, and these.</summary>
        public Drawing Drawing()
        {
            uint vertices = 0, triangles = 0;
            FracasException.Check(Api.fc_object_drawing(Native, null, 0, &vertices, null, 0, &triangles, null));
            Drawing drawing = new Drawing { Vertices = new DrawnVertex[vertices], Triangles = new DrawnTriangle[triangles] };
            fixed (DrawnVertex* data = drawing.Vertices)
            fixed (DrawnTriangle* corners = drawing.Triangles)
                FracasException.Check(Api.fc_object_drawing(Native, (fc_vertex*)data, vertices, &vertices, (fc_drawn_triangle*)corners,
                    triangles, &triangles, null));
            GC.KeepAlive(this);
            return drawing;
        }

        /// <summary>
        /// Convex polyhedra in place of the object, in its frame: colliders for physics that take no contacts from outside. Contacts of the
        /// library do not use them. One exact part for a fragment of a convex body.
        /// </summary>
        public ConvexParts ConvexParts(ConvexSettings settings = null)
        {
            fc_convex_desc desc;
            Api.fc_convex_desc_default(&desc);
            if (settings != null)
            {
                desc.max_parts = checked((uint)settings.MaxParts);
                desc.max_points = checked((uint)settings.MaxPoints);
                desc.excess = settings.Excess;
            }
            uint parts = 0, vertices = 0, triangles = 0;
            FracasException.Check(Api.fc_object_convex_parts(Native, &desc, null, 0, &parts, null, 0, &vertices, null, 0, &triangles));
            ConvexParts found = new ConvexParts
            {
                Parts = new ConvexPart[parts], Positions = new Float3[vertices], Triangles = new int[3 * triangles],
            };
            fixed (ConvexPart* each = found.Parts)
            fixed (Float3* positions = found.Positions)
            fixed (int* corners = found.Triangles)
                FracasException.Check(Api.fc_object_convex_parts(Native, &desc, (fc_convex_part*)each, parts, &parts, (float*)positions,
                    vertices, &vertices, (uint*)corners, triangles, &triangles));
            GC.KeepAlive(this);
            return found;
        }

        /// <summary>Signed distance from a point of the world to the surface, negative inside, and the direction out of the object.</summary>
        public double SignedDistance(BodyPose pose, Double3 point, out Float3 outward)
        {
            double distance;
            fixed (Float3* way = &outward)
                FracasException.Check(Api.fc_object_signed_distance(Native, (fc_pose*)&pose, (double*)&point, &distance, (float*)way));
            GC.KeepAlive(this);
            return distance;
        }

        /// <summary>The first hit of a ray with the surface, from either side; false if there is none.</summary>
        public bool RayCast(BodyPose pose, Double3 origin, Float3 direction, double maxDistance, out RayHit hit)
        {
            hit = default(RayHit);
            Status status;
            fixed (RayHit* found = &hit)
                status = FracasException.Check(Api.fc_object_ray_cast(Native, (fc_pose*)&pose, (double*)&origin, (float*)&direction,
                    maxDistance, (fc_ray_hit*)found));
            GC.KeepAlive(this);
            return status != Status.NoHit;
        }

        /// <summary>What a contact's feature is, for materials, sounds and decals. Ask B if bit 31 of it is set, else A.</summary>
        public FeaturePoint Feature(uint feature)
        {
            FeaturePoint point;
            FracasException.Check(Api.fc_object_feature(Native, feature, (fc_feature*)&point));
            GC.KeepAlive(this);
            return point;
        }

        /// <summary>Saves objects of one asset. Save the fragments of a body together: they are then siblings when loaded.</summary>
        public static byte[] Save(IList<FracasObject> objects)
        {
            if (objects == null) throw new ArgumentNullException("objects");
            fc_object[] handles = new fc_object[objects.Count];
            for (int k = 0; k < handles.Length; k++) handles[k] = objects[k].Native;
            ulong size = 0;
            byte[] bytes;
            fixed (fc_object* all = handles)
            {
                FracasException.Check(Api.fc_object_save(all, (uint)handles.Length, null, 0, &size));
                bytes = new byte[size];
                fixed (byte* data = bytes) FracasException.Check(Api.fc_object_save(all, (uint)handles.Length, data, size, &size));
            }
            GC.KeepAlive(objects);
            return bytes;
        }

        /// <summary>Loads what Save saved, as objects of an asset with the same mesh, in the same order.</summary>
        public static FracasObject[] Load(byte[] bytes, Asset asset)
        {
            if (bytes == null) throw new ArgumentNullException("bytes");
            if (asset == null) throw new ArgumentNullException("asset");
            uint count = 0;
            fc_object[] made;
            fixed (byte* data = bytes)
            {
                int status = Api.fc_object_load(data, (ulong)bytes.Length, asset.Native, null, 0, &count);
                if (status != Api.FC_ERROR_CAPACITY) FracasException.Check(status);
                made = new fc_object[count];
                fixed (fc_object* all = made)
                    FracasException.Check(Api.fc_object_load(data, (ulong)bytes.Length, asset.Native, all, count, &count));
            }
            GC.KeepAlive(asset);
            return Owned(made, count);
        }

        protected override void Destroy(ulong id) { Api.fc_object_destroy(new fc_object { id = id }); }
    }
}
