// What the tests share.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>

inline int Failures = 0;

/// Says what is not so, and goes on.
#define CHECK(Condition, ...)                                                                                                   \
    do {                                                                                                                        \
        if (!(Condition)) {                                                                                                     \
            ++Failures;                                                                                                         \
            std::printf("%s:%d: not so: %s: ", __FILE__, __LINE__, #Condition);                                                 \
            std::printf(__VA_ARGS__);                                                                                           \
            std::printf("\n");                                                                                                  \
        }                                                                                                                       \
    } while (false)

inline bool Near(double A, double B, double Tolerance) { return std::abs(A - B) <= Tolerance; }

/// From -1 to 1, the same on every run.
inline double Random() {
    static unsigned long long State = 0x9e3779b97f4a7c15ull;
    State ^= State << 13;
    State ^= State >> 7;
    State ^= State << 17;
    return static_cast<double>(State >> 11) / static_cast<double>(1ull << 52) - 1;
}

inline int Finish(const char *What) {
    std::printf("%s: %s\n", What, Failures == 0 ? "passed" : "FAILED");
    return Failures == 0 ? 0 : 1;
}
