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

# Whether the list of what is linked in is right; to tell, cargo wants some crates that are not.
if (cd "$source" && cargo tree --locked --quiet --package fracas-capi --target all) >"$work/tree.log" 2>&1; then
    (cd "$source" && packages/materials.py --check)
else
    echo "skipped: whether packages/linked_in.txt is right: cargo could not fetch the crates that it asks for"
fi

# Installing downloads nothing: without a network, and with nothing in cargo's folder but the crates that building the library needs, it brings
# the licences and the bill of materials of what is linked in.
cargo_home=${CARGO_HOME:-$HOME/.cargo} home=$work/cargo_home
mkdir -p "$home/registry"
cp "$cargo_home"/config* "$home/" 2>/dev/null || true
(cd "$source" && cargo tree --locked --offline --quiet --package fracas-capi --edges normal,build --prefix none --format '{p}') |
    sed -n 's/^\([^ ]*\) v\([^ ]*\)\( (proc-macro)\)\?\( (\*)\)\?$/\1-\2.crate/p' | LC_ALL=C sort -u >"$work/needed.txt"
if [ -d "$cargo_home/registry/index" ]; then
    cp -r "$cargo_home/registry/index" "$home/registry/"
    for cache in "$cargo_home"/registry/cache/*; do
        mkdir -p "$home/registry/cache/$(basename "$cache")"
        while read -r crate; do [ ! -e "$cache/$crate" ] || cp "$cache/$crate" "$home/registry/cache/$(basename "$cache")/"; done <"$work/needed.txt"
    done
    [ "$(find "$home/registry/cache" -name '*.crate' | wc -l)" = "$(wc -l <"$work/needed.txt")" ] || { echo "crates that the library was built from are missing"; exit 1; }
    export CARGO_HOME=$home
else
    echo "skipped: cargo keeps no crates in $cargo_home; installing was tried with all that there is"
fi
CARGO_NET_OFFLINE=true cmake --install "$build" --prefix "$work/first" >"$work/install.log" 2>&1 || { cat "$work/install.log"; echo "it cannot be installed without a network"; exit 1; }
export CARGO_HOME=$cargo_home
printf 'install, offline, of %s crates: ' "$(wc -l <"$work/needed.txt")"
python3 - "$work/first/share" "$work/needed.txt" <<'PYTHON'
import json, pathlib, sys
share, needed = pathlib.Path(sys.argv[1]), set(pathlib.Path(sys.argv[2]).read_text().split())
parts = {f"{c['name']}-{c['version']}.crate" for c in json.loads((share / "doc/fracas/fracas.cdx.json").read_text())["components"] if c["name"] != "rust-std"}
assert parts and parts <= needed, f"the bill names {sorted(parts - needed)}, which was not needed"
assert all(any((share / "licenses/fracas/crates" / part.removesuffix(".crate")).iterdir()) for part in parts), "a licence is missing"
print(len(parts), "parts in the bill")
PYTHON
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
