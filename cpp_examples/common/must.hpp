// Examples end with a sentence if a call fails; engines would handle the status.
#pragma once

#include <fracas.hpp>

#include <cstdio>
#include <cstdlib>

/// Ends the program if a call failed, and says why.
template <class T>
T must(fracas::Result<T> result) {
    if (!result) {
        std::printf("%s: %s\n", fc_status_name(result.status()), fracas::last_error());
        std::exit(1);
    }
    return result.take();
}
