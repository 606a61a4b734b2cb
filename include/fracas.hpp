// Fracas for C++17: wraps fracas.h with owning handles, spans and defaults. Header-only; needs no exceptions and no
// RTTI, and adds no cost to the C calls. The documentation of a call in fracas.h also holds for its wrapper here.
//
// Calls that can fail return a Result, which must be checked: `if (auto hit = object.ray_cast(...)) use(*hit);`.
// Owners have the size of their handle, are move-only, and destroy what they own.
#ifndef FRACAS_HPP
#define FRACAS_HPP

#include "fracas.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace fracas {

/// A non-owning view of contiguous elements: an array, a vector, a pointer and a count.
template <class T>
class Span {
public:
    constexpr Span() = default;
    constexpr Span(T *data, std::size_t size) : data_(data), size_(size) {}
    template <std::size_t N>
    constexpr Span(T (&array)[N]) : data_(array), size_(N) {}
    /// Anything with data() and size(), such as std::vector, std::array and std::span.
    template <class C, class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C &>().data()), T *>>>
    constexpr Span(C &&container) : data_(container.data()), size_(container.size()) {}

    constexpr T *data() const { return data_; }
    constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(size_); }
    constexpr T *begin() const { return data_; }
    constexpr T *end() const { return data_ + size_; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/// A status, and a value if the call succeeded.
template <class T>
class [[nodiscard]] Result {
public:
    Result(fc_status status) : status_(status) {}
    Result(fc_status status, T value) : status_(status), value_(std::move(value)) {}

    /// FC_OK, a remark (> 0) or an error (< 0).
    fc_status status() const { return status_; }
    /// True if there is a value: the call succeeded, and what looks for a hit found one.
    explicit operator bool() const { return status_ >= FC_OK && status_ != FC_NO_HIT; }
    T &operator*() { return value_; }
    const T &operator*() const { return value_; }
    T *operator->() { return &value_; }
    const T *operator->() const { return &value_; }
    /// Moves the value out; a default-constructed one if there is none.
    T take() { return std::move(value_); }

private:
    fc_status status_;
    T value_{};
};

/// Error text of this thread's last failure.
inline const char *last_error() { return fc_last_error(); }

/// What a call fails with that was given an array with too few elements; `last_error()` then names it and both numbers.
[[nodiscard]] inline fc_status too_short(const char *array, std::uint64_t size, std::uint64_t wanted) {
    char text[160];
    std::snprintf(text, sizeof text, "%s is too short: it has %llu of %llu elements", array, static_cast<unsigned long long>(size),
                  static_cast<unsigned long long>(wanted));
    fc_set_last_error(text);
    return FC_ERROR_CAPACITY;
}

/// A pose without rotation: identity, or a translation.
inline fc_pose pose_at(double x = 0, double y = 0, double z = 0) { return fc_pose{{x, y, z}, {0, 0, 0, 1}}; }

/// The inertia of a body about its centre of mass as a matrix of three rows: element 3 * row + column, kg m². (fc_mass has
/// the six numbers of the symmetric tensor in the order xx, yy, zz, xy, yz, zx.)
inline std::array<double, 9> inertia_matrix(const fc_mass &mass) {
    std::array<double, 9> matrix;
    fc_mass_inertia_matrix(&mass, matrix.data());
    return matrix;
}

/// The point of a contact in the world, given the position of the first body of its query: points are relative to that, so
/// that floats suffice in a large world.
inline std::array<double, 3> world_point(const fc_contact &contact, const fc_pose &pose_a) {
    return {pose_a.position[0] + contact.point[0], pose_a.position[1] + contact.point[1], pose_a.position[2] + contact.point[2]};
}

/// Descriptors filled with their defaults.
inline fc_asset_desc asset_desc() { fc_asset_desc d; fc_asset_desc_default(&d); return d; }
inline fc_object_desc object_desc() { fc_object_desc d; fc_object_desc_default(&d); return d; }
inline fc_query_desc query_desc() { fc_query_desc d; fc_query_desc_default(&d); return d; }
inline fc_sweep_desc sweep_desc() { fc_sweep_desc d; fc_sweep_desc_default(&d); return d; }
inline fc_scene_desc scene_desc() { fc_scene_desc d; fc_scene_desc_default(&d); return d; }
inline fc_body_desc body_desc() { fc_body_desc d; fc_body_desc_default(&d); return d; }
inline fc_ccd_desc ccd_desc() { fc_ccd_desc d; fc_ccd_desc_default(&d); return d; }
inline fc_soft_desc soft_desc() { fc_soft_desc d; fc_soft_desc_default(&d); return d; }
inline fc_penalty_desc penalty_desc() { fc_penalty_desc d; fc_penalty_desc_default(&d); return d; }
inline fc_voxtree_desc voxtree_desc() { fc_voxtree_desc d; fc_voxtree_desc_default(&d); return d; }
inline fc_voxtree_query_desc voxtree_query_desc() { fc_voxtree_query_desc d; fc_voxtree_query_desc_default(&d); return d; }
inline fc_debug_draw debug_draw() { fc_debug_draw d; fc_debug_draw_default(&d); return d; }
inline fc_fracture_desc fracture_desc(std::uint32_t pattern) {
    fc_fracture_desc d;
    fc_fracture_desc_default(&d);
    d.pattern = pattern;
    return d;
}

/// Owns a handle. `End` is the C function that destroys it.
template <class Handle, fc_status (*End)(Handle)>
class Owner {
public:
    constexpr Owner() = default;
    /// Takes ownership of a C handle.
    explicit constexpr Owner(Handle handle) : handle_(handle) {}
    Owner(Owner &&other) noexcept : handle_(other.release()) {}
    Owner &operator=(Owner &&other) noexcept {
        if (this != &other) { reset(); handle_ = other.release(); }
        return *this;
    }
    Owner(const Owner &) = delete;
    Owner &operator=(const Owner &) = delete;
    ~Owner() { reset(); }

    /// Returns the C handle and keeps ownership.
    Handle get() const { return handle_; }
    /// Returns the C handle and gives up ownership.
    Handle release() noexcept { return std::exchange(handle_, Handle{0}); }
    /// Destroys it now.
    void reset() noexcept { if (handle_.id != 0) End(release()); }
    explicit operator bool() const { return handle_.id != 0; }

private:
    Handle handle_{0};
};

/// A cooked solid. Objects keep the data that they need of it.
class Asset : public Owner<fc_asset, fc_asset_release> {
public:
    using Owner::Owner;

    static Result<Asset> create(const fc_asset_desc &desc) {
        fc_asset handle{0};
        const fc_status status = fc_asset_create(&desc, &handle);
        return {status, Asset(handle)};
    }
    /// From three floats per node and four node indices per tetrahedron.
    static Result<Asset> create(Span<const float> positions, Span<const std::uint32_t> tets, float density = 1000) {
        fc_asset_desc desc = asset_desc();
        desc.positions = positions.data();
        desc.node_count = positions.size() / 3;
        desc.tets = tets.data();
        desc.tet_count = tets.size() / 4;
        desc.density = density;
        return create(desc);
    }
    /// From a closed surface, which is filled with tetrahedra and, with FC_ASSET_KEEP_SURFACE in `flags`, drawn: three
    /// floats per vertex and three indices per triangle; optionally two texture coordinates per vertex and one material
    /// per triangle.
    static Result<Asset> from_surface(Span<const float> positions, Span<const std::uint32_t> triangles,
                                      std::uint32_t flags = FC_ASSET_KEEP_SURFACE, float density = 1000,
                                      Span<const float> uvs = {}, Span<const std::uint32_t> materials = {}) {
        const std::uint32_t vertices = positions.size() / 3, faces = triangles.size() / 3;
        if (uvs.size() != 0 && uvs.size() / 2 < vertices) return too_short("uvs", uvs.size(), 2 * std::uint64_t(vertices));
        if (materials.size() != 0 && materials.size() < faces) return too_short("materials", materials.size(), faces);
        fc_asset_desc desc = asset_desc();
        desc.positions = positions.data();
        desc.node_count = positions.size() / 3;
        desc.triangles = triangles.data();
        desc.triangle_count = triangles.size() / 3;
        desc.flags = flags;
        desc.density = density;
        desc.uvs = uvs.size() > 0 ? uvs.data() : nullptr;
        desc.materials = materials.size() > 0 ? materials.data() : nullptr;
        return create(desc);
    }
    Result<fc_asset_info> info() const {
        fc_asset_info info;
        fc_asset_info_default(&info);
        const fc_status status = fc_asset_get_info(get(), &info);
        return {status, info};
    }
    /// Serializes the asset to a block of bytes, for load().
    Result<std::vector<std::uint8_t>> save() const {
        std::uint64_t size = 0;
        fc_status status = fc_asset_save(get(), nullptr, 0, &size);
        if (status < 0) return status;
        std::vector<std::uint8_t> bytes(size);
        status = fc_asset_save(get(), bytes.data(), size, &size);
        return {status, std::move(bytes)};
    }
    static Result<Asset> load(Span<const std::uint8_t> bytes) {
        fc_asset handle{0};
        const fc_status status = fc_asset_load(bytes.data(), bytes.size(), &handle);
        return {status, Asset(handle)};
    }
    Result<std::vector<fc_skin_triangle>> skin() const {
        std::uint32_t count = 0;
        fc_status status = fc_asset_skin(get(), nullptr, 0, &count);
        if (status < 0) return status;
        std::vector<fc_skin_triangle> triangles(count);
        status = fc_asset_skin(get(), triangles.data(), count, &count);
        return {status, std::move(triangles)};
    }
};

/// A convex hull to query against.
class Hull : public Owner<fc_hull, fc_hull_destroy> {
public:
    using Owner::Owner;

    /// From four floats per plane: outward normal and offset.
    static Result<Hull> create(Span<const float> planes) {
        fc_hull handle{0};
        const fc_status status = fc_hull_create(planes.data(), planes.size() / 4, 0, &handle);
        return {status, Hull(handle)};
    }
};

/// The collision surface of an object: three floats per vertex, and triangles.
struct Surface {
    std::vector<float> positions;
    std::vector<fc_triangle> triangles;
};

/// The render mesh of an object.
struct Drawing {
    std::vector<fc_vertex> vertices;
    std::vector<fc_drawn_triangle> triangles;
    fc_drawing_info info;
};

struct SignedDistance {
    double distance;
    float outward[3];
};

/// A rigid body, intact or a fragment.
class Object : public Owner<fc_object, fc_object_destroy> {
public:
    using Owner::Owner;

    static Result<Object> create(const Asset &asset, const fc_object_desc *desc = nullptr) {
        fc_object handle{0};
        const fc_status status = fc_object_create(asset.get(), desc, &handle);
        return {status, Object(handle)};
    }
    Result<fc_object_info> info() const {
        fc_object_info info;
        fc_object_info_default(&info);
        const fc_status status = fc_object_get_info(get(), &info);
        return {status, info};
    }
    /// Builds the data that its first contact query would build: see fc_object_prepare.
    fc_status prepare() const { return fc_object_prepare(get()); }
    Result<fc_object_memory> memory() const {
        fc_object_memory memory;
        fc_object_memory_default(&memory);
        const fc_status status = fc_object_get_memory(get(), &memory);
        return {status, memory};
    }
    Result<std::uint64_t> user_data() const {
        std::uint64_t value = 0;
        const fc_status status = fc_object_get_user_data(get(), &value);
        return {status, value};
    }
    fc_status set_user_data(std::uint64_t value) const { return fc_object_set_user_data(get(), value); }
    /// In the object's frame.
    Result<fc_aabb> bounds() const { return bounds_at(nullptr); }
    /// In world space.
    Result<fc_aabb> bounds(const fc_pose &pose) const { return bounds_at(&pose); }
    Result<fc_mass> mass() const {
        fc_mass mass{};
        const fc_status status = fc_object_mass(get(), &mass);
        return {status, mass};
    }
    Result<Surface> surface() const {
        std::uint32_t vertices = 0, triangles = 0;
        fc_status status = fc_object_surface(get(), nullptr, 0, &vertices, nullptr, 0, &triangles);
        if (status < 0) return status;
        Surface surface;
        surface.positions.resize(3 * std::size_t(vertices));
        surface.triangles.resize(triangles);
        status = fc_object_surface(get(), surface.positions.data(), vertices, &vertices, surface.triangles.data(), triangles,
                                   &triangles);
        return {status, std::move(surface)};
    }
    Result<Drawing> drawing() const {
        std::uint32_t vertices = 0, triangles = 0;
        fc_status status = fc_object_drawing(get(), nullptr, 0, &vertices, nullptr, 0, &triangles, nullptr);
        if (status < 0) return status;
        Drawing drawing;
        fc_drawing_info_default(&drawing.info);
        drawing.vertices.resize(vertices);
        drawing.triangles.resize(triangles);
        status = fc_object_drawing(get(), drawing.vertices.data(), vertices, &vertices, drawing.triangles.data(), triangles,
                                   &triangles, &drawing.info);
        return {status, std::move(drawing)};
    }
    Result<std::vector<fc_adjacency>> adjacency() const {
        std::uint32_t count = 0;
        fc_status status = fc_object_adjacency(get(), nullptr, 0, &count);
        if (status < 0) return status;
        std::vector<fc_adjacency> pairs(count);
        status = fc_object_adjacency(get(), pairs.data(), count, &count);
        return {status, std::move(pairs)};
    }
    /// The planes that cut it out of the original body; none for a union, a rough fragment and an intact object. See
    /// fc_object_get_planes for what they bound and what they do not. Its kind is in info().
    Result<std::vector<fc_plane>> planes() const {
        std::uint32_t count = 0;
        fc_status status = fc_object_get_planes(get(), nullptr, 0, &count);
        if (status < 0) return status;
        std::vector<fc_plane> planes(count);
        status = fc_object_get_planes(get(), planes.data(), count, &count);
        return {status, std::move(planes)};
    }
    Result<SignedDistance> signed_distance(const fc_pose &pose, const double (&point)[3]) const {
        SignedDistance found{};
        const fc_status status = fc_object_signed_distance(get(), &pose, point, &found.distance, found.outward);
        return {status, found};
    }
    /// FC_NO_HIT and no value if the ray hits nothing.
    Result<fc_ray_hit> ray_cast(const fc_pose &pose, const double (&origin)[3], const float (&direction)[3],
                                double max_distance) const {
        fc_ray_hit hit{};
        const fc_status status = fc_object_ray_cast(get(), &pose, origin, direction, max_distance, &hit);
        return {status, hit};
    }
    Result<fc_feature> feature(std::uint32_t feature) const {
        fc_feature info{};
        const fc_status status = fc_object_feature(get(), feature, &info);
        return {status, info};
    }
    Result<std::uint64_t> state_hash() const {
        std::uint64_t hash = 0;
        const fc_status status = fc_object_state_hash(get(), &hash);
        return {status, hash};
    }

private:
    Result<fc_aabb> bounds_at(const fc_pose *pose) const {
        fc_aabb bounds{};
        const fc_status status = fc_object_bounds(get(), pose, &bounds);
        return {status, bounds};
    }
};

/// Breaks an object. Returns FC_UNCHANGED and no fragments if nothing was cut. The object stays unchanged. The first
/// attempt has a capacity of 1024 fragments; if there are more, the fracture is computed a second time with enough
/// capacity.
inline Result<std::vector<Object>> fracture(const Object &object, const fc_fracture_desc &desc,
                                            fc_fracture_info *info = nullptr) {
    std::uint32_t bound = 0;
    fc_status status = fc_fracture_bound(object.get(), &desc, &bound);
    if (status < 0) return status;
    std::uint32_t room = bound < 1024 ? bound : 1024, count = 0;
    std::vector<fc_object> handles(room);
    status = fc_fracture(object.get(), &desc, handles.data(), room, &count, info);
    if (status == FC_ERROR_CAPACITY) {
        handles.resize(room = count);
        status = fc_fracture(object.get(), &desc, handles.data(), room, &count, info);
    }
    if (status < 0) return status;
    std::vector<Object> fragments;
    fragments.reserve(count);
    for (std::uint32_t k = 0; k < count; ++k) fragments.emplace_back(handles[k]);
    return {status, std::move(fragments)};
}

/// Serializes objects of one asset to a block of bytes. Save fragments of one body together: see fc_object_save.
inline Result<std::vector<std::uint8_t>> save(Span<const fc_object> objects) {
    std::uint64_t size = 0;
    fc_status status = fc_object_save(objects.data(), objects.size(), nullptr, 0, &size);
    if (status < 0) return status;
    std::vector<std::uint8_t> bytes(size);
    status = fc_object_save(objects.data(), objects.size(), bytes.data(), size, &size);
    return {status, std::move(bytes)};
}
inline Result<std::vector<std::uint8_t>> save(Span<const Object> objects) {
    std::vector<fc_object> handles;
    for (const Object &object : objects) handles.push_back(object.get());
    return save(Span<const fc_object>(handles.data(), handles.size()));
}

/// Loads the objects of such a block, in the order in which they were saved.
inline Result<std::vector<Object>> load(Span<const std::uint8_t> bytes, const Asset &asset) {
    std::uint32_t count = 0;
    fc_status status = fc_object_load(bytes.data(), bytes.size(), asset.get(), nullptr, 0, &count);
    if (status < 0 && status != FC_ERROR_CAPACITY) return status;
    std::vector<fc_object> handles(count);
    status = fc_object_load(bytes.data(), bytes.size(), asset.get(), handles.data(), count, &count);
    if (status < 0) return status;
    std::vector<Object> objects;
    for (const fc_object &handle : handles) objects.emplace_back(handle);
    return {status, std::move(objects)};
}

/// The number of contacts that a query wrote into `room` places, given the number that it found, which goes to `found`.
inline Result<std::uint32_t> written(fc_status status, std::uint32_t count, std::uint32_t room, std::uint32_t *found) {
    if (found && status >= FC_OK) *found = count;
    return {status, count < room ? count : room};
}

/// Writes the contacts between two objects to `contacts`; returns how many it wrote, never more than fit. If more were
/// found, the status is FC_INCOMPLETE, and `found` gets their number, if it is given.
inline Result<std::uint32_t> query_pair(const Object &a, const fc_pose &pose_a, const Object &b, const fc_pose &pose_b,
                                        Span<fc_contact> contacts, const fc_query_desc *desc = nullptr,
                                        std::uint32_t *found = nullptr) {
    std::uint32_t count = 0;
    const fc_status status =
        fc_query_pair(a.get(), &pose_a, b.get(), &pose_b, desc, contacts.data(), contacts.size(), &count);
    return written(status, count, contacts.size(), found);
}

/// Writes the contacts between an object and a shape to `contacts`; returns how many it wrote, as query_pair does.
inline Result<std::uint32_t> query_shape(const Object &a, const fc_pose &pose_a, const fc_shape &shape,
                                         const fc_pose &pose_shape, Span<fc_contact> contacts,
                                         const fc_query_desc *desc = nullptr, std::uint32_t *found = nullptr) {
    std::uint32_t count = 0;
    const fc_status status =
        fc_query_shape(a.get(), &pose_a, &shape, &pose_shape, desc, contacts.data(), contacts.size(), &count);
    return written(status, count, contacts.size(), found);
}

/// Finds the contacts of many pairs. `offsets` has one element more than `pairs`; `statuses` has as many or none. Those
/// of pair k are contacts[offsets[k]] to contacts[offsets[k + 1] - 1], and all of them are there: what does not fit is left
/// out, from the last pair on, and `found` gets the number of all, if it is given.
[[nodiscard]] inline fc_status query_pairs(Span<const fc_pair> pairs, Span<fc_contact> contacts,
                                           Span<std::uint32_t> offsets, Span<fc_status> statuses = {},
                                           const fc_query_desc *desc = nullptr, std::uint32_t *found = nullptr) {
    const std::uint32_t count = pairs.size();
    if (offsets.size() <= count) return too_short("offsets", offsets.size(), std::uint64_t(count) + 1);
    if (statuses.size() != 0 && statuses.size() < count) return too_short("statuses", statuses.size(), count);
    const fc_status status = fc_query_pairs(pairs.data(), count, desc, contacts.data(), contacts.size(), offsets.data(),
                                            statuses.data());
    if (status < FC_OK) return status;
    if (found) *found = offsets.data()[count];
    for (std::uint32_t k = count + 1; k-- > 0 && offsets.data()[k] > contacts.size();) offsets.data()[k] = contacts.size();
    return status;
}

/// The first touch of two moving objects. FC_NO_HIT and no value if they do not touch.
inline Result<fc_sweep_hit> sweep_pair(const Object &a, const fc_pose &start_a, const fc_pose &end_a, const Object &b,
                                       const fc_pose &start_b, const fc_pose &end_b, const fc_sweep_desc *desc = nullptr) {
    fc_sweep_hit hit{};
    const fc_status status = fc_sweep_pair(a.get(), &start_a, &end_a, b.get(), &start_b, &end_b, desc, &hit);
    return {status, hit};
}

/// The first touch of a moving object and a moving shape. FC_NO_HIT and no value if they do not touch.
inline Result<fc_sweep_hit> sweep_shape(const Object &a, const fc_pose &start_a, const fc_pose &end_a, const fc_shape &shape,
                                        const fc_pose &start_shape, const fc_pose &end_shape,
                                        const fc_sweep_desc *desc = nullptr) {
    fc_sweep_hit hit{};
    const fc_status status = fc_sweep_shape(a.get(), &start_a, &end_a, &shape, &start_shape, &end_shape, desc, &hit);
    return {status, hit};
}

/// Sweeps many pairs. `hits` has as many elements as `sweeps`, with time 2 for those that do not touch; `statuses` has as many
/// or none.
[[nodiscard]] inline fc_status sweep_pairs(Span<const fc_sweep> sweeps, Span<fc_sweep_hit> hits,
                                           Span<fc_status> statuses = {}, const fc_sweep_desc *desc = nullptr) {
    if (hits.size() < sweeps.size()) return too_short("hits", hits.size(), sweeps.size());
    if (statuses.size() != 0 && statuses.size() < sweeps.size()) return too_short("statuses", statuses.size(), sweeps.size());
    return fc_sweep_pairs(sweeps.data(), sweeps.size(), desc, hits.data(), statuses.data());
}

/// Distance and closest points of two objects. FC_NO_HIT and no value if they are farther apart than `range`.
inline Result<fc_distance> distance_pair(const Object &a, const fc_pose &pose_a, const Object &b, const fc_pose &pose_b,
                                         double range = std::numeric_limits<double>::infinity()) {
    fc_distance closest{};
    const fc_status status = fc_distance_pair(a.get(), &pose_a, b.get(), &pose_b, range, &closest);
    return {status, closest};
}

/// Distance and closest points of an object and a shape. FC_NO_HIT and no value if they are farther apart than `range`.
inline Result<fc_distance> distance_shape(const Object &a, const fc_pose &pose_a, const fc_shape &shape,
                                          const fc_pose &pose_shape,
                                          double range = std::numeric_limits<double>::infinity()) {
    fc_distance closest{};
    const fc_status status = fc_distance_shape(a.get(), &pose_a, &shape, &pose_shape, range, &closest);
    return {status, closest};
}

/// Reduces contacts of one or several pairs in place, as queries do; returns the number that remain. 0 means no limit.
inline Result<std::uint32_t> reduce_contacts(Span<fc_contact> contacts, std::uint32_t max_per_normal = 4,
                                             std::uint32_t max_contacts = 0) {
    std::uint32_t count = 0;
    const fc_status status = fc_reduce_contacts(contacts.data(), contacts.size(), max_per_normal, max_contacts,
                                                contacts.data(), contacts.size(), &count);
    return {status, count};
}

/// Statistics of this thread's last successful query.
inline fc_query_stats query_stats() {
    fc_query_stats stats;
    fc_query_stats_default(&stats);
    (void)fc_query_get_stats(&stats);
    return stats;
}

/// Fills a vector by a query: uses the capacity that it has, and repeats the query once if that was too small.
template <class T, class Query>
fc_status filled(std::vector<T> &found, Query query) {
    std::uint32_t count = 0;
    found.resize(found.capacity() < 64 ? 64 : found.capacity());
    fc_status status = query(found.data(), static_cast<std::uint32_t>(found.size()), &count);
    if (status == FC_INCOMPLETE) {
        found.resize(count);
        status = query(found.data(), count, &count);
    }
    found.resize(count);
    return status;
}

/// A mesh for a body of a scene: three floats per vertex, relative to the scene's origin, and three indices per triangle;
/// for parts of a split optionally the old triangle of each (not used unless there is one for each). All must live as long
/// as the mesh is used.
inline fc_body_mesh body_mesh(Span<const float> positions, Span<const std::uint32_t> triangles,
                              Span<const std::uint32_t> sources = {}) {
    fc_body_mesh mesh;
    fc_body_mesh_default(&mesh);
    mesh.positions = positions.data();
    mesh.vertex_count = positions.size() / 3;
    mesh.triangles = triangles.data();
    mesh.triangle_count = triangles.size() / 3;
    mesh.sources = sources.size() == mesh.triangle_count ? sources.data() : nullptr;
    return mesh;
}
/// The same with three doubles per vertex, world space.
inline fc_body_mesh body_mesh(Span<const double> positions, Span<const std::uint32_t> triangles,
                              Span<const std::uint32_t> sources = {}) {
    fc_body_mesh mesh = body_mesh(Span<const float>(), triangles, sources);
    mesh.positions_double = positions.data();
    mesh.vertex_count = positions.size() / 3;
    return mesh;
}

/// A scene of deforming triangle meshes. One thread at a time may change it, any number may query it between: calls that
/// change it are not const. Queries fill a vector of yours: they use the capacity that it has, and are repeated once if
/// that was too small, so keep it from frame to frame.
class Scene : public Owner<fc_scene, fc_scene_destroy> {
public:
    using Owner::Owner;

    static Result<Scene> create(const fc_scene_desc *desc = nullptr) {
        fc_scene handle{0};
        const fc_status status = fc_scene_create(desc, &handle);
        return {status, Scene(handle)};
    }
    Result<fc_scene_info> info() const {
        fc_scene_info info;
        fc_scene_info_default(&info);
        const fc_status status = fc_scene_get_info(get(), &info);
        return {status, info};
    }

    Result<fc_body> add(const fc_body_mesh &mesh, const fc_body_desc *desc = nullptr) {
        fc_body body{0};
        const fc_status status = fc_scene_add(get(), &mesh, desc, &body);
        return {status, body};
    }
    /// The collision surface of an object in a pose.
    Result<fc_body> add_object(const Object &object, const fc_pose &pose, const fc_body_desc *desc = nullptr) {
        fc_body body{0};
        const fc_status status = fc_scene_add_object(get(), object.get(), &pose, desc, &body);
        return {status, body};
    }
    /// The render mesh of an object in a pose.
    Result<fc_body> add_drawing(const Object &object, const fc_pose &pose, const fc_body_desc *desc = nullptr) {
        fc_body body{0};
        const fc_status status = fc_scene_add_drawing(get(), object.get(), &pose, desc, &body);
        return {status, body};
    }
    [[nodiscard]] fc_status remove(fc_body body) { return fc_scene_delete(get(), body); }
    /// One body for each part, in their order.
    Result<std::vector<fc_body>> split(fc_body body, Span<const fc_body_mesh> parts) {
        std::vector<fc_body> bodies(parts.size());
        const fc_status status = fc_scene_split(get(), body, parts.data(), parts.size(), bodies.data());
        if (status < 0) return status;
        return {status, std::move(bodies)};
    }
    /// One label per triangle, from 0 without gaps; one body for each.
    Result<std::vector<fc_body>> split_by_labels(fc_body body, Span<const std::uint32_t> labels) {
        std::uint32_t count = 0;
        for (const std::uint32_t label : labels) count = label >= count && label < labels.size() ? label + 1 : count;
        std::vector<fc_body> bodies(count);
        const fc_status status =
            fc_scene_split_by_labels(get(), body, labels.data(), labels.size(), bodies.data(), count, &count);
        if (status < 0) return status;
        return {status, std::move(bodies)};
    }
    /// Without a mesh: bodies that touch become one, with all their triangles.
    Result<fc_body> merge(Span<const fc_body> bodies, const fc_body_mesh *mesh = nullptr) {
        fc_body merged{0};
        const fc_status status = fc_scene_merge(get(), bodies.data(), bodies.size(), mesh, &merged);
        return {status, merged};
    }
    /// New positions of all vertices: three floats each, relative to the scene's origin.
    [[nodiscard]] fc_status move(fc_body body, Span<const float> positions) {
        return fc_scene_move(get(), body, positions.data(), positions.size() / 3, 0);
    }
    /// Three doubles each, world space.
    [[nodiscard]] fc_status move(fc_body body, Span<const double> positions) {
        return fc_scene_move_double(get(), body, positions.data(), positions.size() / 3, 0);
    }
    /// Once per frame, after all other changes; FC_UPDATE_CONTINUOUS for continuous queries.
    [[nodiscard]] fc_status update(std::uint32_t flags = 0) { return fc_scene_update(get(), flags); }

    [[nodiscard]] fc_status query_discrete(std::vector<fc_overlap> &found, std::uint32_t flags = 0) const {
        return filled(found, [&](fc_overlap *data, std::uint32_t room, std::uint32_t *count) {
            return fc_scene_query_discrete(get(), flags, data, room, count);
        });
    }
    [[nodiscard]] fc_status query_continuous(std::vector<fc_impact> &found, const fc_ccd_desc *desc = nullptr) const {
        return filled(found, [&](fc_impact *data, std::uint32_t room, std::uint32_t *count) {
            return fc_scene_query_continuous(get(), desc, data, room, count);
        });
    }
    [[nodiscard]] fc_status query_proximity(std::vector<fc_proximity> &found, double distance) const {
        return filled(found, [&](fc_proximity *data, std::uint32_t room, std::uint32_t *count) {
            return fc_scene_query_proximity(get(), distance, data, room, count);
        });
    }
    [[nodiscard]] fc_status query_object(std::vector<fc_scene_contact> &found, const Object &object, const fc_pose &pose,
                                         double margin = 0, std::uint32_t mask = 0xffffffffu) const {
        return filled(found, [&](fc_scene_contact *data, std::uint32_t room, std::uint32_t *count) {
            return fc_scene_query_object(get(), object.get(), &pose, margin, mask, data, room, count);
        });
    }
    /// FC_NO_HIT and no value if nothing meets in the step.
    Result<fc_impact> first_impact(const fc_ccd_desc *desc = nullptr) const {
        fc_impact impact{};
        const fc_status status = fc_scene_first_impact(get(), desc, &impact);
        return {status, impact};
    }
    /// FC_NO_HIT and no value if the ray hits nothing.
    Result<fc_scene_hit> ray_cast(const double (&origin)[3], const float (&direction)[3], double max_distance,
                                  std::uint32_t mask = 0xffffffffu) const {
        fc_scene_hit hit{};
        const fc_status status = fc_scene_ray_cast(get(), origin, direction, max_distance, mask, &hit);
        return {status, hit};
    }
};

/// Statistics of this thread's last successful discrete, continuous or proximity query of a scene.
inline fc_scene_stats scene_stats() {
    fc_scene_stats stats;
    fc_scene_stats_default(&stats);
    (void)fc_scene_get_stats(&stats);
    return stats;
}

/// Nodes and tetrahedra of an object, in its frame: four node indices each.
struct Tets {
    std::vector<fc_tet_node> nodes;
    std::vector<std::uint32_t> tets;
};

/// The tetrahedra of an object, intact or a fragment.
inline Result<Tets> object_tets(const Object &object) {
    Tets found;
    std::uint32_t nodes = 0, tets = 0;
    fc_status status = fc_object_tets(object.get(), nullptr, 0, &nodes, nullptr, 0, &tets);
    if (status < 0) return status;
    found.nodes.resize(nodes);
    found.tets.resize(std::size_t(4) * tets);
    status = fc_object_tets(object.get(), found.nodes.data(), nodes, &nodes, found.tets.data(), tets, &tets);
    return {status, std::move(found)};
}

/// Convex polyhedra that approximate an object: `parts` index into `positions` (three floats per vertex) and `triangles` (three vertex
/// indices per triangle).
struct ConvexParts {
    std::vector<fc_convex_part> parts;
    std::vector<float> positions;
    std::vector<std::uint32_t> triangles;
};

inline fc_convex_desc convex_desc() {
    fc_convex_desc desc;
    fc_convex_desc_default(&desc);
    return desc;
}

/// Convex colliders of an object for engines that take no custom shapes; NULL for the defaults.
inline Result<ConvexParts> convex_parts(const Object &object, const fc_convex_desc *desc = nullptr) {
    ConvexParts found;
    std::uint32_t parts = 0, vertices = 0, triangles = 0;
    fc_status status = fc_object_convex_parts(object.get(), desc, nullptr, 0, &parts, nullptr, 0, &vertices, nullptr, 0, &triangles);
    if (status < 0) return status;
    found.parts.resize(parts);
    found.positions.resize(std::size_t(3) * vertices);
    found.triangles.resize(std::size_t(3) * triangles);
    status = fc_object_convex_parts(object.get(), desc, found.parts.data(), parts, &parts, found.positions.data(), vertices, &vertices,
                                    found.triangles.data(), triangles, &triangles);
    return {status, std::move(found)};
}

/// A body of tetrahedra that deforms. One thread at a time may change it, any number may query it between: calls that
/// change it are not const. Queries fill a vector of yours, which keeps its capacity from step to step; the soft body is
/// the first of the two.
class Soft : public Owner<fc_soft, fc_soft_destroy> {
public:
    using Owner::Owner;

    static Result<Soft> create(const fc_soft_desc &desc) {
        fc_soft handle{0};
        const fc_status status = fc_soft_create(&desc, &handle);
        return {status, Soft(handle)};
    }
    /// From three floats per node and four node indices per tetrahedron.
    static Result<Soft> create(Span<const float> positions, Span<const std::uint32_t> tets, std::uint32_t flags = 0) {
        fc_soft_desc desc = soft_desc();
        desc.flags = flags;
        desc.positions = positions.data();
        desc.node_count = positions.size() / 3;
        desc.tets = tets.data();
        desc.tet_count = tets.size() / 4;
        return create(desc);
    }
    /// The same from three doubles per node, world space.
    static Result<Soft> create(Span<const double> positions, Span<const std::uint32_t> tets, std::uint32_t flags = 0) {
        fc_soft_desc desc = soft_desc();
        desc.flags = flags;
        desc.positions_double = positions.data();
        desc.node_count = positions.size() / 3;
        desc.tets = tets.data();
        desc.tet_count = tets.size() / 4;
        return create(desc);
    }
    Result<fc_soft_info> info() const {
        fc_soft_info info;
        fc_soft_info_default(&info);
        const fc_status status = fc_soft_get_info(get(), &info);
        return {status, info};
    }

    /// New positions of all nodes: three floats each, relative to the body's origin.
    [[nodiscard]] fc_status set_positions(Span<const float> positions) {
        return fc_soft_set_positions(get(), positions.data(), positions.size() / 3, 0);
    }
    /// Three doubles each, world space.
    [[nodiscard]] fc_status set_positions(Span<const double> positions) {
        return fc_soft_set_positions_double(get(), positions.data(), positions.size() / 3, 0);
    }
    /// A cut: tetrahedra that change, and nodes to be added, three doubles each, world space.
    [[nodiscard]] fc_status set_tets(Span<const fc_tet_change> changes, Span<const double> nodes = {}) {
        return fc_soft_set_tets(get(), changes.data(), changes.size(), nodes.data(), nodes.size() / 3);
    }
    /// Once per step, after all changes.
    [[nodiscard]] fc_status update() { return fc_soft_update(get()); }

    /// Three node indices per triangle.
    Result<std::vector<std::uint32_t>> boundary() const {
        std::uint32_t count = 0;
        fc_status status = fc_soft_boundary(get(), nullptr, 0, &count);
        if (status < 0) return status;
        std::vector<std::uint32_t> triangles(std::size_t(3) * count);
        status = fc_soft_boundary(get(), triangles.data(), count, &count);
        return {status, std::move(triangles)};
    }
    /// The depths of some nodes.
    [[nodiscard]] fc_status depths(Span<const std::uint32_t> nodes, Span<double> depths,
                                   std::uint32_t method = FC_DEPTHS_EXACT) const {
        if (depths.size() < nodes.size()) return too_short("depths", depths.size(), nodes.size());
        return nodes.size() == 0 ? FC_OK : fc_soft_depths(get(), method, nodes.data(), nodes.size(), depths.data());
    }
    /// The depths of all nodes.
    [[nodiscard]] fc_status all_depths(Span<double> depths, std::uint32_t method = FC_DEPTHS_CLOSEST_FEATURE) const {
        return fc_soft_depths(get(), method, nullptr, depths.size(), depths.data());
    }
    /// Negative inside. `outward` may be NULL.
    Result<double> signed_distance(const double (&point)[3], float (*outward)[3] = nullptr) const {
        double distance = 0;
        const fc_status status = fc_soft_signed_distance(get(), point, &distance, outward ? *outward : nullptr);
        return {status, distance};
    }

    [[nodiscard]] fc_status query(std::vector<fc_penalty> &found, const Soft &other,
                                  const fc_penalty_desc *desc = nullptr) const {
        return filled(found, [&](fc_penalty *data, std::uint32_t room, std::uint32_t *count) {
            return fc_query_soft_pair(get(), other.get(), desc, data, room, count);
        });
    }
    [[nodiscard]] fc_status query(std::vector<fc_penalty> &found, const Object &object, const fc_pose &pose,
                                  const fc_penalty_desc *desc = nullptr) const {
        return filled(found, [&](fc_penalty *data, std::uint32_t room, std::uint32_t *count) {
            return fc_query_soft_object(get(), object.get(), &pose, desc, data, room, count);
        });
    }
    [[nodiscard]] fc_status query(std::vector<fc_penalty> &found, const fc_shape &shape, const fc_pose &pose,
                                  const fc_penalty_desc *desc = nullptr) const {
        return filled(found, [&](fc_penalty *data, std::uint32_t room, std::uint32_t *count) {
            return fc_query_soft_shape(get(), &shape, &pose, desc, data, room, count);
        });
    }
    [[nodiscard]] fc_status query(std::vector<fc_penalty> &found, const fc_body_mesh &mesh,
                                  const fc_penalty_desc *desc = nullptr) const {
        return filled(found, [&](fc_penalty *data, std::uint32_t room, std::uint32_t *count) {
            return fc_query_soft_triangles(get(), &mesh, desc, data, room, count);
        });
    }
};

/// Statistics of this thread's last successful query of penalties.
inline fc_penalty_stats penalty_stats() {
    fc_penalty_stats stats;
    fc_penalty_stats_default(&stats);
    (void)fc_penalty_get_stats(&stats);
    return stats;
}

/// How far the refinement of two trees went, with memory of its own. Copies go on by themselves.
class Refinement {
public:
    /// The query ends, interrupted, before it would need more pairs.
    explicit Refinement(std::uint32_t most_pairs = 4096) : pairs_(most_pairs) { fc_refinement_default(&state_); }

    bool is_done() const { return state_.is_done != 0; }
    std::uint64_t tests() const { return state_.tests; }
    /// The coarsest level that a cube of an open pair has.
    std::uint32_t level() const { return state_.level; }
    /// To start anew: other trees, or other poses.
    void restart() { fc_refinement_default(&state_); }
    /// For calls of the C interface; valid until it is moved or copied over.
    fc_refinement *get() {
        state_.pairs = pairs_.data();
        state_.capacity = static_cast<std::uint32_t>(pairs_.size());
        return &state_;
    }

private:
    std::vector<fc_node_pair> pairs_;
    fc_refinement state_;
};

/// A tree of cubes with densities, for contacts as far as a budget or a deadline allows.
class VoxTree : public Owner<fc_voxtree, fc_voxtree_destroy> {
public:
    using Owner::Owner;

    static Result<VoxTree> create(const fc_voxtree_desc &desc) {
        fc_voxtree handle{0};
        const fc_status status = fc_voxtree_create(&desc, &handle);
        return {status, VoxTree(handle)};
    }
    /// From a closed surface: three floats per vertex, three vertex indices per triangle.
    static Result<VoxTree> create(Span<const float> positions, Span<const std::uint32_t> triangles, std::uint32_t cells = 32) {
        fc_voxtree_desc desc = voxtree_desc();
        desc.positions = positions.data();
        desc.vertex_count = positions.size() / 3;
        desc.triangles = triangles.data();
        desc.triangle_count = triangles.size() / 3;
        desc.cells = cells;
        return create(desc);
    }
    static Result<VoxTree> from_object(const Object &object, const fc_voxtree_desc *desc = nullptr) {
        fc_voxtree handle{0};
        const fc_status status = fc_voxtree_from_object(object.get(), desc, &handle);
        return {status, VoxTree(handle)};
    }
    /// Exact if the object that it was made of is given.
    static Result<VoxTree> load(Span<const std::uint8_t> bytes, fc_object object = {0}) {
        fc_voxtree handle{0};
        const fc_status status = fc_voxtree_load(bytes.data(), bytes.size(), object, &handle);
        return {status, VoxTree(handle)};
    }
    Result<std::vector<std::uint8_t>> save() const {
        std::uint64_t size = 0;
        fc_status status = fc_voxtree_save(get(), nullptr, 0, &size);
        if (status < 0) return status;
        std::vector<std::uint8_t> bytes(size);
        status = fc_voxtree_save(get(), bytes.data(), bytes.size(), &size);
        return {status, std::move(bytes)};
    }
    Result<fc_voxtree_info> info() const {
        fc_voxtree_info info;
        fc_voxtree_info_default(&info);
        const fc_status status = fc_voxtree_get_info(get(), &info);
        return {status, info};
    }

    /// Writes the contacts with another tree, B, to `contacts`, the likeliest first; returns how many it wrote
    /// (FC_INTERRUPTED: the budget or the memory of the refinement did not suffice, FC_INCOMPLETE: there are more than fit,
    /// and `found` gets their number, if it is given).
    Result<std::uint32_t> query(const fc_pose &pose, const VoxTree &other, const fc_pose &other_pose,
                                Span<fc_contact> contacts, const fc_voxtree_query_desc *desc = nullptr,
                                Refinement *refinement = nullptr, std::uint32_t *found = nullptr) const {
        std::uint32_t count = 0;
        const fc_status status = fc_query_voxtrees(get(), &pose, other.get(), &other_pose, desc,
                                                   refinement ? refinement->get() : nullptr, contacts.data(),
                                                   contacts.size(), &count);
        return written(status, count, contacts.size(), found);
    }
};

namespace ccd {

/// When a vertex, first of the four points, meets the triangle of the others; FC_NO_HIT and no value if it does not.
inline Result<double> vertex_face(const double (&start)[12], const double (&end)[12], const fc_ccd_desc *desc = nullptr) {
    double time = 0;
    const fc_status status = fc_ccd_vertex_face(start, end, desc, &time);
    return {status, time};
}
/// When the edge between the first two points meets that between the others.
inline Result<double> edge_edge(const double (&start)[12], const double (&end)[12], const fc_ccd_desc *desc = nullptr) {
    double time = 0;
    const fc_status status = fc_ccd_edge_edge(start, end, desc, &time);
    return {status, time};
}

} // namespace ccd

namespace shape {

inline fc_shape of_kind(std::uint32_t kind) {
    fc_shape shape;
    fc_shape_default(&shape);
    shape.kind = kind;
    return shape;
}
/// All points with normal . x <= offset.
inline fc_shape half_space(float x, float y, float z, float offset) {
    fc_shape shape = of_kind(FC_SHAPE_HALF_SPACE);
    shape.normal[0] = x; shape.normal[1] = y; shape.normal[2] = z;
    shape.offset = offset;
    return shape;
}
inline fc_shape ball(float radius) {
    fc_shape shape = of_kind(FC_SHAPE_BALL);
    shape.radius = radius;
    return shape;
}
inline fc_shape box(float half_x, float half_y, float half_z) {
    fc_shape shape = of_kind(FC_SHAPE_BOX);
    shape.half_extents[0] = half_x; shape.half_extents[1] = half_y; shape.half_extents[2] = half_z;
    return shape;
}
/// Along the z axis of its frame, from -half_length to half_length.
inline fc_shape capsule(float half_length, float radius) {
    fc_shape shape = of_kind(FC_SHAPE_CAPSULE);
    shape.ends[0][2] = -half_length;
    shape.ends[1][2] = half_length;
    shape.radius = radius;
    return shape;
}
/// The hull must live as long as the shape is used.
inline fc_shape hull(const Hull &hull) {
    fc_shape shape = of_kind(FC_SHAPE_HULL);
    shape.hull = hull.get();
    return shape;
}
/// `f(const double *point, double *outward) -> double` must live as long as the shape is used, and so must `points`:
/// three floats per point, where the surface protrudes.
template <class F>
fc_shape field(F &f, Span<const float> points = {}) {
    fc_shape shape = of_kind(FC_SHAPE_FIELD);
    shape.points = points.data();
    shape.point_count = points.size() / 3;
    shape.field = [](const double *point, double *outward, void *user_data) -> double {
        return (*static_cast<F *>(user_data))(point, outward);
    };
    shape.user_data = const_cast<void *>(static_cast<const void *>(&f));
    return shape;
}

} // namespace shape
} // namespace fracas

#endif // FRACAS_HPP
