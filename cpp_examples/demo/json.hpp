// Writes JSON, as much of it as the report needs. What is not finite becomes null.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace demo {

class Json {
public:
    Json &open(const char *key = nullptr) { return begin(key, '{'); }
    Json &list(const char *key = nullptr) { return begin(key, '['); }
    Json &close() {
        text_ += closers_.back();
        closers_.pop_back();
        first_ = false;
        return *this;
    }
    Json &put(const char *key, double value) {
        name(key);
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.7g", value);
        text_ += std::isfinite(value) ? digits : "null";
        return *this;
    }
    Json &put(const char *key, const std::string &value) {
        name(key);
        quote(value);
        return *this;
    }
    Json &put_bool(const char *key, bool value) {
        name(key);
        text_ += value ? "true" : "false";
        return *this;
    }
    template <class List, class Get>
    Json &numbers(const char *key, const List &items, Get get) {
        list(key);
        for (const auto &item : items) put(nullptr, get(item));
        return close();
    }
    const std::string &text() const { return text_; }

private:
    Json &begin(const char *key, char bracket) {
        name(key);
        text_ += bracket;
        closers_ += bracket == '{' ? '}' : ']';
        first_ = true;
        return *this;
    }
    void name(const char *key) {
        if (!first_) text_ += ',';
        first_ = false;
        if (key) quote(key), text_ += ':';
    }
    void quote(const std::string &value) {
        text_ += '"';
        for (const char c : value) {
            if (c == '"' || c == '\\') text_ += '\\';
            if (c == '\n') text_ += "\\n";
            else text_ += c;
        }
        text_ += '"';
    }

    std::string text_, closers_;
    bool first_ = true;
};

} // namespace demo
