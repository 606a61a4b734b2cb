using System.Collections.Generic;
using UnityEngine;

namespace Fracas
{
    /// <summary>
    /// Moves all FracasBody and FracasObstacle of its scene in FixedUpdate, with a FracasWorld. It makes itself when the first of them
    /// needs it; add one to the scene to change its settings.
    /// </summary>
    [DefaultExecutionOrder(-100)]
    [AddComponentMenu("Fracas/Fracas Simulation")]
    public sealed class FracasSimulation : MonoBehaviour
    {
        [Tooltip("How often each fixed step is solved and moved.")]
        public int substeps = 6;
        [Tooltip("Threads for queries and fractures. 1: the main thread only.")]
        public int threads = 1;
        [Tooltip("Bodies that break in one step at most; the others break in the next ones, if they are hit again.")]
        public int mostBreaks = 4;

        readonly FracasWorld world = new FracasWorld();
        readonly Dictionary<string, Asset> cooked = new Dictionary<string, Asset>();
        readonly List<FracasBody> struck = new List<FracasBody>();
        ulong seed;
        static FracasSimulation instance;

        public FracasWorld World { get { return world; } }

        public static FracasSimulation Instance
        {
            get
            {
                if (instance == null) instance = Object.FindObjectOfType<FracasSimulation>();
                if (instance == null) instance = new GameObject("Fracas Simulation").AddComponent<FracasSimulation>();
                return instance;
            }
        }

        /// <summary>Bodies may go when the scene does, after this: then there is nothing to remove.</summary>
        public static bool Exists { get { return instance != null; } }

        void Awake()
        {
            instance = this;
            FracasLibrary.SetThreads(threads);
        }

        void OnDestroy()
        {
            world.Dispose();
            foreach (Asset asset in cooked.Values) asset.Dispose();
            if (instance == this) instance = null;
        }

        /// <summary>An asset that bodies of the same mesh share.</summary>
        internal Asset Cooked(string key, System.Func<Asset> cook)
        {
            Asset asset;
            if (!cooked.TryGetValue(key, out asset)) cooked.Add(key, asset = cook());
            return asset;
        }

        void FixedUpdate()
        {
            Vector3 gravity = Physics.gravity;
            world.Gravity = UnityFrame.FromUnity(gravity);
            world.Substeps = substeps;
            world.Step(Time.fixedDeltaTime);
            struck.Clear();
            foreach (WorldBody body in world.Bodies)
            {
                FracasBody component = body.Tag as FracasBody;
                if (component == null) continue; // added to the world by other code
                UnityFrame.Place(component.transform, body.Pose);
                if (component.breaks && body.Blow.Impulse.Length > 0) struck.Add(component);
            }
            int broken = 0;
            foreach (FracasBody component in struck)
            {
                if (broken == mostBreaks) break;
                FractureSettings how = component.Rule.BrokenBy(component.Body, ++seed);
                if (how != null && component.Break(how)) broken++;
            }
        }
    }
}
