// FracasBody for Godot 4: a GDExtension. See body.hpp; this file converts variants and registers the methods. It uses what
// Godot 4.2 has and all later versions keep.
#include "body.hpp"

#include <gdextension_interface.h>

#include <cstring>

using namespace fracas_godot;

namespace {

static_assert(sizeof(void *) == 8, "the sizes below are those of 64-bit builds with single precision");

/// Storage of an engine's value: never touched here, only by the engine's functions.
template <std::size_t Size>
struct Opaque {
    alignas(8) unsigned char bytes[Size];
};
using Variant = Opaque<24>;
using StringName = Opaque<8>;
using String = Opaque<8>;
using Array = Opaque<8>;
using Dictionary = Opaque<8>;
using Packed = Opaque<16>;

GDExtensionInterfaceGetProcAddress find = nullptr;
GDExtensionClassLibraryPtr library = nullptr;

/// An engine's function, looked up when it is first called.
#define ENGINE(Type, name)                                                                                                                 \
    [] {                                                                                                                                   \
        static const auto function = reinterpret_cast<GDExtensionInterface##Type>(find(#name));                                            \
        return function;                                                                                                                   \
    }()

template <class To, class From>
To as(From *pointer) {
    return reinterpret_cast<To>(pointer);
}

struct Name {
    StringName storage;
    explicit Name(const char *text) {
        ENGINE(StringNameNewWithLatin1Chars, string_name_new_with_latin1_chars)(as<GDExtensionUninitializedStringNamePtr>(&storage), text,
                                                                                0);
    }
    ~Name() {
        ENGINE(VariantGetPtrDestructor, variant_get_ptr_destructor)(GDEXTENSION_VARIANT_TYPE_STRING_NAME)(as<GDExtensionTypePtr>(&storage));
    }
    Name(const Name &) = delete;
    Name &operator=(const Name &) = delete;
    GDExtensionStringNamePtr get() { return as<GDExtensionStringNamePtr>(&storage); }
};

struct Text {
    String storage;
    explicit Text(const std::string &text) {
        ENGINE(StringNewWithUtf8CharsAndLen, string_new_with_utf8_chars_and_len)(as<GDExtensionUninitializedStringPtr>(&storage),
                                                                                 text.data(), static_cast<GDExtensionInt>(text.size()));
    }
    ~Text() {
        ENGINE(VariantGetPtrDestructor, variant_get_ptr_destructor)(GDEXTENSION_VARIANT_TYPE_STRING)(as<GDExtensionTypePtr>(&storage));
    }
    Text(const Text &) = delete;
    Text &operator=(const Text &) = delete;
};

/// Of an engine's typed value.
void to_variant(GDExtensionVariantType type, const void *value, Variant &variant) {
    ENGINE(GetVariantFromTypeConstructor, get_variant_from_type_constructor)(type)(as<GDExtensionUninitializedVariantPtr>(&variant),
                                                                                   as<GDExtensionTypePtr>(const_cast<void *>(value)));
}
/// The reverse; `value` is uninitialized.
void from_variant(GDExtensionVariantType type, const Variant &variant, void *value) {
    ENGINE(GetVariantToTypeConstructor, get_variant_to_type_constructor)(type)(as<GDExtensionUninitializedTypePtr>(value),
                                                                               as<GDExtensionVariantPtr>(const_cast<Variant *>(&variant)));
}
void create(GDExtensionVariantType type, void *value) {
    ENGINE(VariantGetPtrConstructor, variant_get_ptr_constructor)(type, 0)(as<GDExtensionUninitializedTypePtr>(value), nullptr);
}
void destroy(GDExtensionVariantType type, void *value) {
    if (const auto destructor = ENGINE(VariantGetPtrDestructor, variant_get_ptr_destructor)(type))
        destructor(as<GDExtensionTypePtr>(value));
}
void destroy(Variant &variant) { ENGINE(VariantDestroy, variant_destroy)(as<GDExtensionVariantPtr>(&variant)); }

/// Array and packed arrays; the hashes are those of extension_api.json, the same from 4.2 to 4.6 (the test compares them).
constexpr GDExtensionInt size_hash = 3173160232, resize_hash = 848867239;
std::int64_t size_of(GDExtensionVariantType type, const void *array) {
    Name name("size");
    std::int64_t size = 0;
    ENGINE(VariantGetPtrBuiltinMethod, variant_get_ptr_builtin_method)(type, name.get(), size_hash)(
        as<GDExtensionTypePtr>(const_cast<void *>(array)), nullptr, as<GDExtensionTypePtr>(&size), 0);
    return size;
}
void resize(GDExtensionVariantType type, void *array, std::size_t size) {
    Name name("resize");
    const std::int64_t wanted = static_cast<std::int64_t>(size);
    std::int64_t error = 0;
    const GDExtensionConstTypePtr arguments[1] = {as<GDExtensionConstTypePtr>(&wanted)};
    ENGINE(VariantGetPtrBuiltinMethod, variant_get_ptr_builtin_method)(type, name.get(), resize_hash)(
        as<GDExtensionTypePtr>(array), arguments, as<GDExtensionTypePtr>(&error), 1);
}

/// A packed array: contiguous, so the address of its first item is enough.
template <class Item, class First>
std::vector<Item> from_packed(GDExtensionVariantType type, const Variant &variant, First first) {
    Packed array;
    from_variant(type, variant, &array);
    std::vector<Item> items(static_cast<std::size_t>(size_of(type, &array)));
    if (!items.empty())
        std::memcpy(static_cast<void *>(items.data()), first(as<GDExtensionConstTypePtr>(&array), 0), items.size() * sizeof(Item));
    destroy(type, &array);
    return items;
}
template <class Item, class First>
void to_packed(GDExtensionVariantType type, const std::vector<Item> &items, First first, Variant &variant) {
    Packed array;
    create(type, &array);
    if (!items.empty()) {
        resize(type, &array, items.size());
        std::memcpy(static_cast<void *>(first(as<GDExtensionTypePtr>(&array), 0)), items.data(), items.size() * sizeof(Item));
    }
    to_variant(type, &array, variant);
    destroy(type, &array);
}

// A binding marks our objects: no other class has one with our token. It needs no callbacks.
const GDExtensionInstanceBindingCallbacks no_callbacks = {[](void *, void *) -> void * { return nullptr; }, [](void *, void *, void *) {},
                                                          [](void *, void *, GDExtensionBool) -> GDExtensionBool { return 1; }};

Body *body_of(GDExtensionObjectPtr object) {
    return object ? static_cast<Body *>(ENGINE(ObjectGetInstanceBinding, object_get_instance_binding)(object, library, nullptr)) : nullptr;
}

GDExtensionObjectPtr new_body(void *) {
    Name parent("RefCounted"), name("FracasBody");
    const GDExtensionObjectPtr object = ENGINE(ClassdbConstructObject, classdb_construct_object)(parent.get());
    Body *body = new Body;
    ENGINE(ObjectSetInstance, object_set_instance)(object, name.get(), as<GDExtensionClassInstancePtr>(body));
    ENGINE(ObjectSetInstanceBinding, object_set_instance_binding)(object, library, body, &no_callbacks);
    return object;
}
void delete_body(void *, GDExtensionClassInstancePtr instance) { delete as<Body *>(instance); }

template <class T>
T plain(GDExtensionVariantType type, const Variant &variant) {
    T value;
    from_variant(type, variant, &value);
    return value;
}

Value to_value(const Variant &variant) {
    const GDExtensionVariantType type = ENGINE(VariantGetType, variant_get_type)(as<GDExtensionConstVariantPtr>(&variant));
    switch (type) {
    case GDEXTENSION_VARIANT_TYPE_BOOL: return plain<GDExtensionBool>(type, variant) != 0;
    case GDEXTENSION_VARIANT_TYPE_INT: return plain<std::int64_t>(type, variant);
    case GDEXTENSION_VARIANT_TYPE_FLOAT: return plain<double>(type, variant);
    case GDEXTENSION_VARIANT_TYPE_VECTOR3: return plain<Vector3>(type, variant);
    case GDEXTENSION_VARIANT_TYPE_BASIS: return plain<Basis>(type, variant);
    case GDEXTENSION_VARIANT_TYPE_TRANSFORM3D: return plain<Transform>(type, variant);
    case GDEXTENSION_VARIANT_TYPE_OBJECT:
        if (const Body *body = body_of(plain<GDExtensionObjectPtr>(type, variant))) return body->piece;
        return {};
    case GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY:
        return from_packed<Vector2>(type, variant, ENGINE(PackedVector2ArrayOperatorIndexConst, packed_vector2_array_operator_index_const));
    case GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR3_ARRAY:
        return from_packed<Vector3>(type, variant, ENGINE(PackedVector3ArrayOperatorIndexConst, packed_vector3_array_operator_index_const));
    case GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY:
        return from_packed<std::int32_t>(type, variant,
                                         ENGINE(PackedInt32ArrayOperatorIndexConst, packed_int32_array_operator_index_const));
    case GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY:
        return from_packed<std::uint8_t>(type, variant, ENGINE(PackedByteArrayOperatorIndexConst, packed_byte_array_operator_index_const));
    case GDEXTENSION_VARIANT_TYPE_ARRAY: {
        Array array;
        from_variant(type, variant, &array);
        List list;
        for (std::int64_t k = 0, size = size_of(type, &array); k < size; ++k)
            list.push_back(to_value(
                *as<const Variant *>(ENGINE(ArrayOperatorIndexConst, array_operator_index_const)(as<GDExtensionConstTypePtr>(&array), k))));
        destroy(type, &array);
        return list;
    }
    default: return {};
    }
}

void to_variant(const Value &value, Variant &variant) {
    switch (value.type()) {
    case Type::nil: ENGINE(VariantNewNil, variant_new_nil)(as<GDExtensionUninitializedVariantPtr>(&variant)); break;
    case Type::boolean: {
        const GDExtensionBool truth = std::get<bool>(value);
        to_variant(GDEXTENSION_VARIANT_TYPE_BOOL, &truth, variant);
        break;
    }
    case Type::integer: to_variant(GDEXTENSION_VARIANT_TYPE_INT, &std::get<std::int64_t>(value), variant); break;
    case Type::number: to_variant(GDEXTENSION_VARIANT_TYPE_FLOAT, &std::get<double>(value), variant); break;
    case Type::text: {
        const Text text(std::get<std::string>(value));
        to_variant(GDEXTENSION_VARIANT_TYPE_STRING, &text.storage, variant);
        break;
    }
    case Type::vector3: to_variant(GDEXTENSION_VARIANT_TYPE_VECTOR3, &std::get<Vector3>(value), variant); break;
    case Type::basis: to_variant(GDEXTENSION_VARIANT_TYPE_BASIS, &std::get<Basis>(value), variant); break;
    case Type::transform: to_variant(GDEXTENSION_VARIANT_TYPE_TRANSFORM3D, &std::get<Transform>(value), variant); break;
    case Type::vectors2:
        to_packed(GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY, std::get<std::vector<Vector2>>(value),
                  ENGINE(PackedVector2ArrayOperatorIndex, packed_vector2_array_operator_index), variant);
        break;
    case Type::vectors3:
        to_packed(GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR3_ARRAY, std::get<std::vector<Vector3>>(value),
                  ENGINE(PackedVector3ArrayOperatorIndex, packed_vector3_array_operator_index), variant);
        break;
    case Type::integers:
        to_packed(GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY, std::get<std::vector<std::int32_t>>(value),
                  ENGINE(PackedInt32ArrayOperatorIndex, packed_int32_array_operator_index), variant);
        break;
    case Type::bytes:
        to_packed(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, std::get<std::vector<std::uint8_t>>(value),
                  ENGINE(PackedByteArrayOperatorIndex, packed_byte_array_operator_index), variant);
        break;
    case Type::body: {
        const GDExtensionObjectPtr object = new_body(nullptr);
        body_of(object)->piece = std::get<Shared>(value);
        to_variant(GDEXTENSION_VARIANT_TYPE_OBJECT, &object, variant); // the first reference
        break;
    }
    case Type::list: {
        const List &list = std::get<List>(value);
        Array array;
        create(GDEXTENSION_VARIANT_TYPE_ARRAY, &array);
        resize(GDEXTENSION_VARIANT_TYPE_ARRAY, &array, list.size());
        for (std::size_t k = 0; k < list.size(); ++k) // its items are null, which needs no end
            to_variant(list[k], *as<Variant *>(ENGINE(ArrayOperatorIndex, array_operator_index)(as<GDExtensionTypePtr>(&array),
                                                                                                static_cast<GDExtensionInt>(k))));
        to_variant(GDEXTENSION_VARIANT_TYPE_ARRAY, &array, variant);
        destroy(GDEXTENSION_VARIANT_TYPE_ARRAY, &array);
        break;
    }
    case Type::record: {
        Dictionary dictionary;
        create(GDEXTENSION_VARIANT_TYPE_DICTIONARY, &dictionary);
        for (const auto &[name, item] : std::get<Record>(value)) {
            Variant key;
            to_variant(Value(std::string(name)), key);
            to_variant(item, *as<Variant *>(ENGINE(DictionaryOperatorIndex, dictionary_operator_index)(
                                 as<GDExtensionTypePtr>(&dictionary), as<GDExtensionConstVariantPtr>(&key))));
            destroy(key);
        }
        to_variant(GDEXTENSION_VARIANT_TYPE_DICTIONARY, &dictionary, variant);
        destroy(GDEXTENSION_VARIANT_TYPE_DICTIONARY, &dictionary);
        break;
    }
    }
}

void run(const Method &method, GDExtensionClassInstancePtr self, List arguments, Variant &result) {
    std::string error;
    const Value value = invoke(method, *as<Body *>(self), std::move(arguments), error);
    if (!error.empty()) ENGINE(PrintError, print_error)(error.c_str(), method.name, "FracasBody", 0, 0);
    to_variant(value, result);
}

/// The type that a method is registered with; null: any. Objects are, since a typed call passes references of them otherwise.
GDExtensionVariantType declared(Type type) {
    constexpr GDExtensionVariantType types[] = {GDEXTENSION_VARIANT_TYPE_NIL,
                                                GDEXTENSION_VARIANT_TYPE_BOOL,
                                                GDEXTENSION_VARIANT_TYPE_INT,
                                                GDEXTENSION_VARIANT_TYPE_FLOAT,
                                                GDEXTENSION_VARIANT_TYPE_STRING,
                                                GDEXTENSION_VARIANT_TYPE_VECTOR3,
                                                GDEXTENSION_VARIANT_TYPE_BASIS,
                                                GDEXTENSION_VARIANT_TYPE_TRANSFORM3D,
                                                GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR2_ARRAY,
                                                GDEXTENSION_VARIANT_TYPE_PACKED_VECTOR3_ARRAY,
                                                GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY,
                                                GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY,
                                                GDEXTENSION_VARIANT_TYPE_NIL,
                                                GDEXTENSION_VARIANT_TYPE_ARRAY,
                                                GDEXTENSION_VARIANT_TYPE_DICTIONARY};
    return types[static_cast<std::size_t>(type)];
}

/// Called with variants.
void called(void *method, GDExtensionClassInstancePtr self, const GDExtensionConstVariantPtr *arguments, GDExtensionInt count,
            GDExtensionVariantPtr result, GDExtensionCallError *error) {
    List list;
    for (GDExtensionInt k = 0; k < count; ++k) list.push_back(to_value(*as<const Variant *>(arguments[k])));
    Variant made;
    run(*static_cast<const Method *>(method), self, std::move(list), made);
    ENGINE(VariantNewCopy, variant_new_copy)(as<GDExtensionUninitializedVariantPtr>(result), as<GDExtensionConstVariantPtr>(&made));
    destroy(made);
    error->error = GDEXTENSION_CALL_OK;
}

/// Called with typed values, where the script's types are known. `result` holds an empty value of the type.
void called_typed(void *of, GDExtensionClassInstancePtr self, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result) {
    const Method &method = *static_cast<const Method *>(of);
    List list;
    for (std::size_t k = 0; k < method.arguments.size(); ++k) {
        const GDExtensionVariantType type = declared(method.arguments[k].type);
        if (type == GDEXTENSION_VARIANT_TYPE_NIL) {
            list.push_back(to_value(*as<const Variant *>(arguments[k])));
            continue;
        }
        Variant variant;
        to_variant(type, arguments[k], variant);
        list.push_back(to_value(variant));
        destroy(variant);
    }
    Variant made;
    run(method, self, std::move(list), made);
    const GDExtensionVariantType type = declared(method.result);
    destroy(type, result);
    from_variant(type, made, result);
    destroy(made);
}

void register_class() {
    Name name("FracasBody"), parent("RefCounted"), nothing("");
    Text no_hint("");
    GDExtensionClassCreationInfo2 info{};
    info.is_exposed = 1;
    info.create_instance_func = new_body;
    info.free_instance_func = delete_body;
    ENGINE(ClassdbRegisterExtensionClass2, classdb_register_extension_class2)(library, name.get(), parent.get(), &info);

    constexpr std::uint32_t usage_default = 6, usage_any = 6 | 1 << 17; // PROPERTY_USAGE_DEFAULT, with NIL_IS_VARIANT
    const auto property = [&](Type type, GDExtensionStringNamePtr named) {
        const GDExtensionVariantType of = declared(type);
        return GDExtensionPropertyInfo{of,
                                       named,
                                       nothing.get(),
                                       0,
                                       as<GDExtensionStringPtr>(&no_hint.storage),
                                       of == GDEXTENSION_VARIANT_TYPE_NIL ? usage_any : usage_default};
    };
    for (const Method &method : methods()) {
        Name named(method.name);
        std::vector<std::unique_ptr<Name>> names;
        std::vector<GDExtensionPropertyInfo> properties;
        std::vector<GDExtensionClassMethodArgumentMetadata> metadata(method.arguments.size(), GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE);
        for (const Argument &argument : method.arguments) {
            names.push_back(std::make_unique<Name>(argument.name));
            properties.push_back(property(argument.type, names.back()->get()));
        }
        GDExtensionPropertyInfo result = property(method.result, nothing.get());
        GDExtensionClassMethodInfo described{};
        described.name = named.get();
        described.method_userdata = const_cast<Method *>(&method);
        described.call_func = called;
        described.ptrcall_func = called_typed;
        described.method_flags = GDEXTENSION_METHOD_FLAGS_DEFAULT;
        described.has_return_value = 1;
        described.return_value_info = &result;
        described.return_value_metadata = GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE;
        described.argument_count = static_cast<std::uint32_t>(properties.size());
        described.arguments_info = properties.data();
        described.arguments_metadata = metadata.data();
        ENGINE(ClassdbRegisterExtensionClassMethod, classdb_register_extension_class_method)(library, name.get(), &described);
    }
}

void initialize(void *, GDExtensionInitializationLevel level) {
    if (level != GDEXTENSION_INITIALIZATION_SCENE) return;
    set_index_slot(12);
    start([](const char *sentence) { ENGINE(PrintWarning, print_warning)(sentence, "", "Fracas", 0, 0); });
    register_class();
}

void deinitialize(void *, GDExtensionInitializationLevel level) {
    if (level != GDEXTENSION_INITIALIZATION_SCENE) return;
    Name name("FracasBody");
    ENGINE(ClassdbUnregisterExtensionClass, classdb_unregister_extension_class)(library, name.get());
    stop();
}

} // namespace

#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

/// The entry that fracas.gdextension names.
extern "C" EXPORTED GDExtensionBool fracas_godot_init(GDExtensionInterfaceGetProcAddress get_proc_address, GDExtensionClassLibraryPtr own,
                                                      GDExtensionInitialization *initialization) {
    find = get_proc_address;
    library = own;
    initialization->minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE;
    initialization->userdata = nullptr;
    initialization->initialize = initialize;
    initialization->deinitialize = deinitialize;
    return 1;
}
