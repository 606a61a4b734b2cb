using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using Fracas.Native;
using NUnit.Framework;

namespace Fracas.Tests
{
    /// <summary>
    /// The declarations against the lists that the C tests keep (tests/capi/symbols.txt and layout.txt, which are compared with the
    /// library and with a C compiler), and against the library itself.
    /// </summary>
    [TestFixture]
    public class CompletenessTests
    {
        static string[] Lines(string file)
        {
            string source = Environment.GetEnvironmentVariable("FRACAS_SOURCE");
            Assert.IsNotNull(source, "FRACAS_SOURCE is not set; run bindings/unity/test");
            return File.ReadAllLines(Path.Combine(source, "tests/capi", file));
        }

        [Test]
        public void EveryFunctionIsDeclaredAndFound()
        {
            HashSet<string> declared = new HashSet<string>();
            foreach (MethodInfo method in typeof(Api).GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly))
            {
                if ((method.Attributes & MethodAttributes.PinvokeImpl) == 0) continue;
                declared.Add(method.Name);
                Marshal.Prelink(method); // throws if the library does not have it
            }
            HashSet<string> exported = new HashSet<string>();
            foreach (string line in Lines("symbols.txt")) if (line.Length > 0) exported.Add(line.Trim());
            Assert.That(exported.Count, Is.GreaterThan(100));
            foreach (string name in exported) Assert.IsTrue(declared.Contains(name), name + " is not declared");
            foreach (string name in declared) Assert.IsTrue(exported.Contains(name), name + " is not exported");
        }

        [Test]
        public void EveryStructHasTheLayoutOfC()
        {
            HashSet<string> listed = new HashSet<string>();
            foreach (string line in Lines("layout.txt"))
            {
                Match m = Regex.Match(line, @"^(\w+) (\d+) bytes, (\w+) at (\d+)$");
                Assert.IsTrue(m.Success, line);
                Type type = typeof(Api).Assembly.GetType("Fracas.Native." + m.Groups[1].Value);
                Assert.IsNotNull(type, m.Groups[1].Value + " is not declared");
                string last = m.Groups[3].Value;
                if (type.GetField(last) == null) last += "_0"; // an array of structs
                Assert.AreEqual(int.Parse(m.Groups[4].Value), (int)Marshal.OffsetOf(type, last), line);
                AssertSize(type, int.Parse(m.Groups[2].Value));
                listed.Add(m.Groups[1].Value);
            }
            Assert.That(listed.Count, Is.GreaterThan(60));
            foreach (Type type in typeof(Api).Assembly.GetTypes())
                if (type.Namespace == "Fracas.Native" && type.IsValueType && !type.IsNested)
                    Assert.IsTrue(listed.Contains(type.Name), type.Name + " is not in tests/capi/layout.txt");
        }

        /// <summary>Marshalled and in managed memory, where a struct is as large as one step in an array.</summary>
        static void AssertSize(Type type, int size)
        {
            Assert.AreEqual(size, Marshal.SizeOf(type), type.Name);
            Array two = Array.CreateInstance(type, 2);
            GCHandle pin = GCHandle.Alloc(two, GCHandleType.Pinned); // throws if it is not blittable
            long step = Marshal.UnsafeAddrOfPinnedArrayElement(two, 1).ToInt64() - Marshal.UnsafeAddrOfPinnedArrayElement(two, 0).ToInt64();
            pin.Free();
            Assert.AreEqual(size, step, type.Name);
        }

        /// <summary>The structs of Types.cs take the place of those of C: same size, and the same fields at the same places.</summary>
        [Test]
        public void OwnStructsHaveTheLayoutOfTheirCounterparts()
        {
            Same<BodyPose, fc_pose>("Position", "position", "Rotation", "rotation");
            Same<Velocity, fc_motion>("Linear", "linear", "Angular", "angular");
            Same<Aabb, fc_aabb>("Min", "min", "Max", "max");
            Same<MassProperties, fc_mass>("Volume", "volume", "Mass", "mass", "Centre", "centre", "Inertia", "inertia");
            Same<Contact, fc_contact>("Point", "point", "Depth", "depth", "Normal", "normal", "Feature", "feature");
            Same<PairMemory, fc_pair_memory>();
            Same<QueryPair, fc_pair>("A", "a", "B", "b", "PoseA", "pose_a", "PoseB", "pose_b");
            Same<Sweep, fc_sweep>("A", "a", "B", "b", "StartA", "start_a", "EndA", "end_a", "StartB", "start_b", "EndB", "end_b");
            Same<SweepHit, fc_sweep_hit>("Time", "time", "Contact", "contact", "Exact", "exact");
            Same<Closest, fc_distance>("Distance", "distance", "PointA", "point_a", "PointB", "point_b", "Normal", "normal");
            Same<RayHit, fc_ray_hit>("Distance", "distance", "Normal", "normal", "Face", "face", "Source", "source");
            Same<FeaturePoint, fc_feature>("Position", "position", "Face", "face", "Node", "node", "Source", "source");
            Same<Adjacency, fc_adjacency>("A", "pieces", "Area", "area");
            Same<CutPlane, fc_plane>("Normal", "normal", "Offset", "offset", "HasFace", "has_face", "Neighbour", "neighbour");
            Same<SkinTriangle, fc_skin_triangle>("A", "nodes", "Tet", "tet");
            Same<SurfaceTriangle, fc_triangle>("A", "corners", "Face", "face", "Source", "source", "Coordinates", "coordinates");
            Same<DrawnVertex, fc_vertex>("Position", "position", "Normal", "normal", "U", "uv");
            Same<ConvexPart, fc_convex_part>("FirstVertex", "first_vertex", "VertexCount", "vertex_count", "FirstTriangle",
                "first_triangle", "Error", "error");
            Same<DrawnTriangle, fc_drawn_triangle>("A", "corners", "Material", "material");
        }

        static void Same<TOurs, TTheirs>(params string[] fields)
        {
            AssertSize(typeof(TOurs), Marshal.SizeOf(typeof(TTheirs)));
            for (int k = 0; k < fields.Length; k += 2)
                Assert.AreEqual((int)Marshal.OffsetOf(typeof(TTheirs), fields[k + 1]), (int)Marshal.OffsetOf(typeof(TOurs), fields[k]),
                                typeof(TOurs).Name + "." + fields[k]);
        }

        /// <summary>Every status of the header is one of the enum, with its name.</summary>
        [Test]
        public void EveryStatusHasAName()
        {
            int count = 0;
            foreach (FieldInfo field in typeof(Api).GetFields(BindingFlags.Public | BindingFlags.Static))
            {
                if (field.FieldType != typeof(int)) continue;
                string name = field.Name.Replace("FC_ERROR_", "").Replace("FC_", "").Replace("_", "");
                Assert.AreEqual(name.ToLowerInvariant(), ((Status)(int)field.GetValue(null)).ToString().ToLowerInvariant());
                count++;
            }
            Assert.AreEqual(Enum.GetValues(typeof(Status)).Length, count);
        }
    }
}
