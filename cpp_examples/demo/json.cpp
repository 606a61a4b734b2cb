#include "json.hpp"

#include "library.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace demo {

namespace {

void round_numbers(Json &json) {
    if (json.is_structured()) {
        for (Json &member : json) round_numbers(member);
    } else if (json.is_number_float()) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.7g", json.get<double>());
        json = std::strtod(digits, nullptr);
    }
}

} // namespace

void write_json(const std::string &path, Json json) {
    round_numbers(json);
    std::ofstream file(path);
    file << json << "\n";
    if (!file.flush()) give_up(path + " could not be written");
}

} // namespace demo
