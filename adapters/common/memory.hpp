// The contacts of a pair, kept while the two hardly move against each other.
//
// A query begins with the deepest point, and at rest all are about as deep: rounding says which it is, and contacts are others
// in every step. Solvers then push at other points each time, and stacks creep and never sleep. So contacts stay the same points
// of the two bodies until these have moved, with depths that follow the movement. It is also what makes rest cheap.
#pragma once

#include "query.hpp"

#include <vector>

namespace adapter {

/// The contacts of a pair, and how the two were to each other when they were found.
class Remembered {
public:
    /// Finds the contacts again, as deep as they are now; false if they must be asked for anew. `centre` and `radius` are of
    /// a ball around a, in its frame; no point of it has moved farther against b than `still`, in metres.
    bool recall(const Query &query, const Pose &pose_a, const Pose &pose_b, Vec centre, double radius, double still,
                Contacts &contacts) const;
    /// Keeps what was found. No contacts are kept too: whoever is apart and does not move stays so.
    void keep(const Query &query, const Pose &pose_a, const Pose &pose_b, const Contacts &contacts);

private:
    struct Point {
        Vec on_a, on_b; // in the frames of the two; the same place then
        Vec normal;     // in the frame of b
        float depth;
        std::uint32_t feature;
    };
    std::vector<Point> points_;
    Pose a_in_b_;
    double margin_ = -1; // less than any: nothing kept yet
};

} // namespace adapter
