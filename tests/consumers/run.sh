#!/usr/bin/env bash
# Builds and runs the consumers: add_subdirectory, FetchContent, find_package and pkg-config, shared and static.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) build=$1 work=$2 cargo=$3 profile=$4
source=$(cd "$here/../.." && pwd)
rm -rf "$work"
mkdir -p "$work"

# consumer NAME FOLDER OPTION...: configures, builds and runs one
consumer() {
    local name=$1 folder=$2
    shift 2
    cmake -S "$here/$folder" -B "$work/$name" "$@" >"$work/$name.log" 2>&1 &&
        cmake --build "$work/$name" >>"$work/$name.log" 2>&1 || { cat "$work/$name.log"; echo "$name does not build"; exit 1; }
    printf '%s: ' "$name"
    "$work/$name/consumer"
}

for shared in ON OFF; do
    consumer "subdirectory_$shared" subdirectory -DFRACAS_SOURCE="$source" -DFRACAS_TARGET_DIR="$cargo" -DFRACAS_PROFILE="$profile" -DFRACAS_SHARED=$shared
done
consumer fetch subdirectory -DFRACAS_SOURCE="$source" -DFRACAS_TARGET_DIR="$cargo" -DFRACAS_PROFILE="$profile" -DFETCH=ON

cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/prefix" # what is installed can be moved
for shared in ON OFF; do
    consumer "package_$shared" package -DCMAKE_PREFIX_PATH="$work/prefix" -DFRACAS_SHARED=$shared
done
[ -L "$work/prefix/lib/libfracas.so" ] && [ -f "$work/prefix/include/fracas.hpp" ]

if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
    # shellcheck disable=SC2046
    cc "$here/main.c" $(pkg-config --cflags --libs fracas) -Wl,-rpath,"$work/prefix/lib" -o "$work/by_pkg_config"
    printf 'pkg-config: '
    "$work/by_pkg_config"
    rm "$work/prefix/lib/libfracas.so"* # so that the static one is found
    # shellcheck disable=SC2046
    cc "$here/main.c" $(pkg-config --static --cflags --libs fracas) -o "$work/by_pkg_config_static"
    printf 'pkg-config, static: '
    "$work/by_pkg_config_static"
else
    echo "skipped: pkg-config is not installed"
fi
