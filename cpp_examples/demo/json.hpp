// Figures for the report page, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace demo {

/// Members keep the order in which they were added.
using Json = nlohmann::ordered_json;

/// get(item) of each item.
template <class List, class Get>
Json numbers(const List &items, Get get) {
    Json list = Json::array();
    for (const auto &item : items) list.push_back(get(item));
    return list;
}

/// Writes a file; ends the program with a sentence if that fails. Numbers have seven significant digits, which is more than any
/// measurement has; NaN and infinity become null.
void write_json(const std::string &path, Json json);

} // namespace demo
