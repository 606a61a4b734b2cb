// A small software rasteriser for the examples: triangles with light and depth, written as a PNG.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

class Picture {
public:
    Picture(int width, int height)
        : width_(width), height_(height), depth_(pixels(), -1e30f), colour_(3 * pixels(), 1.0f) {}

    /// A triangle in the space of the picture: x and y in pixels, larger z nearer. `rgb` from 0 to 1.
    void triangle(const float (&p)[3][3], const float (&rgb)[3]) {
        const float area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
        if (area >= 0) return; // seen from behind: y points down
        const auto low = [&](int k) { return std::floor(std::fmin(std::fmin(p[0][k], p[1][k]), p[2][k])); };
        const auto high = [&](int k) { return std::ceil(std::fmax(std::fmax(p[0][k], p[1][k]), p[2][k])); };
        for (int y = std::max(0, int(SMOOTH * low(1))); y < std::min(SMOOTH * height_, int(SMOOTH * high(1)) + 1); ++y)
            for (int x = std::max(0, int(SMOOTH * low(0))); x < std::min(SMOOTH * width_, int(SMOOTH * high(0)) + 1); ++x) {
                const float px = (float(x) + 0.5f) / SMOOTH, py = (float(y) + 0.5f) / SMOOTH;
                const auto weight = [&](int a, int b) {
                    return ((p[b][0] - p[a][0]) * (py - p[a][1]) - (px - p[a][0]) * (p[b][1] - p[a][1])) / area;
                };
                const float w[3] = {weight(1, 2), weight(2, 0), weight(0, 1)};
                const float z = w[0] * p[0][2] + w[1] * p[1][2] + w[2] * p[2][2];
                const std::size_t at = std::size_t(y) * std::size_t(SMOOTH * width_) + std::size_t(x);
                if (w[0] < 0 || w[1] < 0 || w[2] < 0 || z <= depth_[at]) continue;
                depth_[at] = z;
                for (std::size_t k = 0; k < 3; ++k) colour_[3 * at + k] = rgb[k];
            }
    }

    /// Writes it; false if that cannot be done.
    bool write(const char *path) const {
        std::vector<std::uint8_t> rows; // a filter byte and the pixels of each row
        for (int y = 0; y < height_; ++y) {
            rows.push_back(0);
            for (int x = 0; x < width_; ++x)
                for (std::size_t k = 0; k < 3; ++k) {
                    float sum = 0;
                    for (int s = 0; s < SMOOTH * SMOOTH; ++s) {
                        const std::size_t row = std::size_t(SMOOTH * y + s / SMOOTH) * std::size_t(SMOOTH * width_);
                        sum += colour_[3 * (row + std::size_t(SMOOTH * x + s % SMOOTH)) + k];
                    }
                    rows.push_back(std::uint8_t(255.0f * std::pow(sum / (SMOOTH * SMOOTH), 1 / 1.4f)));
                }
        }
        std::vector<std::uint8_t> file = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
        std::vector<std::uint8_t> head;
        big_endian(head, std::uint32_t(width_));
        big_endian(head, std::uint32_t(height_));
        head.insert(head.end(), {8, 2, 0, 0, 0});
        chunk(file, "IHDR", head);
        chunk(file, "IDAT", stored(rows));
        chunk(file, "IEND", {});
        std::FILE *out = std::fopen(path, "wb");
        const bool done = out != nullptr && std::fwrite(file.data(), 1, file.size(), out) == file.size();
        return out != nullptr && std::fclose(out) == 0 && done;
    }

private:
    static constexpr int SMOOTH = 2; // drawn this much larger and averaged

    std::size_t pixels() const { return std::size_t(SMOOTH * width_) * std::size_t(SMOOTH * height_); }

    static void big_endian(std::vector<std::uint8_t> &out, std::uint32_t number) {
        for (int shift = 24; shift >= 0; shift -= 8) out.push_back(std::uint8_t(number >> shift));
    }
    /// A zlib stream without compression.
    static std::vector<std::uint8_t> stored(const std::vector<std::uint8_t> &data) {
        std::vector<std::uint8_t> out = {0x78, 1};
        std::uint32_t a = 1, b = 0;
        for (std::size_t start = 0; start < data.size(); start += 65535) {
            const std::size_t length = std::min<std::size_t>(65535, data.size() - start);
            const std::uint8_t last = start + length == data.size();
            out.insert(out.end(), {last, std::uint8_t(length), std::uint8_t(length >> 8), std::uint8_t(~length),
                                   std::uint8_t(~length >> 8)});
            out.insert(out.end(), data.begin() + std::ptrdiff_t(start), data.begin() + std::ptrdiff_t(start + length));
        }
        for (const std::uint8_t byte : data) { a = (a + byte) % 65521; b = (b + a) % 65521; }
        big_endian(out, b << 16 | a);
        return out;
    }
    static void chunk(std::vector<std::uint8_t> &out, const char *kind, const std::vector<std::uint8_t> &data) {
        big_endian(out, std::uint32_t(data.size()));
        const std::size_t start = out.size();
        out.insert(out.end(), kind, kind + 4);
        out.insert(out.end(), data.begin(), data.end());
        std::uint32_t sum = ~0u;
        for (std::size_t k = start; k < out.size(); ++k) {
            sum ^= out[k];
            for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
        }
        big_endian(out, ~sum);
    }

    int width_, height_;
    std::vector<float> depth_, colour_;
};
