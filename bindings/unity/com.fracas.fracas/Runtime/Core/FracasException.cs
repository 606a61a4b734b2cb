using System;
using System.Text;
using Fracas.Native;

namespace Fracas
{
    /// <summary>Result of a call: 0 success, above 0 success with a remark, below 0 failure, which is thrown.</summary>
    public enum Status
    {
        Ok = Api.FC_OK,
        /// <summary>There are more results than fit the buffer; those written are valid.</summary>
        Incomplete = Api.FC_INCOMPLETE,
        /// <summary>The pattern cut nothing.</summary>
        Unchanged = Api.FC_UNCHANGED,
        NoHit = Api.FC_NO_HIT,
        SomeFailed = Api.FC_SOME_FAILED,
        LowMemory = Api.FC_LOW_MEMORY,
        /// <summary>The budget ended the query: these are its best contacts so far.</summary>
        Interrupted = Api.FC_INTERRUPTED,
        InvalidArgument = Api.FC_ERROR_INVALID_ARGUMENT,
        InvalidHandle = Api.FC_ERROR_INVALID_HANDLE,
        InvalidMesh = Api.FC_ERROR_INVALID_MESH,
        TooLarge = Api.FC_ERROR_TOO_LARGE,
        Capacity = Api.FC_ERROR_CAPACITY,
        OutOfMemory = Api.FC_ERROR_OUT_OF_MEMORY,
        Unsupported = Api.FC_ERROR_UNSUPPORTED,
        WrongTime = Api.FC_ERROR_WRONG_TIME,
        Tasks = Api.FC_ERROR_TASKS,
        Internal = Api.FC_ERROR_INTERNAL,
        InvalidData = Api.FC_ERROR_INVALID_DATA,
    }

    /// <summary>
    /// A call of the library failed, and changed nothing. The message is the library's sentence: what is wrong, where, and what to do.
    /// If a callback of yours threw an exception during the call, that is the inner exception.
    /// </summary>
    public sealed class FracasException : Exception
    {
        public Status Status { get; private set; }

        public FracasException(Status status, string message, Exception inner = null) : base(message, inner) { Status = status; }

        /// <summary>Returns the status of a call of Fracas.Native.Api; throws if it is an error. Call it on the thread of the call.</summary>
        public static unsafe Status Check(int status)
        {
            Exception thrown = Callbacks.TakeThrown();
            if (status < 0) throw new FracasException((Status)status, Text(Api.fc_last_error()), thrown);
            if (thrown != null) throw new FracasException(Status.Internal, "a callback threw an exception: " + thrown.Message, thrown);
            return (Status)status;
        }

        internal static unsafe string Text(byte* utf8)
        {
            int length = 0;
            while (utf8[length] != 0) length++;
            return Encoding.UTF8.GetString(utf8, length);
        }
    }
}
