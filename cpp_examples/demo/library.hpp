// The sample assets, cooked beforehand by `fracas cook --shape NAME -o DIR/NAME.fracas`.
#pragma once

#include <fracas.hpp>

#include <map>
#include <string>

namespace demo {

class Library {
public:
    explicit Library(std::string folder) : folder_(std::move(folder)) {}
    /// Loaded when first asked for. Ends the program with a sentence if it is not there.
    const fracas::Asset &operator[](const std::string &name);
    /// A block of these measures, in metres, about the origin, filled with tetrahedra of about this edge.
    const fracas::Asset &block(float x, float y, float z, float edge);

private:
    std::string folder_;
    std::map<std::string, fracas::Asset> assets_;
};

/// Ends the program with a sentence.
[[noreturn]] void give_up(const std::string &why);

/// Ends the program if a call failed, and says why.
template <class T>
T must(fracas::Result<T> result) {
    if (!result) give_up(std::string(fc_status_name(result.status())) + ": " + fracas::last_error());
    return result.take();
}

/// The surface of an object that somebody else owns.
fracas::Surface surface_of(fc_object object);

} // namespace demo
