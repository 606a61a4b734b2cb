// FracasBody for Godot 3: a NativeScript. See body.hpp; this file converts variants and registers the methods.
#include "body.hpp"

#include <gdnative_api_struct.gen.h>

#include <cstring>

using namespace fracas_godot;

namespace {

const godot_gdnative_core_api_struct *api = nullptr;
const godot_gdnative_ext_nativescript_api_struct *script_api = nullptr;
const godot_gdnative_ext_nativescript_1_1_api_struct *tag_api = nullptr;
godot_object *library = nullptr;
const char tag = 0;

static_assert(sizeof(Vector3) == sizeof(godot_vector3) && sizeof(Vector2) == sizeof(godot_vector2));
static_assert(sizeof(Basis) == sizeof(godot_basis) && sizeof(Transform) == sizeof(godot_transform));

/// Plain data of the engine, which has the same layout.
template <class To, class From>
To same(const From &from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(static_cast<void *>(&to), &from, sizeof to);
    return to;
}

/// The functions of a pool array that are used.
template <class T, class Array, class Read, class Write>
struct Pool {
    Array (*as)(const godot_variant *);
    void (*to_variant)(godot_variant *, const Array *);
    void (*create)(Array *);
    void (*destroy)(Array *);
    godot_int (*size)(const Array *);
    void (*resize)(Array *, godot_int);
    Read *(*read)(const Array *);
    const T *(*read_at)(const Read *);
    void (*read_end)(Read *);
    Write *(*write)(Array *);
    T *(*write_at)(const Write *);
    void (*write_end)(Write *);

    template <class Item>
    std::vector<Item> from(const godot_variant *variant) const {
        Array array = as(variant);
        std::vector<Item> items(static_cast<std::size_t>(size(&array)));
        if (!items.empty()) {
            Read *access = read(&array);
            std::memcpy(static_cast<void *>(items.data()), read_at(access), items.size() * sizeof(Item));
            read_end(access);
        }
        destroy(&array);
        return items;
    }
    template <class Item>
    void to(godot_variant *variant, const std::vector<Item> &items) const {
        static_assert(sizeof(Item) == sizeof(T));
        Array array;
        create(&array);
        if (!items.empty()) {
            resize(&array, static_cast<godot_int>(items.size()));
            Write *access = write(&array);
            std::memcpy(static_cast<void *>(write_at(access)), items.data(), items.size() * sizeof(Item));
            write_end(access);
        }
        to_variant(variant, &array);
        destroy(&array);
    }
};
#define POOL(T, NAME)                                                                                                                      \
    Pool<T, godot_##NAME, godot_##NAME##_read_access, godot_##NAME##_write_access> {                                                       \
        api->godot_variant_as_##NAME, api->godot_variant_new_##NAME, api->godot_##NAME##_new, api->godot_##NAME##_destroy,                 \
            api->godot_##NAME##_size, api->godot_##NAME##_resize, api->godot_##NAME##_read, api->godot_##NAME##_read_access_ptr,           \
            api->godot_##NAME##_read_access_destroy, api->godot_##NAME##_write, api->godot_##NAME##_write_access_ptr,                      \
            api->godot_##NAME##_write_access_destroy                                                                                       \
    }

godot_variant string_variant(const char *text) {
    godot_string string = api->godot_string_chars_to_utf8(text);
    godot_variant variant;
    api->godot_variant_new_string(&variant, &string);
    api->godot_string_destroy(&string);
    return variant;
}

/// Of an object of our class; null for any other.
Body *body_of(godot_object *object) {
    return object && tag_api->godot_nativescript_get_type_tag(object) == &tag
               ? static_cast<Body *>(script_api->godot_nativescript_get_userdata(object))
               : nullptr;
}

/// Calls a method of the engine; the arguments are destroyed.
godot_variant call(const char *type, const char *method, godot_object *object, godot_variant *arguments, int count) {
    const godot_variant *list[1] = {arguments};
    godot_variant_call_error error;
    godot_variant result = api->godot_method_bind_call(api->godot_method_bind_get_method(type, method), object, list, count, &error);
    for (int k = 0; k < count; ++k) api->godot_variant_destroy(&arguments[k]);
    return result;
}

/// A new FracasBody for the script.
godot_variant new_body(const Shared &piece) {
    godot_object *script = api->godot_get_class_constructor("NativeScript")();
    godot_variant owner, argument;
    api->godot_variant_new_object(&owner, script); // keeps the script until the body does
    api->godot_variant_new_object(&argument, library);
    godot_variant ignored = call("NativeScript", "set_library", script, &argument, 1);
    api->godot_variant_destroy(&ignored);
    argument = string_variant("FracasBody");
    ignored = call("NativeScript", "set_class_name", script, &argument, 1);
    api->godot_variant_destroy(&ignored);
    godot_variant made = call("NativeScript", "new", script, nullptr, 0);
    if (Body *body = body_of(api->godot_variant_as_object(&made))) body->piece = piece;
    api->godot_variant_destroy(&owner);
    return made;
}

Value to_value(const godot_variant *variant) {
    switch (api->godot_variant_get_type(variant)) {
    case GODOT_VARIANT_TYPE_BOOL: return bool(api->godot_variant_as_bool(variant));
    case GODOT_VARIANT_TYPE_INT: return std::int64_t(api->godot_variant_as_int(variant));
    case GODOT_VARIANT_TYPE_REAL: return api->godot_variant_as_real(variant);
    case GODOT_VARIANT_TYPE_VECTOR3: return same<Vector3>(api->godot_variant_as_vector3(variant));
    case GODOT_VARIANT_TYPE_BASIS: return same<Basis>(api->godot_variant_as_basis(variant));
    case GODOT_VARIANT_TYPE_TRANSFORM: return same<Transform>(api->godot_variant_as_transform(variant));
    case GODOT_VARIANT_TYPE_POOL_VECTOR2_ARRAY: return POOL(godot_vector2, pool_vector2_array).from<Vector2>(variant);
    case GODOT_VARIANT_TYPE_POOL_VECTOR3_ARRAY: return POOL(godot_vector3, pool_vector3_array).from<Vector3>(variant);
    case GODOT_VARIANT_TYPE_POOL_INT_ARRAY: return POOL(godot_int, pool_int_array).from<std::int32_t>(variant);
    case GODOT_VARIANT_TYPE_POOL_BYTE_ARRAY: return POOL(std::uint8_t, pool_byte_array).from<std::uint8_t>(variant);
    case GODOT_VARIANT_TYPE_OBJECT:
        if (const Body *body = body_of(api->godot_variant_as_object(variant))) return body->piece;
        return {};
    case GODOT_VARIANT_TYPE_ARRAY: {
        godot_array array = api->godot_variant_as_array(variant);
        List list;
        for (godot_int k = 0; k < api->godot_array_size(&array); ++k)
            list.push_back(to_value(api->godot_array_operator_index_const(&array, k)));
        api->godot_array_destroy(&array);
        return list;
    }
    default: return {};
    }
}

godot_variant to_variant(const Value &value) {
    godot_variant variant;
    switch (value.type()) {
    case Type::boolean: api->godot_variant_new_bool(&variant, std::get<bool>(value)); break;
    case Type::integer: api->godot_variant_new_int(&variant, std::get<std::int64_t>(value)); break;
    case Type::number: api->godot_variant_new_real(&variant, std::get<double>(value)); break;
    case Type::text: variant = string_variant(std::get<std::string>(value).c_str()); break;
    case Type::vector3: {
        const auto v = same<godot_vector3>(std::get<Vector3>(value));
        api->godot_variant_new_vector3(&variant, &v);
        break;
    }
    case Type::basis: {
        const auto v = same<godot_basis>(std::get<Basis>(value));
        api->godot_variant_new_basis(&variant, &v);
        break;
    }
    case Type::transform: {
        const auto v = same<godot_transform>(std::get<Transform>(value));
        api->godot_variant_new_transform(&variant, &v);
        break;
    }
    case Type::vectors2: POOL(godot_vector2, pool_vector2_array).to(&variant, std::get<std::vector<Vector2>>(value)); break;
    case Type::vectors3: POOL(godot_vector3, pool_vector3_array).to(&variant, std::get<std::vector<Vector3>>(value)); break;
    case Type::integers: POOL(godot_int, pool_int_array).to(&variant, std::get<std::vector<std::int32_t>>(value)); break;
    case Type::bytes: POOL(std::uint8_t, pool_byte_array).to(&variant, std::get<std::vector<std::uint8_t>>(value)); break;
    case Type::body: variant = new_body(std::get<Shared>(value)); break;
    case Type::list: {
        godot_array array;
        api->godot_array_new(&array);
        for (const Value &item : std::get<List>(value)) {
            godot_variant converted = to_variant(item);
            api->godot_array_append(&array, &converted);
            api->godot_variant_destroy(&converted);
        }
        api->godot_variant_new_array(&variant, &array);
        api->godot_array_destroy(&array);
        break;
    }
    case Type::record: {
        godot_dictionary dictionary;
        api->godot_dictionary_new(&dictionary);
        for (const auto &[name, item] : std::get<Record>(value)) {
            godot_variant key = string_variant(name), converted = to_variant(item);
            api->godot_dictionary_set(&dictionary, &key, &converted);
            api->godot_variant_destroy(&key);
            api->godot_variant_destroy(&converted);
        }
        api->godot_variant_new_dictionary(&variant, &dictionary);
        api->godot_dictionary_destroy(&dictionary);
        break;
    }
    case Type::nil: api->godot_variant_new_nil(&variant); break;
    }
    return variant;
}

godot_variant GDAPI invoked(godot_object *, void *method, void *self, int count, godot_variant **arguments) {
    List list;
    for (int k = 0; k < count; ++k) list.push_back(to_value(arguments[k]));
    const Method &called = *static_cast<const Method *>(method);
    std::string error;
    const Value result = invoke(called, *static_cast<Body *>(self), std::move(list), error);
    if (!error.empty()) api->godot_print_error(error.c_str(), called.name, "FracasBody", 0);
    return to_variant(result);
}

void *GDAPI created(godot_object *, void *) { return new Body; }
void GDAPI destroyed(godot_object *, void *, void *self) { delete static_cast<Body *>(self); }

} // namespace

#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

extern "C" {

EXPORTED void godot_gdnative_init(godot_gdnative_init_options *options) {
    api = options->api_struct;
    library = options->gd_native_library;
    for (unsigned int k = 0; k < api->num_extensions; ++k)
        if (api->extensions[k]->type == GDNATIVE_EXT_NATIVESCRIPT) {
            script_api = reinterpret_cast<const godot_gdnative_ext_nativescript_api_struct *>(api->extensions[k]);
            tag_api = reinterpret_cast<const godot_gdnative_ext_nativescript_1_1_api_struct *>(script_api->next);
        }
    set_index_slot(8);
    start([](const char *sentence) { api->godot_print_warning(sentence, "", "Fracas", 0); });
}

EXPORTED void godot_gdnative_terminate(godot_gdnative_terminate_options *) { stop(); }

EXPORTED void godot_nativescript_init(void *handle) {
    script_api->godot_nativescript_register_class(handle, "FracasBody", "Reference", {created, nullptr, nullptr},
                                                  {destroyed, nullptr, nullptr});
    tag_api->godot_nativescript_set_type_tag(handle, "FracasBody", &tag);
    for (const Method &method : methods())
        script_api->godot_nativescript_register_method(handle, "FracasBody", method.name, {GODOT_METHOD_RPC_MODE_DISABLED},
                                                       {invoked, const_cast<Method *>(&method), nullptr});
}

} // extern "C"
