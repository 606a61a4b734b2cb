// The native library stays loaded when the Editor loads scripts anew, or enters play mode without doing so. Hooks and handles of
// before must go: see FracasLibrary.Shutdown.
using UnityEngine;

namespace Fracas
{
    static class FracasReload
    {
        /// <summary>Before anything of a scene runs: the library is as if just loaded, and writes to Unity's console.</summary>
        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.SubsystemRegistration)]
        static void Begin()
        {
            FracasLibrary.Shutdown();
            try { FracasLibrary.SetLog(Log); }
            catch (FracasException e)
            {
                Debug.LogWarning("Fracas: " + e.Message); // once; scenes without breaking bodies go on
                return;
            }
            Application.quitting -= End;
            Application.quitting += End;
        }

        static void End() { FracasLibrary.Shutdown(); }

        static void Log(LogLevel level, string message)
        {
            if (level == LogLevel.Error) Debug.LogError("Fracas: " + message);
            else if (level == LogLevel.Warning) Debug.LogWarning("Fracas: " + message);
            else Debug.Log("Fracas: " + message);
        }

#if UNITY_EDITOR
        /// <summary>AppDomain.DomainUnload does the same, where the Editor has domains.</summary>
        [UnityEditor.InitializeOnLoadMethod]
        static void Watch() { UnityEditor.AssemblyReloadEvents.beforeAssemblyReload += End; }
#endif
    }
}
