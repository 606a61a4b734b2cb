// FracasBody, without the engine: its methods in one table, and the values that go in and out. gdextension.cpp (Godot 4) and
// gdnative.cpp (Godot 3) register the table and convert the engine's variants; nothing else differs between them.
//
// Godot is right-handed and in metres, as Fracas is, so positions, rotations and tensors are the same. Only triangles differ: Godot's
// are clockwise seen from outside.
#pragma once

#include <fracas.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fracas_godot {

// As Godot lays them out in memory, in builds with single precision.
struct Vector2 {
    float x = 0, y = 0;
};
struct Vector3 {
    float x = 0, y = 0, z = 0;
};
struct Basis {
    Vector3 rows[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};
struct Transform {
    Basis basis;
    Vector3 origin;
};

/// A body or fragment, which never changes. Objects of the engine share it.
struct Piece {
    fracas::Object object;
    std::shared_ptr<const fracas::Asset> asset;
    /// Of the mesh that the asset was cooked from.
    std::uint32_t surfaces = 1;
};
using Shared = std::shared_ptr<const Piece>;

/// What an object of the class FracasBody holds: a piece, or none yet.
struct Body {
    Shared piece;
};

struct Value;
using List = std::vector<Value>;
using Record = std::vector<std::pair<const char *, Value>>;

/// In the order of Value's alternatives.
enum class Type { nil, boolean, integer, number, text, vector3, basis, transform, vectors2, vectors3, integers, bytes, body, list, record };

struct Value : std::variant<std::monostate, bool, std::int64_t, double, std::string, Vector3, Basis, Transform, std::vector<Vector2>,
                            std::vector<Vector3>, std::vector<std::int32_t>, std::vector<std::uint8_t>, Shared, List, Record> {
    using variant::variant;
    Type type() const { return static_cast<Type>(index()); }
};

struct Argument {
    const char *name;
    Type type;
};

struct Method {
    const char *name;
    Type result;
    std::vector<Argument> arguments;
    Value (*call)(Body &self, const List &arguments);
};

/// All methods of FracasBody.
const std::vector<Method> &methods();

/// Calls a method. Never throws. If it fails, `error` is a sentence, and the result the empty one of its type.
Value invoke(const Method &method, Body &self, List arguments, std::string &error) noexcept;

/// Where a surface's arrays (Mesh.surface_get_arrays) have its indices, the last of them: 12 in Godot 4, 8 in Godot 3.
void set_index_slot(std::size_t slot);

/// The library's log and threads; `warn` gets one sentence at a time, on any thread.
void start(void (*warn)(const char *sentence));
void stop();

} // namespace fracas_godot
