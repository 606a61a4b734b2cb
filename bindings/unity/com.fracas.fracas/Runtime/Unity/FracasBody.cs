using UnityEngine;

namespace Fracas
{
    /// <summary>
    /// A body that falls, collides and breaks. It is made of its MeshFilter's mesh, which must be closed, or of an asset that the command
    /// `fracas cook` wrote (rename the file to .bytes). Fragments are new GameObjects with a FracasBody each.
    ///
    /// It does not use Unity's physics: no Rigidbody, no Collider. See the documentation for the other ways.
    /// </summary>
    [AddComponentMenu("Fracas/Fracas Body")]
    [RequireComponent(typeof(MeshFilter), typeof(MeshRenderer))]
    public sealed class FracasBody : MonoBehaviour
    {
        [Tooltip("An asset cooked by the command, as .bytes. None: the mesh is cooked when the scene starts, which takes its time.")]
        public TextAsset cooked;
        [Tooltip("Kilograms per cubic metre, where the mesh is cooked.")]
        public float density = 1000;
        public float friction = 0.6f;
        [Range(0, 1)] public float restitution;
        [Tooltip("Drawn on cracks; its texture coordinates are in metres.")]
        public UnityEngine.Material crackMaterial;

        [Header("Breaking")]
        public bool breaks = true;
        [Tooltip("Impulse over cross-section that it bears, N s / m². About density x size x speed of what breaks it.")]
        public float strength = 500;
        [Tooltip("Pieces at a blow just above the strength.")]
        public float pieces = 6;
        public int mostPieces = 40;
        [Range(0, 0.05f)] public float roughness;
        [Tooltip("Bodies with less volume than this, in m³, do not break.")]
        public float smallest = 2e-5f;

        WorldBody body;
        [SerializeField, HideInInspector] bool isFragment;
        [SerializeField, HideInInspector] bool hasStarted;

        /// <summary>What moves in the simulation; null before Start. Set velocities there, in the library's frame (UnityFrame).</summary>
        public WorldBody Body { get { return body; } }

        public BreakRule Rule
        {
            get
            {
                return new BreakRule
                {
                    Strength = strength, Pieces = pieces, MostPieces = mostPieces, Roughness = roughness, Smallest = smallest,
                };
            }
        }

        void Start()
        {
            hasStarted = true;
            if (body == null) Join(); // else a fragment
        }

        /// <summary>Scripts may be compiled anew while the scene plays: the simulation is empty then.</summary>
        void OnEnable()
        {
            if (!hasStarted || body != null) return;
            if (!isFragment)
            {
                Join();
                return;
            }
            Debug.LogWarning("Fracas: the fragment \"" + name + "\" stays where it is, since scripts were compiled while the scene played");
            enabled = false;
        }

        void Join()
        {
            FracasSimulation simulation = FracasSimulation.Instance;
            Mesh mesh = GetComponent<MeshFilter>().sharedMesh;
            Vector3 size = transform.lossyScale;
            FracasObject obj;
            if (cooked != null)
            {
                Asset asset = simulation.Cooked("cooked " + cooked.GetInstanceID(), () => Asset.Load(cooked.bytes));
                obj = FracasObject.Create(asset, size.x);
            }
            else
            {
                AssetSettings settings = UnityMeshes.Settings(mesh, size);
                settings.Density = density;
                string key = "mesh " + mesh.GetInstanceID() + " " + size.ToString("R") + " " + density;
                obj = FracasObject.Create(simulation.Cooked(key, () => Asset.Create(settings)));
            }
            body = simulation.World.Add(obj, UnityFrame.FromUnity(transform.position, transform.rotation));
            body.Friction = friction;
            body.Restitution = restitution;
            body.Tag = this;
        }

        void OnDestroy()
        {
            if (body == null || !FracasSimulation.Exists) return;
            FracasWorld world = FracasSimulation.Instance.World;
            if (world.Contains(body)) world.Remove(body);
        }

        /// <summary>Breaks it now: this GameObject goes, and one for each fragment comes. False if the pattern cuts nothing.</summary>
        public bool Break(FractureSettings how, bool beforeBlow = true)
        {
            WorldBody[] parts = FracasSimulation.Instance.World.Break(body, how, beforeBlow);
            if (parts.Length == 0) return false;
            UnityEngine.Material[] materials = GetComponent<MeshRenderer>().sharedMaterials;
            int skins = isFragment ? materials.Length - 1 : materials.Length; // without that of cracks
            UnityEngine.Material[] all = new UnityEngine.Material[skins + 1];
            for (int k = 0; k < skins; k++) all[k] = materials[k];
            all[skins] = crackMaterial != null ? crackMaterial : materials[0];
            for (int k = 0; k < parts.Length; k++)
            {
                GameObject piece = new GameObject(name + " " + k);
                piece.layer = gameObject.layer;
                Mesh mesh = UnityMeshes.ToMesh(parts[k].Object, skins, cooked != null);
                piece.AddComponent<MeshFilter>().sharedMesh = OwnedMeshes.Keep(piece, mesh);
                piece.AddComponent<MeshRenderer>().sharedMaterials = all;
                FracasBody component = piece.AddComponent<FracasBody>();
                component.Adopt(this, parts[k]);
                UnityFrame.Place(piece.transform, parts[k].Pose);
            }
            Destroy(gameObject);
            return true;
        }

        void Adopt(FracasBody parent, WorldBody part)
        {
            cooked = parent.cooked;
            density = parent.density;
            friction = parent.friction;
            restitution = parent.restitution;
            crackMaterial = parent.crackMaterial;
            breaks = parent.breaks;
            strength = parent.strength;
            pieces = parent.pieces;
            mostPieces = parent.mostPieces;
            roughness = parent.roughness;
            smallest = parent.smallest;
            isFragment = true;
            body = part;
            body.Tag = this;
        }
    }
}
