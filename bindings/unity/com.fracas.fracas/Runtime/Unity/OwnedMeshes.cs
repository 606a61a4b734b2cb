using System.Collections.Generic;
using UnityEngine;

namespace Fracas
{
    /// <summary>Destroys meshes that were made for a GameObject together with it: Unity keeps them otherwise.</summary>
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
