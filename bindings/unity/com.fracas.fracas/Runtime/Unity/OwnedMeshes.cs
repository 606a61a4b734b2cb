using System.Collections.Generic;
using UnityEngine;

namespace Fracas
{
    /// <summary>Destroys meshes made for a GameObject together with it. Unity does not: a mesh lives until unused assets are unloaded.</summary>
    [AddComponentMenu("")]
    public sealed class OwnedMeshes : MonoBehaviour
    {
        [SerializeField, HideInInspector] List<Mesh> meshes = new List<Mesh>();

        /// <summary>The GameObject owns this mesh from now on.</summary>
        public static Mesh Keep(GameObject target, Mesh mesh)
        {
            OwnedMeshes owned;
            if (!target.TryGetComponent(out owned)) owned = target.AddComponent<OwnedMeshes>();
            owned.meshes.Add(mesh);
            return mesh;
        }

        void OnDestroy()
        {
            foreach (Mesh mesh in meshes) Destroy(mesh);
        }
    }
}
