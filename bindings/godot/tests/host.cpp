// A stand-in for Godot 4, which cannot be had here: it loads the extension as the engine does, keeps variants in its own way, and
// calls the methods by both conventions. It counts what is alive, so a value that the extension forgets to end is seen. It shows
// that the extension's calls fit the header and each other, not that the engine does what this host does.
#include <gdextension_interface.h>

#include <dlfcn.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

int failures = 0;
#define CHECK(condition)                                                                                                                   \
    do {                                                                                                                                   \
        if (!(condition)) ++failures, std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                  \
    } while (false)

constexpr int kinds = GDEXTENSION_VARIANT_TYPE_VARIANT_MAX;
long alive = 0;

struct Object {
    int references = 0;
    void *instance = nullptr, *token = nullptr, *binding = nullptr;
};

struct Box;
/// What is in the storage of a variant: 24 bytes.
struct Variant {
    std::uint64_t type;
    Box *box;
    std::uint64_t unused;
};
/// What all other types that are not plain have in their storage, and variants behind them.
struct Box {
    std::vector<unsigned char> bytes; // plain data, strings, packed arrays
    std::vector<Variant> items;       // arrays
    std::map<std::string, Variant> entries;
    Object *object = nullptr;
    Box() { ++alive; }
    Box(const Box &) = delete;
    ~Box() { --alive; }
};

GDExtensionClassCreationInfo2 class_info;
struct Registered {
    GDExtensionClassMethodInfo info;
    std::vector<GDExtensionPropertyInfo> arguments;
    GDExtensionPropertyInfo result;
};
std::map<std::string, Registered> registered;
int printed = 0;

std::size_t plain_size(int type) {
    switch (type) {
    case GDEXTENSION_VARIANT_TYPE_BOOL: return 1;
    case GDEXTENSION_VARIANT_TYPE_INT:
    case GDEXTENSION_VARIANT_TYPE_FLOAT: return 8;
    case GDEXTENSION_VARIANT_TYPE_VECTOR3: return 12;
    case GDEXTENSION_VARIANT_TYPE_BASIS: return 36;
    case GDEXTENSION_VARIANT_TYPE_TRANSFORM3D: return 48;
    default: return 0;
    }
}
std::size_t item_size(int type) {
    switch (type) {
    case GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY: return 1;
    case GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY: return 4;
    case GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY: return 8;
    case GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR3_ARRAY: return 12;
    default: return 0;
    }
}

Variant copy(const Variant &from);
Box *copy(const Box *from) {
    if (!from) return nullptr;
    Box *box = new Box;
    box->bytes = from->bytes;
    for (const Variant &item : from->items) box->items.push_back(copy(item));
    for (const auto &[key, item] : from->entries) box->entries[key] = copy(item);
    if ((box->object = from->object)) ++box->object->references;
    return box;
}
Variant copy(const Variant &from) { return {from.type, copy(from.box), 0}; }
void end(Box *box) {
    if (!box) return;
    for (Variant &item : box->items) end(item.box);
    for (auto &entry : box->entries) end(entry.second.box);
    if (box->object && --box->object->references == 0) {
        class_info.free_instance_func(class_info.class_userdata, static_cast<GDExtensionClassInstancePtr>(box->object->instance));
        delete box->object;
        --alive;
    }
    delete box;
}
template <class T>
Box *&storage(T pointer) {
    return *reinterpret_cast<Box **>(const_cast<void *>(static_cast<const void *>(pointer)));
}

template <int type>
void from_type(GDExtensionUninitializedVariantPtr to, GDExtensionTypePtr from) {
    Box *box;
    if (const std::size_t size = plain_size(type)) {
        box = new Box;
        box->bytes.assign(reinterpret_cast<unsigned char *>(from), reinterpret_cast<unsigned char *>(from) + size);
    } else if (type == GDEXTENSION_VARIANT_TYPE_OBJECT) {
        box = new Box;
        if ((box->object = *reinterpret_cast<Object **>(from))) ++box->object->references;
    } else box = copy(storage(from));
    *reinterpret_cast<Variant *>(to) = {type, box, 0};
}
template <int type>
void to_type(GDExtensionUninitializedTypePtr to, GDExtensionVariantPtr from) {
    const Variant &variant = *reinterpret_cast<Variant *>(from);
    CHECK(variant.type == type);
    if (const std::size_t size = plain_size(type)) std::memcpy(reinterpret_cast<void *>(to), variant.box->bytes.data(), size);
    else if (type == GDEXTENSION_VARIANT_TYPE_OBJECT) *reinterpret_cast<Object **>(to) = variant.box->object;
    else storage(to) = copy(variant.box);
}
template <int type>
GDExtensionInt items(Box *box) {
    return static_cast<GDExtensionInt>(item_size(type) ? box->bytes.size() / item_size(type) : box->items.size());
}
template <int type>
void size_method(GDExtensionTypePtr base, const GDExtensionConstTypePtr *, GDExtensionTypePtr result, int) {
    *reinterpret_cast<std::int64_t *>(result) = items<type>(storage(base));
}
template <int type>
void resize_method(GDExtensionTypePtr base, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result, int count) {
    CHECK(count == 1);
    const std::size_t size = static_cast<std::size_t>(*reinterpret_cast<const std::int64_t *>(arguments[0]));
    if (item_size(type)) storage(base)->bytes.resize(size * item_size(type));
    else storage(base)->items.resize(size, Variant{0, nullptr, 0});
    *reinterpret_cast<std::int64_t *>(result) = 0;
}

template <template <int> class Of, class F, int... types>
std::array<F, kinds> table(std::integer_sequence<int, types...>) {
    return {Of<types>::function...};
}
template <int type>
struct FromType {
    static constexpr GDExtensionVariantFromTypeConstructorFunc function = from_type<type>;
};
template <int type>
struct ToType {
    static constexpr GDExtensionTypeFromVariantConstructorFunc function = to_type<type>;
};
template <int type>
struct SizeOf {
    static constexpr GDExtensionPtrBuiltInMethod function = size_method<type>;
};
template <int type>
struct Resize {
    static constexpr GDExtensionPtrBuiltInMethod function = resize_method<type>;
};
using Every = std::make_integer_sequence<int, kinds>;

std::string text(const Box *box) { return {box->bytes.begin(), box->bytes.end()}; }
Box *box_of(const std::string &text) {
    Box *box = new Box;
    box->bytes.assign(text.begin(), text.end());
    return box;
}

template <int type>
unsigned char *item(GDExtensionTypePtr self, GDExtensionInt index) {
    return storage(self)->bytes.data() + index * static_cast<GDExtensionInt>(item_size(type));
}

/// The interface, by name; a function that is not here is an error.
GDExtensionInterfaceFunctionPtr find(const char *name) {
    using F = GDExtensionInterfaceFunctionPtr;
    static const std::map<std::string, F> functions = [] {
        std::map<std::string, F> all;
        const auto add = [&](const char *named, auto function) { all[named] = reinterpret_cast<F>(+function); };
        add("string_name_new_with_latin1_chars",
            [](GDExtensionUninitializedStringNamePtr to, const char *chars, GDExtensionBool) { storage(to) = box_of(chars); });
        add("string_new_with_utf8_chars_and_len", [](GDExtensionUninitializedStringPtr to, const char *chars, GDExtensionInt size) {
            storage(to) = box_of({chars, static_cast<std::size_t>(size)});
        });
        add("variant_get_ptr_destructor", [](GDExtensionVariantType type) -> GDExtensionPtrDestructor {
            if (plain_size(type) || type == GDEXTENSION_VARIANT_TYPE_OBJECT) return nullptr;
            return [](GDExtensionTypePtr value) { end(storage(value)); };
        });
        add("variant_get_ptr_constructor", [](GDExtensionVariantType, std::int32_t constructor) -> GDExtensionPtrConstructor {
            CHECK(constructor == 0);
            return [](GDExtensionUninitializedTypePtr value, const GDExtensionConstTypePtr *) { storage(value) = new Box; };
        });
        add("get_variant_from_type_constructor", [](GDExtensionVariantType type) {
            static const auto made = table<FromType, GDExtensionVariantFromTypeConstructorFunc>(Every{});
            return made[type];
        });
        add("get_variant_to_type_constructor", [](GDExtensionVariantType type) {
            static const auto made = table<ToType, GDExtensionTypeFromVariantConstructorFunc>(Every{});
            return made[type];
        });
        add("variant_get_ptr_builtin_method", [](GDExtensionVariantType type, GDExtensionConstStringNamePtr method, GDExtensionInt) {
            static const auto sizes = table<SizeOf, GDExtensionPtrBuiltInMethod>(Every{}),
                              resizes = table<Resize, GDExtensionPtrBuiltInMethod>(Every{});
            return text(storage(method)) == "size" ? sizes[type] : resizes[type];
        });
        add("variant_new_nil", [](GDExtensionUninitializedVariantPtr to) { *reinterpret_cast<Variant *>(to) = {0, nullptr, 0}; });
        add("variant_new_copy", [](GDExtensionUninitializedVariantPtr to, GDExtensionConstVariantPtr from) {
            *reinterpret_cast<Variant *>(to) = copy(*reinterpret_cast<const Variant *>(from));
        });
        add("variant_destroy", [](GDExtensionVariantPtr variant) { end(reinterpret_cast<Variant *>(variant)->box); });
        add("variant_get_type", [](GDExtensionConstVariantPtr variant) {
            return static_cast<GDExtensionVariantType>(reinterpret_cast<const Variant *>(variant)->type);
        });
        const auto array_item = [](GDExtensionTypePtr self, GDExtensionInt index) {
            return reinterpret_cast<GDExtensionVariantPtr>(&storage(self)->items.at(static_cast<std::size_t>(index)));
        };
        add("array_operator_index", array_item);
        add("array_operator_index_const", array_item);
        add("dictionary_operator_index", [](GDExtensionTypePtr self, GDExtensionConstVariantPtr key) {
            return reinterpret_cast<GDExtensionVariantPtr>(&storage(self)->entries[text(reinterpret_cast<const Variant *>(key)->box)]);
        });
        for (const char *suffix : {"", "_const"}) {
            const std::string end_of = std::string("_array_operator_index") + suffix;
            add(("packed_byte" + end_of).c_str(), item<GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY>);
            add(("packed_int32" + end_of).c_str(), item<GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY>);
            add(("packed_vector2" + end_of).c_str(), item<GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY>);
            add(("packed_vector3" + end_of).c_str(), item<GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR3_ARRAY>);
        }
        add("classdb_construct_object", [](GDExtensionConstStringNamePtr type) {
            CHECK(text(storage(type)) == "RefCounted");
            ++alive;
            return reinterpret_cast<GDExtensionObjectPtr>(new Object);
        });
        add("object_set_instance",
            [](GDExtensionObjectPtr object, GDExtensionConstStringNamePtr type, GDExtensionClassInstancePtr instance) {
                CHECK(text(storage(type)) == "FracasBody");
                reinterpret_cast<Object *>(object)->instance = instance;
            });
        add("object_set_instance_binding",
            [](GDExtensionObjectPtr object, void *token, void *binding, const GDExtensionInstanceBindingCallbacks *callbacks) {
                CHECK(callbacks);
                reinterpret_cast<Object *>(object)->token = token;
                reinterpret_cast<Object *>(object)->binding = binding;
            });
        add("object_get_instance_binding",
            [](GDExtensionObjectPtr object, void *token, const GDExtensionInstanceBindingCallbacks *) -> void * {
                const Object *of = reinterpret_cast<Object *>(object);
                return of->token == token ? of->binding : nullptr;
            });
        add("classdb_register_extension_class2", [](GDExtensionClassLibraryPtr, GDExtensionConstStringNamePtr name_of,
                                                    GDExtensionConstStringNamePtr parent, const GDExtensionClassCreationInfo2 *info) {
            CHECK(text(storage(name_of)) == "FracasBody" && text(storage(parent)) == "RefCounted" && info->is_exposed);
            class_info = *info;
        });
        add("classdb_register_extension_class_method",
            [](GDExtensionClassLibraryPtr, GDExtensionConstStringNamePtr, const GDExtensionClassMethodInfo *info) {
                CHECK(info->has_return_value && info->call_func && info->ptrcall_func);
                Registered &method = registered[text(storage(info->name))];
                method.info = *info;
                method.result = *info->return_value_info;
                method.arguments.assign(info->arguments_info, info->arguments_info + info->argument_count);
                for (const GDExtensionPropertyInfo &argument : method.arguments)
                    CHECK(!text(storage(argument.name)).empty() && storage(argument.class_name) && storage(argument.hint_string));
            });
        add("classdb_unregister_extension_class", [](GDExtensionClassLibraryPtr, GDExtensionConstStringNamePtr) { registered.clear(); });
        add("print_error", [](const char *, const char *, const char *, std::int32_t, GDExtensionBool) { ++printed; });
        add("print_warning", [](const char *, const char *, const char *, std::int32_t, GDExtensionBool) {});
        return all;
    }();
    const auto found = functions.find(name);
    if (found == functions.end()) {
        std::printf("the extension asks for %s, which the host does not have\n", name);
        std::exit(1);
    }
    return found->second;
}

/// A variant with an owner.
struct Var {
    Variant held{0, nullptr, 0};
    Var() = default;
    Var(const Var &from) : held(copy(from.held)) {}
    Var(Var &&from) noexcept : held(std::exchange(from.held, Variant{0, nullptr, 0})) {}
    Var &operator=(Var from) {
        std::swap(held, from.held);
        return *this;
    }
    ~Var() { end(held.box); }
    template <class T>
    static Var plain(int type, T value) {
        Var made;
        made.held = {static_cast<std::uint64_t>(type), new Box, 0};
        made.held.box->bytes.resize(sizeof value);
        std::memcpy(made.held.box->bytes.data(), &value, sizeof value);
        return made;
    }
    template <class T>
    static Var packed(int type, const std::vector<T> &values) {
        Var made;
        made.held = {static_cast<std::uint64_t>(type), new Box, 0};
        made.held.box->bytes.resize(values.size() * sizeof(T));
        std::memcpy(made.held.box->bytes.data(), values.data(), values.size() * sizeof(T));
        return made;
    }
    static Var array(std::vector<Var> values) {
        Var made;
        made.held = {GDEXTENSION_VARIANT_TYPE_ARRAY, new Box, 0};
        for (Var &value : values) made.held.box->items.push_back(std::exchange(value.held, Variant{0, nullptr, 0}));
        return made;
    }
    template <class T>
    std::vector<T> items() const {
        std::vector<T> values(held.box->bytes.size() / sizeof(T));
        if (!values.empty()) std::memcpy(values.data(), held.box->bytes.data(), values.size() * sizeof(T));
        return values;
    }
    template <class T>
    T as() const {
        return items<T>().at(0);
    }
    Var at(std::size_t k) const {
        Var made;
        made.held = copy(held.box->items.at(k));
        return made;
    }
    Var get(const char *key) const {
        Var made;
        made.held = copy(held.box->entries.at(key));
        return made;
    }
    std::size_t size() const { return held.box->items.size() + held.box->entries.size(); }
    int type() const { return static_cast<int>(held.type); }
};
Var integer(std::int64_t value) { return Var::plain(GDEXTENSION_VARIANT_TYPE_INT, value); }
Var number(double value) { return Var::plain(GDEXTENSION_VARIANT_TYPE_FLOAT, value); }
Var vector(float x, float y, float z) { return Var::plain(GDEXTENSION_VARIANT_TYPE_VECTOR3, std::array<float, 3>{x, y, z}); }
Var at(float x, float y, float z) {
    return Var::plain(GDEXTENSION_VARIANT_TYPE_TRANSFORM3D, std::array<float, 12>{1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z});
}
Var new_body() {
    Object *object = reinterpret_cast<Object *>(class_info.create_instance_func(class_info.class_userdata));
    Var made;
    from_type<GDEXTENSION_VARIANT_TYPE_OBJECT>(reinterpret_cast<GDExtensionUninitializedVariantPtr>(&made.held),
                                               reinterpret_cast<GDExtensionTypePtr>(&object));
    return made;
}

Var call(const Var &self, const char *name, const std::vector<Var> &arguments = {}) {
    const Registered &method = registered.at(name);
    std::vector<GDExtensionConstVariantPtr> pointers;
    for (const Var &argument : arguments) pointers.push_back(reinterpret_cast<GDExtensionConstVariantPtr>(&argument.held));
    Var result;
    GDExtensionCallError error{};
    method.info.call_func(method.info.method_userdata, static_cast<GDExtensionClassInstancePtr>(self.held.box->object->instance),
                          pointers.data(), static_cast<GDExtensionInt>(pointers.size()),
                          reinterpret_cast<GDExtensionVariantPtr>(&result.held), &error);
    CHECK(error.error == GDEXTENSION_CALL_OK);
    return result;
}

/// The same by typed pointers, as the engine calls where the script's types are known.
Var call_typed(const Var &self, const char *name, const std::vector<Var> &arguments = {}) {
    const Registered &method = registered.at(name);
    CHECK(arguments.size() == method.arguments.size());
    std::vector<GDExtensionConstTypePtr> pointers;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Variant &held = arguments[k].held;
        const void *value = method.arguments[k].type == GDEXTENSION_VARIANT_TYPE_NIL ? static_cast<const void *>(&held)
                            : plain_size(static_cast<int>(held.type))                ? held.box->bytes.data()
                                                                                     : static_cast<const void *>(&held.box);
        if (method.arguments[k].type != GDEXTENSION_VARIANT_TYPE_NIL)
            CHECK(static_cast<int>(method.arguments[k].type) == arguments[k].type());
        pointers.push_back(reinterpret_cast<GDExtensionConstTypePtr>(value));
    }
    Var result;
    result.held = {static_cast<std::uint64_t>(method.result.type), new Box, 0}; // an empty value of the type
    result.held.box->bytes.resize(plain_size(static_cast<int>(method.result.type)));
    void *to = plain_size(static_cast<int>(method.result.type)) ? static_cast<void *>(result.held.box->bytes.data()) : &result.held.box;
    method.info.ptrcall_func(method.info.method_userdata, static_cast<GDExtensionClassInstancePtr>(self.held.box->object->instance),
                             pointers.data(), reinterpret_cast<GDExtensionTypePtr>(to));
    return result;
}

using Point = std::array<float, 3>;

/// Positive if triangles are clockwise outside.
double volume(const Var &arrays) {
    const auto p = arrays.at(0).items<Point>();
    const auto c = arrays.at(12).items<std::int32_t>();
    double six = 0;
    for (std::size_t k = 0; k + 2 < c.size(); k += 3) {
        const Point a = p.at(std::size_t(c[k])), b = p.at(std::size_t(c[k + 1])), d = p.at(std::size_t(c[k + 2]));
        six -= a[0] * (b[1] * d[2] - b[2] * d[1]) + a[1] * (b[2] * d[0] - b[0] * d[2]) + a[2] * (b[0] * d[1] - b[1] * d[0]);
    }
    return six / 6;
}

template <class Call>
void test(Call by) {
    std::vector<Point> corners;
    for (int k = 0; k < 8; ++k) corners.push_back({k & 1 ? 0.5f : -0.5f, k & 2 ? 0.5f : -0.5f, k & 4 ? 0.5f : -0.5f});
    const std::vector<std::int32_t> triangles{0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5,
                                              2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7};
    std::vector<Var> arrays(13);
    arrays[0] = Var::packed(GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR3_ARRAY, corners);
    arrays[12] = Var::packed(GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY, triangles);
    const Var surface = Var::array(arrays);
    CHECK(std::abs(volume(surface) - 1) < 1e-6);

    const Var body = new_body();
    CHECK(by(body, "is_empty", {}).template as<std::uint8_t>() == 1);
    CHECK(by(body, "cook", {Var::array({surface}), number(2000), integer(400)}).template as<std::uint8_t>() == 1);
    CHECK(by(body, "is_empty", {}).template as<std::uint8_t>() == 0);
    CHECK(by(body, "warnings", {}).template as<std::int64_t>() == 0);
    const Var drawn = by(body, "drawing", {});
    CHECK(drawn.size() == 2 && drawn.at(1).size() == 0 && std::abs(volume(drawn.at(0)) - 1) < 1e-5);
    CHECK(drawn.at(0).size() == 13 && drawn.at(0).at(4).type() == GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY);
    const Var mass = by(body, "mass", {});
    CHECK(std::abs(mass.get("mass").template as<double>() - 2000) < 0.1 && mass.get("inertia").type() == GDEXTENSION_VARIANT_TYPE_BASIS);
    CHECK(std::abs(mass.get("inertia").template items<float>().at(4) - 2000 / 6.0) < 0.1);

    const Var pieces = by(body, "fracture", {integer(8), integer(1), number(0)});
    CHECK(pieces.size() == 8);
    double total = 0;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        const Var piece = pieces.at(k);
        CHECK(piece.type() == GDEXTENSION_VARIANT_TYPE_OBJECT);
        total += by(piece, "mass", {}).get("volume").template as<double>();
        const Var parts = by(piece, "convex_parts", {integer(4)});
        CHECK(parts.size() == 1 && parts.at(0).template items<Point>().size() >= 4);
    }
    CHECK(std::abs(total - 1) < 1e-5);
    CHECK(
        by(body, "fracture_cells", {Var::packed(GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR3_ARRAY, std::vector<Point>{{-1, 0, 0}, {1, 0, 0}})})
            .size() == 2);
    CHECK(by(body, "fracture_at", {vector(0.5f, 0, 0), vector(-1, 0, 0), number(0.5), integer(8), integer(1), number(0)}).size() >= 3);

    const Var contacts = by(body, "contacts", {at(0.1f, 0.99f, 0.1f), body, at(0, 0, 0)});
    CHECK(contacts.size() >= 3);
    if (contacts.size() > 0) {
        CHECK(std::abs(contacts.at(0).get("depth").template as<double>() - 0.01) < 1e-4);
        CHECK(contacts.at(0).get("normal").template as<Point>()[1] > 0.999f);
    }
    CHECK(std::abs(by(body, "distance", {at(0, 3, 0), body, at(0, 0, 0), number(10)}).get("distance").template as<double>() - 2) < 1e-4);
    CHECK(by(body, "distance", {at(0, 3, 0), body, at(0, 0, 0), number(1)}).size() == 0);
    CHECK(std::abs(by(body, "signed_distance", {at(0, 0, 0), vector(0, 0.4f, 0)}).template as<double>() + 0.1) < 1e-3);

    const Var loaded = new_body();
    const Var bytes = by(body, "save_asset", {});
    CHECK(by(loaded, "load_asset", {bytes}).template as<std::uint8_t>() == 1);
    CHECK(by(loaded, "mass", {}).get("mass").template as<double>() == mass.get("mass").template as<double>());

    const int before = printed;
    CHECK(by(new_body(), "drawing", {}).size() == 0 && printed == before + 1);
    CHECK(by(body, "contacts", {at(0, 0, 0), Var(), at(0, 0, 0)}).size() == 0 && printed == before + 2);
    CHECK(by(body, "error", {}).template items<char>().size() > 10);
}

} // namespace

int main(int, char **arguments) {
    void *extension = dlopen(arguments[1], RTLD_NOW);
    if (!extension) return std::printf("%s\n", dlerror()), 1;
    const auto entry =
        reinterpret_cast<GDExtensionBool (*)(GDExtensionInterfaceGetProcAddress, GDExtensionClassLibraryPtr, GDExtensionInitialization *)>(
            dlsym(extension, "fracas_godot_init"));
    GDExtensionInitialization initialization{};
    CHECK(entry && entry(find, reinterpret_cast<GDExtensionClassLibraryPtr>(&failures), &initialization));
    CHECK(initialization.minimum_initialization_level == GDEXTENSION_INITIALIZATION_SCENE);
    for (int level = 0; level < GDEXTENSION_MAX_INITIALIZATION_LEVEL; ++level)
        initialization.initialize(initialization.userdata, static_cast<GDExtensionInitializationLevel>(level));
    CHECK(alive == 0); // names and hints of the registration were ended
    CHECK(registered.size() == 19);
    test(call);
    CHECK(alive == 0);
    test(call_typed);
    CHECK(alive == 0);
    CHECK(call(new_body(), "fracture", {integer(4)}).size() == 0); // too few arguments
    for (int level = GDEXTENSION_MAX_INITIALIZATION_LEVEL; level-- > 0;)
        initialization.deinitialize(initialization.userdata, static_cast<GDExtensionInitializationLevel>(level));
    CHECK(registered.empty() && alive == 0);
    std::printf("godot 4, in a stand-in for the engine: %s\n", failures == 0 ? "passed" : "FAILED");
    return failures == 0 ? 0 : 1;
}
