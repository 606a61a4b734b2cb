#include "replay.hpp"

#include "library.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

namespace demo {

namespace {

constexpr std::uint32_t forever = 0xffffffffu;

template <class T>
void put(std::vector<std::uint8_t> &bytes, T value) {
    std::uint8_t raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.insert(bytes.end(), raw, raw + sizeof value);
}

void put(std::vector<std::uint8_t> &bytes, Vec v) {
    for (const double x : {v.x, v.y, v.z}) put(bytes, static_cast<float>(x));
}

/// A grid of quadrilaterals over two parameters, as triangles.
Picture sheet(std::uint32_t columns, std::uint32_t rows, bool around, const std::vector<Vec> &points) {
    Picture picture;
    for (const Vec &p : points)
        for (const double x : {p.x, p.y, p.z}) picture.positions.push_back(static_cast<float>(x));
    for (std::uint32_t r = 0; r + 1 < rows; ++r)
        for (std::uint32_t c = 0; c + (around ? 0 : 1) < columns; ++c) {
            const std::uint32_t a = r * columns + c, b = r * columns + (c + 1) % columns;
            picture.triangles.push_back({a, b, b + columns});
            picture.triangles.push_back({a, b + columns, a + columns});
        }
    return picture;
}

/// A ball whose halves are pulled apart along z.
Picture capsule(double radius, double half) {
    constexpr std::uint32_t columns = 24, rows = 16;
    std::vector<Vec> points;
    for (std::uint32_t r = 0; r < rows; ++r)
        for (std::uint32_t c = 0; c < columns; ++c) {
            const double latitude = M_PI * (double(r) / (rows - 1) - 0.5), longitude = 2 * M_PI * c / columns;
            const double ring = radius * std::cos(latitude);
            points.push_back({ring * std::cos(longitude), ring * std::sin(longitude),
                              radius * std::sin(latitude) + (2 * r < rows ? -half : half)});
        }
    return sheet(columns, rows, true, points);
}

Picture box(Vec half) {
    Picture picture;
    for (int k = 0; k < 8; ++k) {
        const double corner[3] = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
        for (const double x : corner) picture.positions.push_back(static_cast<float>(x));
    }
    picture.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return picture;
}

} // namespace

Picture picture_of(fc_object object) {
    fracas::Surface surface = surface_of(object);
    Picture picture;
    picture.positions = std::move(surface.positions);
    for (const std::uint32_t face : {FC_FACE_SKIN, FC_FACE_CRACK}) {
        if (face == FC_FACE_CRACK) picture.crack_start = static_cast<std::uint32_t>(picture.triangles.size());
        for (const fc_triangle &triangle : surface.triangles)
            if (triangle.face == face) picture.triangles.push_back({triangle.corners[0], triangle.corners[1], triangle.corners[2]});
    }
    return picture;
}

Picture picture_of(const Primitive &primitive) {
    Picture picture;
    switch (primitive.kind) {
    case Primitive::Kind::Plane: picture = sheet(2, 2, false, {{-3, -3, 0}, {3, -3, 0}, {-3, 3, 0}, {3, 3, 0}}); break;
    case Primitive::Kind::Box: picture = box(primitive.half); break;
    case Primitive::Kind::Ball: picture = capsule(primitive.radius, 0); break;
    case Primitive::Kind::Capsule: picture = capsule(primitive.radius, primitive.half.z); break;
    case Primitive::Kind::HeightField: {
        std::vector<Vec> points;
        for (std::uint32_t r = 0; r < primitive.rows; ++r)
            for (std::uint32_t c = 0; c < primitive.columns; ++c)
                points.push_back({c * primitive.spacing, r * primitive.spacing, primitive.heights[r * primitive.columns + c]});
        picture = sheet(primitive.columns, primitive.rows, false, points);
        break;
    }
    case Primitive::Kind::Hull:
    case Primitive::Kind::Mesh:
        for (const Vec &p : primitive.points)
            for (const double x : {p.x, p.y, p.z}) picture.positions.push_back(static_cast<float>(x));
        for (std::size_t k = 0; k + 2 < primitive.triangles.size(); k += 3)
            picture.triangles.push_back({primitive.triangles[k], primitive.triangles[k + 1], primitive.triangles[k + 2]});
        break;
    }
    picture.crack_start = static_cast<std::uint32_t>(picture.triangles.size());
    return picture;
}

std::uint32_t Replay::add_mesh(const Picture &picture) {
    float low[3] = {0, 0, 0}, size[3] = {1, 1, 1};
    for (int k = 0; k < 3 && !picture.positions.empty(); ++k) {
        float high = low[k] = picture.positions[k];
        for (std::size_t at = k; at < picture.positions.size(); at += 3) {
            low[k] = std::min(low[k], picture.positions[at]);
            high = std::max(high, picture.positions[at]);
        }
        size[k] = std::max(high - low[k], 1e-9f);
    }
    for (const float x : low) put(meshes_, x);
    for (const float x : size) put(meshes_, x);
    put(meshes_, static_cast<std::uint32_t>(picture.positions.size() / 3));
    for (std::size_t at = 0; at < picture.positions.size(); ++at)
        put(meshes_, static_cast<std::uint16_t>(65535 * ((picture.positions[at] - low[at % 3]) / size[at % 3]) + 0.5f));
    while (meshes_.size() % 4 != 0) meshes_.push_back(0);
    put(meshes_, static_cast<std::uint32_t>(picture.triangles.size()));
    put(meshes_, picture.crack_start);
    for (const auto &triangle : picture.triangles)
        for (const std::uint32_t corner : triangle) put(meshes_, corner);
    return mesh_count_++;
}

std::uint32_t Replay::add_body(std::uint32_t mesh, std::uint32_t group) {
    actors_.push_back({mesh, group, frame_count_, forever});
    return static_cast<std::uint32_t>(actors_.size() - 1);
}

void Replay::end_body(std::uint32_t body) { actors_[body].end = frame_count_; }

void Replay::add_frame(const std::vector<std::pair<std::uint32_t, Pose>> &poses, const std::vector<Touching> &pairs) {
    auto ordered = poses;
    std::sort(ordered.begin(), ordered.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &[body, pose] : ordered) {
        put(frames_, pose.position);
        for (const double x : {pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w}) put(frames_, static_cast<float>(x));
    }
    std::uint32_t count = 0;
    for (const Touching &pair : pairs) count += static_cast<std::uint32_t>(pair.touches.size());
    put(frames_, count);
    for (const Touching &pair : pairs)
        for (const Touch &touch : pair.touches) {
            put(frames_, touch.point);
            put(frames_, touch.normal);
            put(frames_, static_cast<float>(touch.depth));
        }
    ++frame_count_;
}

void Replay::write(const std::string &path, double seconds_per_frame) const {
    std::vector<std::uint8_t> bytes{'F', 'C', 'R', '1'};
    put(bytes, mesh_count_);
    bytes.insert(bytes.end(), meshes_.begin(), meshes_.end());
    put(bytes, static_cast<std::uint32_t>(actors_.size()));
    for (const Actor &actor : actors_) {
        for (const std::uint32_t number : {actor.mesh, actor.group, actor.first, std::min(actor.end, frame_count_)}) put(bytes, number);
        put(bytes, 1.0f);
    }
    put(bytes, frame_count_);
    put(bytes, static_cast<float>(seconds_per_frame));
    bytes.insert(bytes.end(), frames_.begin(), frames_.end());
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) give_up(path + " could not be written");
}

} // namespace demo
