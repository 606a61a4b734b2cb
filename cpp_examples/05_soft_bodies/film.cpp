#include "film.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <map>

namespace {

class Bytes {
public:
    void tag(const char *name) { bytes_.insert(bytes_.end(), name, name + 4); }
    void u32(std::uint32_t value) {
        for (int k = 0; k < 4; ++k) bytes_.push_back(static_cast<char>(value >> 8 * k & 255));
    }
    void f32(double value) {
        const float single = static_cast<float>(value);
        std::uint32_t bits;
        std::memcpy(&bits, &single, sizeof bits);
        u32(bits);
    }
    void vec(const Vec &v) { f32(v.x); f32(v.y); f32(v.z); }
    void u16(double value) {
        const auto whole = static_cast<std::uint32_t>(std::clamp(value + 0.5, 0.0, 65535.0));
        bytes_.push_back(static_cast<char>(whole & 255));
        bytes_.push_back(static_cast<char>(whole >> 8));
    }
    void pad() { bytes_.resize((bytes_.size() + 3) / 4 * 4, 0); }
    const std::vector<char> &all() const { return bytes_; }

private:
    std::vector<char> bytes_;
};

struct Bounds {
    Vec low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};

    void add(const Vec &p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
};

/// Positions in 16 bits, each axis by its own extent.
void add_mesh(Bytes &bytes, const Mesh &mesh) {
    Bounds box;
    for (const Vec &p : mesh.positions) box.add(p);
    const Vec size = box.high - box.low + Vec{1e-9, 1e-9, 1e-9};
    bytes.vec(box.low);
    bytes.vec(size);
    bytes.u32(static_cast<std::uint32_t>(mesh.positions.size()));
    for (const Vec &p : mesh.positions) {
        bytes.u16(65535 * (p.x - box.low.x) / size.x);
        bytes.u16(65535 * (p.y - box.low.y) / size.y);
        bytes.u16(65535 * (p.z - box.low.z) / size.z);
    }
    bytes.pad();
    const auto triangles = static_cast<std::uint32_t>(mesh.corners.size() / 3);
    bytes.u32(triangles);
    bytes.u32(triangles); // no cracks
    for (const std::uint32_t corner : mesh.corners) bytes.u32(corner);
}

} // namespace

std::uint32_t Film::begin(std::uint32_t group) {
    actors_.push_back({group, frames_, FC_NONE, {}, {}, {}});
    return static_cast<std::uint32_t>(actors_.size() - 1);
}

void Film::end_frame(const std::vector<Push> &pushes) {
    constexpr double CELL = 0.03; // metres
    std::map<std::array<long, 3>, Force> cells;
    std::map<std::array<long, 3>, double> weights;
    for (const Push &push : pushes) {
        const Vec at = vec(push.penalty.point);
        const std::array<long, 3> key = {std::lround(at.x / CELL), std::lround(at.y / CELL), std::lround(at.z / CELL)};
        const double size = length(push.force);
        // Of two soft bodies only what acts on the penetrating one is drawn; on a soft body that an obstacle penetrates, what
        // acts on the soft body.
        const bool is_in_obstacle = push.obstacle != FC_NONE && push.penalty.side == 1;
        Force &cell = cells[key];
        cell.point += size * at;
        cell.force += (is_in_obstacle ? -1.0 : 1.0) * push.force;
        cell.depth = std::max(cell.depth, push.penalty.depth);
        weights[key] += size;
    }
    std::vector<Force> forces;
    for (auto &[key, cell] : cells) {
        cell.point = (1 / weights[key]) * cell.point;
        forces.push_back(cell);
    }
    forces_.push_back(std::move(forces));
    ++frames_;
}

bool Film::write(const std::string &path, double seconds_per_frame) const {
    Bytes bytes;
    bytes.tag("FCR1");
    std::vector<Mesh> fixed = {{{{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}}, {0, 1, 2, 0, 2, 3}}};
    fixed.insert(fixed.end(), scenery_.begin(), scenery_.end());
    const auto fixed_count = static_cast<std::uint32_t>(fixed.size());
    bytes.u32(fixed_count);
    for (const Mesh &mesh : fixed) add_mesh(bytes, mesh);
    bytes.u32(fixed_count);
    for (std::uint32_t k = 0; k < fixed_count; ++k) {
        for (const std::uint32_t value : {k, 0u, 0u, frames_}) bytes.u32(value); // mesh, group, first and end frame
        bytes.f32(1);
    }
    bytes.u32(frames_);
    bytes.f32(seconds_per_frame);
    double strongest = 1e-9;
    for (const auto &frame : forces_)
        for (const Force &force : frame) strongest = std::max(strongest, length(force.force));
    for (const auto &frame : forces_) {
        for (std::uint32_t k = 0; k < fixed_count; ++k)
            for (const double value : {0, 0, 0, 0, 0, 0, 1}) bytes.f32(value);
        bytes.u32(static_cast<std::uint32_t>(frame.size()));
        for (const Force &force : frame) {
            const double size = length(force.force); // drawn by its square root: impacts are far stronger than weights
            bytes.vec(force.point);
            bytes.vec((size > 0 ? std::sqrt(size / strongest) / size : 0.0) * force.force);
            bytes.f32(force.depth);
        }
    }

    // Only vertices of triangles are kept, and a doubled one was where its origin was while it was not there.
    Bounds box;
    std::vector<std::vector<std::uint32_t>> kept(actors_.size()), renumbered(actors_.size());
    std::vector<std::vector<Vec>> tracks(actors_.size());
    for (std::size_t a = 0; a < actors_.size(); ++a) {
        const Actor &actor = actors_[a];
        const std::size_t total = actor.track.empty() ? 0 : actor.track.back().size(), first = total - std::min(total, actor.doubled.size());
        std::vector<std::uint32_t> number(total, FC_NONE);
        for (const std::uint32_t corner : actor.triangles) {
            if (number[corner] == FC_NONE) {
                number[corner] = static_cast<std::uint32_t>(kept[a].size());
                kept[a].push_back(corner);
            }
            renumbered[a].push_back(number[corner]);
        }
        for (const auto &positions : actor.track)
            for (std::uint32_t vertex : kept[a]) {
                while (vertex >= positions.size()) vertex = actor.doubled[vertex - first];
                tracks[a].push_back(positions[vertex]);
                box.add(positions[vertex]);
            }
    }
    const Vec size = box.high - box.low;
    const double unit = std::max({size.x, size.y, size.z, 1e-9}) / 65535;
    bytes.tag("FCD1");
    bytes.vec(box.low);
    bytes.f32(unit);
    bytes.u32(static_cast<std::uint32_t>(actors_.size()));
    for (std::size_t a = 0; a < actors_.size(); ++a) {
        const Actor &actor = actors_[a];
        const auto vertices = static_cast<std::uint32_t>(kept[a].size()), triangles = static_cast<std::uint32_t>(renumbered[a].size() / 3);
        for (const std::uint32_t value : {actor.group, 0u, actor.first, std::min(actor.end, frames_), vertices, triangles}) bytes.u32(value);
        for (const std::uint32_t corner : renumbered[a]) bytes.u32(corner);
    }
    for (const auto &track : tracks) {
        for (const Vec &p : track)
            for (const double c : {p.x - box.low.x, p.y - box.low.y, p.z - box.low.z}) bytes.u16(c / unit);
        bytes.pad();
    }
    for (std::uint32_t frame = 0; frame < frames_; ++frame) bytes.u32(0); // no colliding triangles: forces are shown instead

    std::ofstream file(path, std::ios::binary);
    file.write(bytes.all().data(), static_cast<std::streamsize>(bytes.all().size()));
    return static_cast<bool>(file.flush());
}
