using System;
using System.Runtime.InteropServices;

namespace Fracas
{
    /// <summary>
    /// Owns a handle of the library: destroys it when disposed of, or when the garbage collector finds that nobody needs it. Dispose of
    /// what you no longer need: the collector does not know how many megabytes are behind a handle.
    ///
    /// Any thread may use and dispose. A call that runs on an object while it is destroyed finishes safely; later ones throw.
    /// </summary>
    public abstract class NativeHandle : SafeHandle
    {
        // Not in SafeHandle's pointer: handles have 64 bits, also where pointers have 32.
        ulong id;

        protected NativeHandle() : base(IntPtr.Zero, true) { FracasLibrary.Ready(); }

        /// <summary>The library's handle, 0 before there is one.</summary>
        public ulong Id { get { return id; } }

        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }

        protected void Own(ulong id)
        {
            this.id = id;
            SetHandle(new IntPtr(1));
        }

        protected override bool ReleaseHandle()
        {
            Destroy(id); // after FracasLibrary.Shutdown the handle is stale, which is all right
            return true;
        }

        protected abstract void Destroy(ulong id);
    }
}
