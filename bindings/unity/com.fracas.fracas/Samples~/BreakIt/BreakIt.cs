using UnityEngine;

namespace Fracas.Samples
{
    /// <summary>
    /// Put it on an empty GameObject and press Play: boxes fall on a floor, break where they are hit, and their pieces come to rest. The
    /// materials are those of Unity's own cube; give it one for the cracks.
    /// </summary>
    public sealed class BreakIt : MonoBehaviour
    {
        public int boxes = 5;
        public float height = 2;
        public UnityEngine.Material cracks;

        void Start()
        {
            GameObject floor = GameObject.CreatePrimitive(PrimitiveType.Cube);
            floor.name = "Floor";
            floor.transform.position = new Vector3(0, -0.5f, 0);
            floor.transform.localScale = new Vector3(20, 1, 20);
            floor.AddComponent<FracasObstacle>(); // the BoxCollider of the cube

            for (int k = 0; k < boxes; k++)
            {
                GameObject box = GameObject.CreatePrimitive(PrimitiveType.Cube);
                Destroy(box.GetComponent<BoxCollider>()); // Unity's physics has nothing to do with it
                box.name = "Box " + k;
                Vector3 place = new Vector3(0.7f * (k - boxes / 2), height + 0.5f * k, 0);
                box.transform.SetPositionAndRotation(place, Quaternion.Euler(20 * k, 30 * k, 10));
                box.transform.localScale = new Vector3(0.5f, 0.3f, 0.4f);
                FracasBody body = box.AddComponent<FracasBody>();
                body.density = 2000;
                body.strength = 1000;
                body.pieces = 8;
                body.crackMaterial = cracks;
            }
        }
    }
}
