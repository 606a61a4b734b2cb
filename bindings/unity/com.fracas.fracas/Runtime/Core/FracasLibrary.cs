// The library as a whole: version, hooks, shutdown, and what happens to it when the scripts of the Editor are loaded anew.
using System;
using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using AOT;
using Fracas.Native;

#if !UNITY_2021_3_OR_NEWER
namespace AOT
{
    /// <summary>Unity's ahead-of-time compiler makes a native entry for methods that have this. Unity brings its own.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type) { }
    }
}
#endif

namespace Fracas
{
    public enum LogLevel : uint { Error = Api.FC_LOG_ERROR, Warning = Api.FC_LOG_WARNING, Info = Api.FC_LOG_INFO }

    /// <summary>
    /// Calls `run(begin, end)` for ranges of about `grain` that together are [0, count), on any threads, and returns when all are done.
    /// </summary>
    public delegate void ParallelFor(int count, int grain, Action<int, int> run);

    /// <summary>The library as a whole. Call these at startup; all are safe to call again.</summary>
    public static unsafe class FracasLibrary
    {
        static Action<LogLevel, string> log;
        static ParallelFor parallelFor;
        static volatile bool ready;

        /// <summary>Version of the loaded library, "0.1.0".</summary>
        public static string Version { get { return FracasException.Text(Api.fc_version_text()); } }

        /// <summary>Number of live handles of all kinds: 0 when everything is disposed.</summary>
        public static int LiveHandles { get { return (int)Api.fc_live_handles(); } }

        /// <summary>
        /// Receives warnings, and reports of bugs in the library; null: nobody does. Called by any thread. What it throws is ignored.
        /// </summary>
        public static void SetLog(Action<LogLevel, string> receiver)
        {
            Ready();
            log = receiver;
            FracasException.Check(Api.fc_set_log(receiver == null ? IntPtr.Zero : Callbacks.Log, null));
        }

        /// <summary>Runs parallel work on threads of the library. 0 or 1: on the calling thread, the default.</summary>
        public static void SetThreads(int count)
        {
            Ready();
            FracasException.Check(Api.fc_set_threads(checked((uint)count)));
        }

        /// <summary>Runs parallel work on your job system; null: on the calling thread. Replaces SetThreads, and vice versa.</summary>
        public static void SetParallelFor(ParallelFor system)
        {
            Ready();
            // In this order no thread finds a hook without its delegate.
            if (system != null) parallelFor = system;
            FracasException.Check(Api.fc_set_task_system(system == null ? IntPtr.Zero : Callbacks.ParallelFor, null));
        }

        /// <summary>
        /// Destroys everything, ends the threads of the library and removes all hooks; returns how many handles were alive. The library
        /// may be used again. Old objects stay invalid: using them throws, disposing of them does nothing.
        /// </summary>
        public static int Shutdown()
        {
            uint leaked = 0;
            try { FracasException.Check(Api.fc_shutdown(&leaked)); }
            catch (DllNotFoundException) { return 0; } // nothing was made without it
            log = null;
            parallelFor = null;
            return (int)leaked;
        }

        /// <summary>What everything that creates a handle calls first.</summary>
        internal static void Ready()
        {
            if (ready) return;
            bool compatible;
            try { compatible = Api.fc_abi_compatible(Api.FC_ABI_VERSION) != 0; }
            catch (DllNotFoundException e)
            {
                throw new FracasException(Status.Unsupported, "the native library \"" + Api.Library + "\" is not there for this platform; " +
                    "make the package with it by bindings/unity/pack, or put it into a Plugins folder", e);
            }
            if (!compatible)
                throw new FracasException(Status.Unsupported, "the native library has ABI version " + Api.fc_abi_version() +
                    ", the package is for " + Api.FC_ABI_VERSION + "; fill Plugins from a build of the package's version");
            ready = true;
            // The Editor unloads the domain whenever scripts are compiled, but the native library stays. Its hooks would call into code
            // that is gone, and nobody could destroy the handles.
            AppDomain.CurrentDomain.DomainUnload += delegate { Shutdown(); };
        }

        internal static void OnLog(LogLevel level, string message)
        {
            Action<LogLevel, string> receiver = log;
            if (receiver != null) receiver(level, message);
        }

        internal static void OnParallelFor(int count, int grain, Action<int, int> run)
        {
            ParallelFor system = parallelFor;
            if (system != null) system(count, grain, run);
            else run(0, count);
        }
    }

    /// <summary>
    /// What the library calls. Static methods only, since ahead-of-time compilers have no closures for native code; delegates are kept
    /// alive here; no exception goes through native frames.
    /// </summary>
    static unsafe class Callbacks
    {
        [ThreadStatic] static Exception thrown;

        static readonly fc_log_fn log = OnLog;
        static readonly fc_parallel_for_fn parallelFor = OnParallelFor;
        static readonly fc_field_fn field = OnField;
        static readonly fc_progress_fn progress = OnProgress;

        internal static readonly IntPtr Log = Marshal.GetFunctionPointerForDelegate(log);
        internal static readonly IntPtr ParallelFor = Marshal.GetFunctionPointerForDelegate(parallelFor);
        internal static readonly IntPtr Field = Marshal.GetFunctionPointerForDelegate(field);
        internal static readonly IntPtr Progress = Marshal.GetFunctionPointerForDelegate(progress);

        // The library has only a handful of such functions, and making a delegate costs more than a small range.
        static readonly ConcurrentDictionary<IntPtr, fc_range_fn> ranges = new ConcurrentDictionary<IntPtr, fc_range_fn>();
        static readonly Func<IntPtr, fc_range_fn> toRange = Marshal.GetDelegateForFunctionPointer<fc_range_fn>;

        /// <summary>The exception that a callback threw during this thread's last call, if any; forgets it.</summary>
        internal static Exception TakeThrown()
        {
            Exception taken = thrown;
            thrown = null;
            return taken;
        }

        [MonoPInvokeCallback(typeof(fc_log_fn))]
        static void OnLog(uint level, byte* message, void* userData)
        {
            try { FracasLibrary.OnLog((LogLevel)level, FracasException.Text(message)); }
            catch (Exception) { } // a log that fails must not fail what it is about
        }

        [MonoPInvokeCallback(typeof(fc_parallel_for_fn))]
        static void OnParallelFor(uint count, uint grain, IntPtr run, void* task, void* userData)
        {
            try
            {
                fc_range_fn range = ranges.GetOrAdd(run, toRange);
                IntPtr work = (IntPtr)task;
                FracasLibrary.OnParallelFor((int)count, (int)grain, (begin, end) => range((uint)begin, (uint)end, (void*)work));
            }
            catch (Exception e) { thrown = e; } // the library notices ranges that were not run: FC_ERROR_TASKS
        }

        [MonoPInvokeCallback(typeof(fc_field_fn))]
        static double OnField(double* point, double* outward, void* userData)
        {
            try
            {
                FieldFunction function = (FieldFunction)GCHandle.FromIntPtr((IntPtr)userData).Target;
                Double3 way;
                double distance = function(*(Double3*)point, out way);
                *(Double3*)outward = way;
                return distance;
            }
            catch (Exception e)
            {
                thrown = e;
                *(Double3*)outward = new Double3(0, 1, 0);
                return 1e9; // far away: the query ends soon, and FracasException.Check throws
            }
        }

        [MonoPInvokeCallback(typeof(fc_progress_fn))]
        static void OnProgress(float done, void* userData)
        {
            try { ((Action<float>)GCHandle.FromIntPtr((IntPtr)userData).Target)(done); }
            catch (Exception) { } // it may be any thread, which has no call of its own to fail
        }
    }
}
