// Hand-made declarations of the members of UnityEngine that the package uses, so that its Unity-only part can be compiled where there
// is no Unity. Written from Unity's scripting reference (2021.3). They do nothing, except that vectors, quaternions and meshes hold what is
// put into them, so that conversions can be run. No package contains them.
using System;
using UnityEngine.Rendering;

namespace UnityEngine
{
    public struct Vector2
    {
        public float x, y;
        public Vector2(float x, float y) { this.x = x; this.y = y; }
    }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public float this[int index] { get => throw null; set => throw null; }
        public Vector3 normalized => this * (1 / (float)Math.Sqrt(x * x + y * y + z * z));
        public static Vector3 Scale(Vector3 a, Vector3 b) => new Vector3(a.x * b.x, a.y * b.y, a.z * b.z);
        public static Vector3 operator -(Vector3 a) => throw null;
        public static Vector3 operator *(Vector3 a, float d) => new Vector3(a.x * d, a.y * d, a.z * d);
        public static Vector3 one => throw null;
        public static Vector3 up => throw null;
        public string ToString(string format) => throw null;
    }

    public struct Quaternion
    {
        public float x, y, z, w;
        public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
        public static Quaternion identity => throw null;
        public static Quaternion Euler(float x, float y, float z) => throw null;
    }

    public struct Color { public Color(float r, float g, float b) => throw null; }

    public static class Mathf
    {
        public static float Abs(float f) => throw null;
        public static float Max(float a, float b) => throw null;
    }

    public class Object
    {
        public string name { get => throw null; set => throw null; }
        public int GetInstanceID() => throw null;
        public static void Destroy(Object obj) => throw null;
        public static T FindObjectOfType<T>() where T : Object => throw null;
        public static bool operator ==(Object a, Object b) => throw null;
        public static bool operator !=(Object a, Object b) => throw null;
        public override bool Equals(object other) => throw null;
        public override int GetHashCode() => throw null;
    }

    public class Component : Object
    {
        public Transform transform => throw null;
        public GameObject gameObject => throw null;
        public T GetComponent<T>() => throw null;
    }

    public class Behaviour : Component { public bool enabled { get; set; } }
    public class MonoBehaviour : Behaviour { }

    public class Transform : Component
    {
        public Vector3 position { get => throw null; set => throw null; }
        public Quaternion rotation { get => throw null; set => throw null; }
        public Vector3 localScale { get => throw null; set => throw null; }
        public Vector3 lossyScale => throw null;
        public Vector3 TransformPoint(Vector3 position) => throw null;
        public void SetPositionAndRotation(Vector3 position, Quaternion rotation) => throw null;
    }

    public enum PrimitiveType { Sphere, Capsule, Cylinder, Cube, Plane, Quad }

    public sealed class GameObject : Object
    {
        public GameObject(string name) => throw null;
        public int layer { get => throw null; set => throw null; }
        public Transform transform => throw null;
        public T AddComponent<T>() where T : Component => throw null;
        public T GetComponent<T>() => throw null;
        public bool TryGetComponent<T>(out T component) => throw null;
        public static GameObject CreatePrimitive(PrimitiveType type) => throw null;
    }

    public class Material
        : Object { public Color color { get => throw null; set => throw null; } public Material(Material source) => throw null; }
    public class PhysicMaterial : Object { }
    public class TextAsset : Object { public byte[] bytes => throw null; }
    public class Renderer : Component
    {
        public Material[] sharedMaterials { get => throw null; set => throw null; }
        public Material sharedMaterial { get => throw null; set => throw null; }
    }
    public class MeshRenderer : Renderer { }
    public sealed class MeshFilter : Component { public Mesh sharedMesh { get => throw null; set => throw null; } }

    public sealed class Mesh : Object
    {
        readonly System.Collections.Generic.Dictionary<int, int[]> submeshes = new System.Collections.Generic.Dictionary<int, int[]>();
        public Array VertexData; // not Unity's: what SetVertexBufferData was given
        public bool isReadable => true;
        public Vector3[] vertices { get; set; } = new Vector3[0];
        public Vector3[] normals { get; set; } = new Vector3[0];
        public Vector2[] uv { get; set; } = new Vector2[0];
        public int[] triangles { get => throw null; set => throw null; }
        public int subMeshCount { get; set; }
        public IndexFormat indexFormat { get; set; }
        public int[] GetTriangles(int submesh) => submeshes[submesh];
        public void SetTriangles(int[] triangles, int submesh) { submeshes[submesh] = triangles; }
        public void SetVertexBufferParams(int vertexCount, params VertexAttributeDescriptor[] attributes) { }
        public void SetVertexBufferData<T>(T[] data, int dataStart, int meshBufferStart, int count, int stream = 0,
                                           MeshUpdateFlags flags = MeshUpdateFlags.Default) where T : struct { VertexData = data; }
        public void RecalculateBounds() { }
        public void RecalculateTangents() { }
    }

    public class Collider : Component { }
    public class BoxCollider : Collider { public Vector3 center => throw null; public Vector3 size => throw null; }
    public class SphereCollider : Collider { public Vector3 center => throw null; public float radius => throw null; }
    public class CapsuleCollider : Collider
    {
        public Vector3 center => throw null;
        public float radius => throw null;
        public float height => throw null;
        public int direction => throw null;
    }
    public class MeshCollider : Collider
    {
        public Mesh sharedMesh { get => throw null; set => throw null; }
        public bool convex { get => throw null; set => throw null; }
    }
    public class Rigidbody : Component
    {
        public float mass { get => throw null; set => throw null; }
        public Vector3 centerOfMass { get => throw null; set => throw null; }
        public Vector3 inertiaTensor { get => throw null; set => throw null; }
        public Quaternion inertiaTensorRotation { get => throw null; set => throw null; }
        public Vector3 angularVelocity { get => throw null; set => throw null; }
        public Vector3 worldCenterOfMass => throw null;
        public Vector3 GetPointVelocity(Vector3 worldPoint) => throw null;
        public void AddForce(Vector3 force, ForceMode mode) => throw null;
        public float maxDepenetrationVelocity { get => throw null; set => throw null; }
    }
    public enum ForceMode { Force, Impulse, VelocityChange = 2, Acceleration = 5 }

    public static class Physics { public static Vector3 gravity => throw null; }
    public static class Time { public static float fixedDeltaTime => throw null; }
    public static class Debug
    {
        public static void Log(object message) => throw null;
        public static void LogWarning(object message) => throw null;
        public static void LogError(object message) => throw null;
    }
    public static class Application { public static event Action quitting { add { } remove { } } }

    public enum RuntimeInitializeLoadType { AfterSceneLoad, BeforeSceneLoad, AfterAssembliesLoaded, BeforeSplashScreen,
        SubsystemRegistration }
    [AttributeUsage(AttributeTargets.Method)]
    public class RuntimeInitializeOnLoadMethodAttribute
        : Attribute { public RuntimeInitializeOnLoadMethodAttribute(RuntimeInitializeLoadType loadType) { } }
    [AttributeUsage(AttributeTargets.Class)]
    public class DefaultExecutionOrder : Attribute { public DefaultExecutionOrder(int order) { } }
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class AddComponentMenu : Attribute { public AddComponentMenu(string menuName) { } }
    [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
    public sealed class RequireComponent : Attribute { public RequireComponent(Type required, Type required2) { } }
    public class TooltipAttribute : Attribute { public TooltipAttribute(string tooltip) { } }
    public class HeaderAttribute : Attribute { public HeaderAttribute(string header) { } }
    public sealed class SerializeField : Attribute { }
    public sealed class HideInInspector : Attribute { }
    public sealed class RangeAttribute : Attribute { public RangeAttribute(float min, float max) { } }
}

namespace UnityEngine.Rendering
{
    public enum IndexFormat { UInt16, UInt32 }
    public enum VertexAttribute { Position, Normal, Tangent, Color, TexCoord0 }
    public enum VertexAttributeFormat { Float32, Float16 }
    [Flags] public enum MeshUpdateFlags { Default }
    public struct VertexAttributeDescriptor
    {
        public VertexAttributeDescriptor(VertexAttribute attribute = VertexAttribute.Position,
            VertexAttributeFormat format = VertexAttributeFormat.Float32,
                                         int dimension = 3, int stream = 0) { }
    }
}

namespace Unity.Collections
{
    public struct NativeArray<T> : IDisposable where T : struct
    {
        public NativeArray(int length, Allocator allocator, NativeArrayOptions options = NativeArrayOptions.ClearMemory) => throw null;
        public int Length => throw null;
        public bool IsCreated => throw null;
        public T this[int index] { get => throw null; set => throw null; }
        public void Dispose() => throw null;
    }
    public enum Allocator { Invalid, None, Temp, TempJob, Persistent }
    public enum NativeArrayOptions { UninitializedMemory, ClearMemory }
    [AttributeUsage(AttributeTargets.Field)] public sealed class NativeDisableParallelForRestrictionAttribute : Attribute { }
}

namespace Unity.Collections.LowLevel.Unsafe
{
    [AttributeUsage(AttributeTargets.Field)] public sealed class NativeDisableUnsafePtrRestrictionAttribute : Attribute { }
    public static unsafe class NativeArrayUnsafeUtility
    {
        public static void* GetUnsafePtr<T>(NativeArray<T> nativeArray) where T : struct => throw null;
        public static void* GetUnsafeReadOnlyPtr<T>(NativeArray<T> nativeArray) where T : struct => throw null;
    }
}

namespace Unity.Burst
{
    [AttributeUsage(AttributeTargets.Struct | AttributeTargets.Method)] public class BurstCompileAttribute : Attribute { }
}

namespace Unity.Jobs
{
    public interface IJobParallelFor { void Execute(int index); }
    public struct JobHandle { public void Complete() => throw null; }
    public static class IJobParallelForExtensions
    {
        public static JobHandle Schedule<T>(this T jobData, int arrayLength, int innerloopBatchCount,
            JobHandle dependsOn = default(JobHandle))
            where T : struct, IJobParallelFor => throw null;
    }
}

namespace AOT
{
    [AttributeUsage(AttributeTargets.Method)]
    public class MonoPInvokeCallbackAttribute : Attribute { public MonoPInvokeCallbackAttribute(Type type) { } }
}

#if UNITY_EDITOR
namespace UnityEditor
{
    [AttributeUsage(AttributeTargets.Method)] public class InitializeOnLoadMethodAttribute : Attribute { }
    public static class AssemblyReloadEvents
    {
        public delegate void AssemblyReloadCallback();
        public static event AssemblyReloadCallback beforeAssemblyReload { add { } remove { } }
    }
}
#endif
