using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using Fracas.Native;

namespace Fracas
{
    /// <summary>
    /// What an asset is cooked from: tetrahedra, or a closed surface, which is filled with them. The library's frame: right-handed, metres,
    /// triangles counter-clockwise seen from outside. UnityMeshes makes one of a UnityEngine.Mesh.
    /// </summary>
    public sealed class AssetSettings
    {
        public Float3[] Positions;
        /// <summary>Four node indices per tetrahedron, or null.</summary>
        public int[] Tets;
        /// <summary>Instead of tetrahedra: three indices per triangle of a closed surface, or null.</summary>
        public int[] Triangles;
        /// <summary>For KeepSurface: two per vertex, or null.</summary>
        public float[] Uvs;
        /// <summary>For KeepSurface: one per vertex, or null.</summary>
        public Float3[] Normals;
        /// <summary>For KeepSurface: one per triangle, or null.</summary>
        public int[] Materials;
        /// <summary>Kilograms per cubic metre.</summary>
        public float Density = 1000;
        /// <summary>Objects are drawn with the surface that is given here, cut along the cracks.</summary>
        public bool KeepSurface;
        /// <summary>The surface is met exactly: a triangle becomes one tetrahedron or a few. For a few thousand triangles.</summary>
        public bool MeetSurface;
        /// <summary>Filling: edge length at the surface, in metres. 0: chosen to give about FillTets tetrahedra.</summary>
        public float FillEdge;
        /// <summary>Filling: about this many tetrahedra. 0: 5,000.</summary>
        public int FillTets;
        /// <summary>Cells of the distance grid along the longest side. 0: 64.</summary>
        public int GridCells;
        /// <summary>Progress from 0 to 1, called by any thread that cooks; may be null. What it throws is ignored.</summary>
        public Action<float> Progress;
    }

    /// <summary>
    /// A cooked solid, shared by all objects made of it. Objects keep what they need of it: it may be disposed of before them. Cook when
    /// loading, not during play, or load what was cooked before.
    /// </summary>
    public sealed unsafe class Asset : NativeHandle
    {
        Asset() { }

        public fc_asset Native { get { return new fc_asset { id = Id }; } }

        public static Asset Create(AssetSettings settings)
        {
            if (settings == null) throw new ArgumentNullException("settings");
            int nodes = settings.Positions == null ? 0 : settings.Positions.Length;
            int triangles = settings.Triangles == null ? 0 : settings.Triangles.Length / 3;
            Expect("Uvs", settings.Uvs, 2 * nodes);
            Expect("Normals", settings.Normals, nodes);
            Expect("Materials", settings.Materials, triangles);

            Asset asset = new Asset();
            fc_asset made;
            fc_asset_desc desc;
            Api.fc_asset_desc_default(&desc);
            GCHandle progress = default(GCHandle);
            fixed (Float3* positions = settings.Positions, normals = settings.Normals)
            fixed (int* tets = settings.Tets, corners = settings.Triangles, materials = settings.Materials)
            fixed (float* uvs = settings.Uvs)
            {
                desc.positions = (float*)positions;
                desc.node_count = (uint)nodes;
                desc.tets = (uint*)tets;
                desc.tet_count = settings.Tets == null ? 0 : (uint)settings.Tets.Length / 4;
                desc.triangles = (uint*)corners;
                desc.triangle_count = (uint)triangles;
                desc.uvs = uvs;
                desc.normals = (float*)normals;
                desc.materials = (uint*)materials;
                desc.density = settings.Density;
                desc.flags = (settings.KeepSurface ? Api.FC_ASSET_KEEP_SURFACE : 0) | (settings.MeetSurface ? Api.FC_ASSET_MEET_SURFACE : 0);
                desc.fill_edge = settings.FillEdge;
                desc.fill_tets = checked((uint)settings.FillTets);
                if (settings.GridCells != 0) desc.grid_cells = checked((uint)settings.GridCells);
                try
                {
                    if (settings.Progress != null)
                    {
                        progress = GCHandle.Alloc(settings.Progress);
                        desc.progress = Callbacks.Progress;
                        desc.user_data = (void*)GCHandle.ToIntPtr(progress);
                    }
                    FracasException.Check(Api.fc_asset_create(&desc, &made));
                }
                finally { if (progress.IsAllocated) progress.Free(); }
            }
            asset.Own(made.id);
            return asset;
        }

        /// <summary>Loads what Save saved, or what the command `fracas cook` wrote. Safe for files that nobody trusts.</summary>
        public static Asset Load(byte[] bytes)
        {
            if (bytes == null) throw new ArgumentNullException("bytes");
            Asset asset = new Asset();
            fc_asset made;
            fixed (byte* data = bytes) FracasException.Check(Api.fc_asset_load(data, (ulong)bytes.Length, &made));
            asset.Own(made.id);
            return asset;
        }

        public byte[] Save()
        {
            ulong size = 0;
            FracasException.Check(Api.fc_asset_save(Native, null, 0, &size));
            byte[] bytes = new byte[size];
            fixed (byte* data = bytes) FracasException.Check(Api.fc_asset_save(Native, data, size, &size));
            GC.KeepAlive(this);
            return bytes;
        }

        public fc_asset_info Info
        {
            get
            {
                fc_asset_info info;
                Api.fc_asset_info_default(&info);
                FracasException.Check(Api.fc_asset_get_info(Native, &info));
                GC.KeepAlive(this);
                return info;
            }
        }

        /// <summary>The triangles of the boundary, which SurfaceTriangle.Source and RayHit.Source count.</summary>
        public SkinTriangle[] Skin()
        {
            uint count = 0;
            FracasException.Check(Api.fc_asset_skin(Native, null, 0, &count));
            SkinTriangle[] triangles = new SkinTriangle[count];
            fixed (SkinTriangle* data = triangles)
                FracasException.Check(Api.fc_asset_skin(Native, (fc_skin_triangle*)data, count, &count));
            GC.KeepAlive(this);
            return triangles;
        }

        protected override void Destroy(ulong id) { Api.fc_asset_release(new fc_asset { id = id }); }

        static void Expect(string name, Array array, int length)
        {
            if (array != null && array.Length != length)
                throw new ArgumentException(name + " has " + array.Length + " elements, and must have " + length);
        }
    }
}
