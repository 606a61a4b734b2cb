#include "body.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>

namespace fracas_godot {

namespace {

std::size_t index_slot = 12;
void (*warning)(const char *) = nullptr;
thread_local std::string last_error;

/// Carries the sentence out of a method.
struct Failed : std::runtime_error {
    using runtime_error::runtime_error;
};

/// The value of a result, or the library's sentence.
template <class T>
T value(fracas::Result<T> result) {
    if (result.status() < FC_OK) throw Failed(fracas::last_error());
    return result.take();
}

const Piece &piece(const Shared &shared) {
    if (!shared) throw Failed("this FracasBody is empty: call cook() or load_asset() first");
    return *shared;
}

template <class T>
const T &get(const List &arguments, std::size_t k) {
    return std::get<T>(arguments[k]);
}
float real(const List &arguments, std::size_t k) { return static_cast<float>(get<double>(arguments, k)); }
std::uint32_t count(const List &arguments, std::size_t k) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(get<std::int64_t>(arguments, k), 0, 1 << 20));
}

double dot(const Vector3 &a, const Vector3 &b) { return double(a.x) * b.x + double(a.y) * b.y + double(a.z) * b.z; }

/// A pose has no scale: bodies are scaled when they are cooked.
fc_pose pose(const Transform &at) {
    const Vector3 *r = at.basis.rows;
    const double x[3] = {r[0].x, r[1].x, r[2].x}, y[3] = {r[0].y, r[1].y, r[2].y}, z[3] = {r[0].z, r[1].z, r[2].z}; // columns: axes
    const double handed = x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0]) + x[2] * (y[0] * z[1] - y[1] * z[0]);
    constexpr double off = 1e-3;
    const bool rotation = std::abs(dot(r[0], r[0]) - 1) < off && std::abs(dot(r[1], r[1]) - 1) < off &&
                          std::abs(dot(r[2], r[2]) - 1) < off && std::abs(dot(r[0], r[1])) < off && std::abs(dot(r[1], r[2])) < off &&
                          std::abs(dot(r[2], r[0])) < off && handed > 0;
    if (!rotation) throw Failed("a pose must be a rotation and a translation, without scale: use orthonormalized()");
    // The largest of the four squares is divided by, so none of them can be near zero.
    const double squares[4] = {1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2], 1 + x[0] + y[1] + z[2]};
    const int largest = static_cast<int>(std::max_element(squares, squares + 4) - squares);
    const double twice = std::sqrt(squares[largest]), s = 0.5 / twice;
    double q[4];
    switch (largest) {
    case 0: q[0] = twice / 2, q[1] = s * (x[1] + y[0]), q[2] = s * (x[2] + z[0]), q[3] = s * (y[2] - z[1]); break;
    case 1: q[0] = s * (x[1] + y[0]), q[1] = twice / 2, q[2] = s * (y[2] + z[1]), q[3] = s * (z[0] - x[2]); break;
    case 2: q[0] = s * (x[2] + z[0]), q[1] = s * (y[2] + z[1]), q[2] = twice / 2, q[3] = s * (x[1] - y[0]); break;
    default: q[0] = s * (y[2] - z[1]), q[1] = s * (z[0] - x[2]), q[2] = s * (x[1] - y[0]), q[3] = twice / 2; break;
    }
    return {{at.origin.x, at.origin.y, at.origin.z}, {float(q[0]), float(q[1]), float(q[2]), float(q[3])}};
}

template <class T>
Vector3 vector(const T *v) {
    return {float(v[0]), float(v[1]), float(v[2])};
}

Record contact(const fc_contact &found, const fc_pose &at) {
    const double *o = at.position;
    const double point[3] = {o[0] + found.point[0], o[1] + found.point[1], o[2] + found.point[2]};
    Record record;
    record.emplace_back("point", vector(point));
    record.emplace_back("normal", vector(found.normal));
    record.emplace_back("depth", double(found.depth));
    record.emplace_back("feature", std::int64_t(found.feature));
    return record;
}

template <class Query>
List contacts(const fc_pose &at, Query query) {
    fc_contact found[32];
    const std::uint32_t written = value(query(fracas::Span<fc_contact>(found)));
    List list;
    for (std::uint32_t k = 0; k < written; ++k) list.emplace_back(contact(found[k], at));
    return list;
}

/// The intact body of an asset, which it keeps for save().
Shared intact(fracas::Asset asset) {
    auto made = std::make_shared<Piece>();
    made->asset = std::make_shared<const fracas::Asset>(std::move(asset));
    made->object = value(fracas::Object::create(*made->asset));
    for (const fc_drawn_triangle &triangle : value(made->object.drawing()).triangles)
        if (triangle.material != FC_NONE) made->surfaces = std::max(made->surfaces, triangle.material + 1);
    return made;
}

/// cook(surfaces, density, tetrahedra): each surface as Mesh.surface_get_arrays() gives it.
Value cook(Body &self, const List &arguments) {
    std::vector<Vector3> positions, normals;
    std::vector<Vector2> uvs;
    std::vector<std::uint32_t> triangles, materials;
    const List &surfaces = get<List>(arguments, 0);
    for (std::size_t number = 0; number < surfaces.size(); ++number) {
        const std::string name = "surface " + std::to_string(number);
        const List *arrays = std::get_if<List>(&surfaces[number]);
        const auto *points = arrays && !arrays->empty() ? std::get_if<std::vector<Vector3>>(&(*arrays)[0]) : nullptr;
        if (!points) throw Failed(name + " is not an array of arrays whose first are vertices: pass [mesh.surface_get_arrays(0), ...]");
        const std::uint32_t first = static_cast<std::uint32_t>(positions.size());
        const std::size_t end = positions.size() + points->size();
        positions.insert(positions.end(), points->begin(), points->end());
        // Attributes are optional. Without normals in one of the surfaces, the library makes all of them.
        const auto *given_normals = arrays->size() > 1 ? std::get_if<std::vector<Vector3>>(&(*arrays)[1]) : nullptr;
        if (given_normals && normals.size() == first) normals.insert(normals.end(), given_normals->begin(), given_normals->end());
        const auto *given_uvs = arrays->size() > 4 ? std::get_if<std::vector<Vector2>>(&(*arrays)[4]) : nullptr;
        uvs.resize(first);
        if (given_uvs) uvs.insert(uvs.end(), given_uvs->begin(), given_uvs->end());
        if (normals.size() > end || uvs.size() > end) throw Failed(name + " has more normals or texture coordinates than vertices");

        std::vector<std::int32_t> corners;
        if (const auto *given = arrays->size() > index_slot ? std::get_if<std::vector<std::int32_t>>(&(*arrays)[index_slot]) : nullptr)
            corners = *given;
        else
            for (std::size_t k = 0; k < points->size(); ++k) corners.push_back(static_cast<std::int32_t>(k));
        if (corners.size() % 3 != 0) throw Failed(name + " is not made of triangles");
        for (std::size_t k = 0; k < corners.size(); k += 3) {
            for (const std::size_t corner : {k, k + 2, k + 1}) { // clockwise there, counter-clockwise here
                if (corners[corner] < 0 || std::size_t(corners[corner]) >= points->size())
                    throw Failed(name + " has an index beyond its vertices");
                triangles.push_back(first + std::uint32_t(corners[corner]));
            }
            materials.push_back(static_cast<std::uint32_t>(number));
        }
    }
    uvs.resize(positions.size());
    fc_asset_desc desc = fracas::asset_desc();
    desc.positions = positions.empty() ? nullptr : &positions[0].x;
    desc.node_count = static_cast<std::uint32_t>(positions.size());
    desc.triangles = triangles.data();
    desc.triangle_count = static_cast<std::uint32_t>(triangles.size() / 3);
    desc.materials = materials.data();
    desc.normals = normals.size() == positions.size() && !normals.empty() ? &normals[0].x : nullptr;
    desc.uvs = uvs.empty() ? nullptr : &uvs[0].x;
    desc.density = real(arguments, 1);
    desc.fill_tets = count(arguments, 2);
    desc.flags = FC_ASSET_KEEP_SURFACE;
    self.piece = intact(value(fracas::Asset::create(desc)));
    return true;
}

Value load_asset(Body &self, const List &arguments) {
    self.piece = intact(value(fracas::Asset::load(get<std::vector<std::uint8_t>>(arguments, 0))));
    return true;
}

Value save_asset(Body &self, const List &) { return value(piece(self.piece).asset->save()); }
Value is_empty(Body &self, const List &) { return !self.piece; }
Value error(Body &, const List &) { return last_error; }
Value warnings(Body &self, const List &) { return std::int64_t(value(piece(self.piece).asset->info()).warnings); }

Value mass(Body &self, const List &) {
    const fc_mass found = value(piece(self.piece).object.mass());
    const double *i = found.inertia;
    Record record;
    record.emplace_back("mass", found.mass);
    record.emplace_back("volume", found.volume);
    record.emplace_back("centre", vector(found.centre));
    record.emplace_back(
        "inertia",
        Basis{{{float(i[0]), float(i[3]), float(i[5])}, {float(i[3]), float(i[1]), float(i[4])}, {float(i[5]), float(i[4]), float(i[2])}}});
    return record;
}

/// drawing(): the arrays of each surface, as many as were cooked, and then those of the cracks; [] for one that is not there.
Value drawing(Body &self, const List &) {
    const Piece &own = piece(self.piece);
    const fracas::Drawing drawn = value(own.object.drawing());
    struct Arrays {
        std::vector<Vector3> positions, normals;
        std::vector<Vector2> uvs;
        std::vector<std::int32_t> corners;
    };
    std::vector<Arrays> surfaces(own.surfaces + 1);
    struct Place {
        std::uint32_t surface = FC_NONE;
        std::int32_t index = 0;
    };
    std::vector<Place> places(drawn.vertices.size());
    for (const fc_drawn_triangle &triangle : drawn.triangles) {
        const std::uint32_t number = std::min(triangle.material, own.surfaces);
        Arrays &to = surfaces[number];
        for (const int k : {0, 2, 1}) { // clockwise
            Place &place = places[triangle.corners[k]];
            if (place.surface != number) {
                const fc_vertex &vertex = drawn.vertices[triangle.corners[k]];
                place = {number, static_cast<std::int32_t>(to.positions.size())};
                to.positions.push_back(vector(vertex.position));
                to.normals.push_back(vector(vertex.normal));
                to.uvs.push_back({vertex.uv[0], vertex.uv[1]});
            }
            to.corners.push_back(place.index);
        }
    }
    List list;
    for (Arrays &surface : surfaces) {
        List arrays(surface.corners.empty() ? 0 : index_slot + 1);
        if (!arrays.empty()) {
            arrays[0] = std::move(surface.positions);
            arrays[1] = std::move(surface.normals);
            arrays[4] = std::move(surface.uvs);
            arrays[index_slot] = std::move(surface.corners);
        }
        list.emplace_back(std::move(arrays));
    }
    return list;
}

Value convex_parts(Body &self, const List &arguments) {
    const fc_object object = piece(self.piece).object.get();
    fc_convex_desc desc;
    fc_convex_desc_default(&desc);
    desc.max_parts = count(arguments, 0);
    std::uint32_t parts = 0, vertices = 0, triangles = 0;
    if (fc_object_convex_parts(object, &desc, nullptr, 0, &parts, nullptr, 0, &vertices, nullptr, 0, &triangles) < FC_OK)
        throw Failed(fracas::last_error());
    std::vector<fc_convex_part> found(parts);
    std::vector<Vector3> positions(vertices);
    std::vector<std::uint32_t> corners(3 * std::size_t(triangles));
    if (fc_object_convex_parts(object, &desc, found.data(), parts, &parts, positions.empty() ? nullptr : &positions[0].x, vertices,
                               &vertices, corners.data(), triangles, &triangles) < FC_OK)
        throw Failed(fracas::last_error());
    List list;
    for (const fc_convex_part &part : found) {
        const auto first = positions.begin() + part.first_vertex;
        list.emplace_back(std::vector<Vector3>(first, first + part.vertex_count));
    }
    return list;
}

Value broken(Body &self, const fc_fracture_desc &how) {
    const Piece &own = piece(self.piece);
    List list;
    for (fracas::Object &fragment : value(fracas::fracture(own.object, how))) {
        auto made = std::make_shared<Piece>();
        made->object = std::move(fragment);
        made->asset = own.asset;
        made->surfaces = own.surfaces;
        list.emplace_back(Shared(std::move(made)));
    }
    return list;
}

/// fracture(pieces, seed, roughness)
Value fracture(Body &self, const List &arguments) {
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_RANDOM_VORONOI);
    how.count = count(arguments, 0);
    how.seed = how.roughness_seed = static_cast<std::uint64_t>(get<std::int64_t>(arguments, 1));
    how.roughness = real(arguments, 2);
    return broken(self, how);
}

/// fracture_at(point, direction, radius, pieces, seed, roughness): in the body's frame; a radius of 0 is half the body's
Value fracture_at(Body &self, const List &arguments) {
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_IMPACT);
    const Vector3 &point = get<Vector3>(arguments, 0), &direction = get<Vector3>(arguments, 1);
    const float p[3] = {point.x, point.y, point.z}, d[3] = {direction.x, direction.y, direction.z};
    std::copy(p, p + 3, how.impact_point);
    std::copy(d, d + 3, how.impact_direction);
    how.impact_radius = real(arguments, 2);
    how.count = count(arguments, 3);
    how.seed = how.roughness_seed = static_cast<std::uint64_t>(get<std::int64_t>(arguments, 4));
    how.roughness = real(arguments, 5);
    return broken(self, how);
}

/// fracture_cells(seeds): into the Voronoi cells of points in the body's frame
Value fracture_cells(Body &self, const List &arguments) {
    const auto &seeds = get<std::vector<Vector3>>(arguments, 0);
    fc_fracture_desc how = fracas::fracture_desc(FC_PATTERN_VORONOI);
    how.values = seeds.empty() ? nullptr : &seeds[0].x;
    how.value_count = static_cast<std::uint32_t>(seeds.size());
    return broken(self, how);
}

/// contacts(pose, other, other_pose)
Value contacts_with(Body &self, const List &arguments) {
    const fc_pose at = pose(get<Transform>(arguments, 0)), other_at = pose(get<Transform>(arguments, 2));
    const Piece &own = piece(self.piece), &other = piece(get<Shared>(arguments, 1));
    return contacts(at, [&](fracas::Span<fc_contact> found) { return fracas::query_pair(own.object, at, other.object, other_at, found); });
}

Value contacts_with_shape(Body &self, const Transform &where, const fc_shape &shape, const fc_pose &shape_at) {
    const fc_pose at = pose(where);
    const Piece &own = piece(self.piece);
    return contacts(at, [&](fracas::Span<fc_contact> found) { return fracas::query_shape(own.object, at, shape, shape_at, found); });
}

/// contacts_plane(pose, normal, offset): with all points below a plane
Value contacts_plane(Body &self, const List &arguments) {
    const Vector3 &n = get<Vector3>(arguments, 1);
    return contacts_with_shape(self, get<Transform>(arguments, 0), fracas::shape::half_space(n.x, n.y, n.z, real(arguments, 2)),
                               fracas::pose_at());
}

/// contacts_ball(pose, centre, radius)
Value contacts_ball(Body &self, const List &arguments) {
    const Vector3 &c = get<Vector3>(arguments, 1);
    return contacts_with_shape(self, get<Transform>(arguments, 0), fracas::shape::ball(real(arguments, 2)), fracas::pose_at(c.x, c.y, c.z));
}

/// distance(pose, other, other_pose, range): {} beyond the range
Value distance(Body &self, const List &arguments) {
    const fc_pose at = pose(get<Transform>(arguments, 0)), other_at = pose(get<Transform>(arguments, 2));
    const auto found =
        fracas::distance_pair(piece(self.piece).object, at, piece(get<Shared>(arguments, 1)).object, other_at, get<double>(arguments, 3));
    Record record;
    if (found.status() == FC_NO_HIT) return record;
    const fc_distance closest = value(found);
    record.emplace_back("distance", closest.distance);
    record.emplace_back("point", vector(closest.point_a));
    record.emplace_back("other_point", vector(closest.point_b));
    record.emplace_back("normal", vector(closest.normal));
    return record;
}

/// sweep(from, to, other, other_from, other_to): {} if they do not touch
Value sweep(Body &self, const List &arguments) {
    const fc_pose from = pose(get<Transform>(arguments, 0)), to = pose(get<Transform>(arguments, 1));
    const fc_pose other_from = pose(get<Transform>(arguments, 3)), other_to = pose(get<Transform>(arguments, 4));
    const auto found =
        fracas::sweep_pair(piece(self.piece).object, from, to, piece(get<Shared>(arguments, 2)).object, other_from, other_to);
    if (found.status() == FC_NO_HIT) return Record();
    const fc_sweep_hit hit = value(found);
    Record record = contact(hit.contact, from);
    record.emplace_back("time", hit.time);
    return record;
}

/// ray_cast(pose, origin, direction, max_distance): {} if it hits nothing
Value ray_cast(Body &self, const List &arguments) {
    const fc_pose at = pose(get<Transform>(arguments, 0));
    const Vector3 &o = get<Vector3>(arguments, 1), &d = get<Vector3>(arguments, 2);
    const auto found = piece(self.piece).object.ray_cast(at, {o.x, o.y, o.z}, {d.x, d.y, d.z}, get<double>(arguments, 3));
    Record record;
    if (found.status() == FC_NO_HIT) return record;
    const fc_ray_hit hit = value(found);
    record.emplace_back("distance", hit.distance);
    record.emplace_back("normal", vector(hit.normal));
    record.emplace_back("crack", hit.face == FC_FACE_CRACK);
    return record;
}

/// signed_distance(pose, point): negative inside
Value signed_distance(Body &self, const List &arguments) {
    const Vector3 &p = get<Vector3>(arguments, 1);
    return value(piece(self.piece).object.signed_distance(pose(get<Transform>(arguments, 0)), {p.x, p.y, p.z})).distance;
}

/// The empty value of a type.
Value nothing(Type type) {
    switch (type) {
    case Type::boolean: return false;
    case Type::integer: return std::int64_t(0);
    case Type::number: return 0.0;
    case Type::text: return std::string();
    case Type::bytes: return std::vector<std::uint8_t>();
    case Type::list: return List();
    case Type::record: return Record();
    default: return {};
    }
}

const char *name_of(Type type) {
    constexpr const char *names[] = {"null",
                                     "a bool",
                                     "an int",
                                     "a float",
                                     "a String",
                                     "a Vector3",
                                     "a Basis",
                                     "a transform",
                                     "Vector2s",
                                     "an array of Vector3",
                                     "an array of ints",
                                     "an array of bytes",
                                     "a FracasBody",
                                     "an Array",
                                     "a Dictionary"};
    return names[static_cast<std::size_t>(type)];
}

} // namespace

const std::vector<Method> &methods() {
    using T = Type;
    static const std::vector<Method> all = {
        {"cook", T::boolean, {{"surfaces", T::list}, {"density", T::number}, {"tetrahedra", T::integer}}, cook},
        {"load_asset", T::boolean, {{"bytes", T::bytes}}, load_asset},
        {"save_asset", T::bytes, {}, save_asset},
        {"is_empty", T::boolean, {}, is_empty},
        {"error", T::text, {}, error},
        {"warnings", T::integer, {}, warnings},
        {"mass", T::record, {}, mass},
        {"drawing", T::list, {}, drawing},
        {"convex_parts", T::list, {{"max_parts", T::integer}}, convex_parts},
        {"fracture", T::list, {{"pieces", T::integer}, {"seed", T::integer}, {"roughness", T::number}}, fracture},
        {"fracture_at",
         T::list,
         {{"point", T::vector3},
          {"direction", T::vector3},
          {"radius", T::number},
          {"pieces", T::integer},
          {"seed", T::integer},
          {"roughness", T::number}},
         fracture_at},
        {"fracture_cells", T::list, {{"seeds", T::vectors3}}, fracture_cells},
        {"contacts", T::list, {{"pose", T::transform}, {"other", T::body}, {"other_pose", T::transform}}, contacts_with},
        {"contacts_plane", T::list, {{"pose", T::transform}, {"normal", T::vector3}, {"offset", T::number}}, contacts_plane},
        {"contacts_ball", T::list, {{"pose", T::transform}, {"centre", T::vector3}, {"radius", T::number}}, contacts_ball},
        {"distance",
         T::record,
         {{"pose", T::transform}, {"other", T::body}, {"other_pose", T::transform}, {"max_range", T::number}},
         distance},
        {"sweep",
         T::record,
         {{"from", T::transform}, {"to", T::transform}, {"other", T::body}, {"other_from", T::transform}, {"other_to", T::transform}},
         sweep},
        {"ray_cast",
         T::record,
         {{"pose", T::transform}, {"origin", T::vector3}, {"direction", T::vector3}, {"max_distance", T::number}},
         ray_cast},
        {"signed_distance", T::number, {{"pose", T::transform}, {"point", T::vector3}}, signed_distance},
    };
    return all;
}

Value invoke(const Method &method, Body &self, List arguments, std::string &error) noexcept {
    try {
        if (arguments.size() != method.arguments.size())
            throw Failed("it takes " + std::to_string(method.arguments.size()) + " arguments, not " + std::to_string(arguments.size()));
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            const Type wanted = method.arguments[k].type;
            // As in GDScript, an int will do for a float and the reverse.
            if (const auto *whole = std::get_if<std::int64_t>(&arguments[k]); whole && wanted == Type::number)
                arguments[k] = static_cast<double>(*whole);
            else if (const auto *number = std::get_if<double>(&arguments[k]); number && wanted == Type::integer && std::abs(*number) < 9e15)
                arguments[k] = static_cast<std::int64_t>(*number);
            if (arguments[k].type() != wanted) throw Failed(std::string(method.arguments[k].name) + " must be " + name_of(wanted));
        }
        return method.call(self, arguments);
    } catch (const std::exception &failed) {
        last_error = failed.what();
        error = std::string("FracasBody.") + method.name + ": " + last_error;
    }
    return nothing(method.result);
}

void set_index_slot(std::size_t slot) { index_slot = slot; }

void start(void (*warn)(const char *)) {
    warning = warn;
    (void)fc_set_log(
        [](std::uint32_t level, const char *message, void *) {
            if (level <= FC_LOG_WARNING) warning(message);
        },
        nullptr);
    (void)fc_set_threads(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
}

void stop() { (void)fc_shutdown(nullptr); }

} // namespace fracas_godot
