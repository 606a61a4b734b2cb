// How far a run is: on a terminal in one line that changes, in logs as a line now and then.
#pragma once

#include <chrono>
#include <cstdarg>
#include <cstdio>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace demo {

/// Between the lines of a log.
constexpr std::chrono::seconds between_lines{30};

inline bool on_a_terminal() {
#ifdef _WIN32
    return _isatty(1) != 0;
#else
    return isatty(1) != 0;
#endif
}

/// Says how far a run is, as printf. Cheap enough for every few steps.
#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
inline void
progress(const char *words, ...) {
    static std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
    const bool terminal = on_a_terminal();
    if (!terminal && std::chrono::steady_clock::now() - last < between_lines) return;
    last = std::chrono::steady_clock::now();
    if (terminal) std::printf("\r");
    std::va_list values;
    va_start(values, words);
    std::vprintf(words, values);
    va_end(values);
    std::printf(terminal ? "\033[K" : "\n"); // clears what a longer line has left
    std::fflush(stdout);
}

/// Before the outcome is printed: takes away the line that told how far it was.
inline void end_progress() {
    if (on_a_terminal()) std::printf("\r\033[K");
}

} // namespace demo
