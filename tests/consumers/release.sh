#!/usr/bin/env bash
# Makes the release zip of the library that CMake has built, and builds and runs consumers of it where there is no Rust.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) build=$(realpath "$1") work=$2
root=$here/../.. consumer=$here/../../packages/conan/test_package
rm -rf "$work"
mkdir -p "$work/tools"
work=$(realpath "$work")
for tool in unzip pkg-config python3; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 0; }
done

for time in first second; do
    "$root/scripts/release" --platform linux --from "$build" --out "$work/$time" >"$work/$time.log" 2>&1 || { cat "$work/$time.log"; exit 1; }
done
cmp "$work"/first/*.zip "$work"/second/*.zip || { echo "the same library gave two different zips"; exit 1; }
(cd "$work/first" && sha256sum --quiet -c SHA256SUMS)

unzip -q "$work"/first/*.zip -d "$work/unzipped"
release=$(echo "$work"/unzipped/fracas-*)
(cd "$release" && sha256sum --quiet -c SHA256SUMS && [ "$(find . -type f | wc -l)" = "$(($(wc -l <SHA256SUMS) + 1))" ])
if grep -rIl -e "$work" -e "$(realpath "$root")" "$release"; then
    echo "these files name folders of the machine that made the release"
    exit 1
fi
python3 - "$release" <<'PYTHON'
import json, pathlib, sys
share = pathlib.Path(sys.argv[1], "share")
bill = json.loads((share / "doc/fracas/fracas.cdx.json").read_text())
parts = {f"{c['name']}-{c['version']}": c for c in bill["components"]}
files = {folder.name for folder in (share / "licenses/fracas/crates").iterdir() if any(folder.iterdir())}
std = {part for part in parts if part.startswith("rust-std-")}  # not every installation of Rust has its files
assert files | std == set(parts), f"the bill and the licences differ: {files ^ set(parts)}"
assert all(c["licenses"] and (name in std or c.get("hashes")) for name, c in parts.items()), "a part has no licence or no checksum"
assert any(part.startswith("rayon-1") for part in parts) and not any(part.startswith(("cbindgen", "png", "rapier")) for part in parts), parts.keys()
print(len(parts), "parts are linked in")
PYTHON

# All tools but Rust's.
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do
    [ ! -d "$folder" ] || find "$folder" -maxdepth 1 ! -type d ! -name 'cargo*' ! -name 'rust*' -exec ln -st "$work/tools" {} + 2>/dev/null || true
done
export PATH=$work/tools
if command -v cargo rustc; then
    echo "there should be no Rust here"
    exit 1
fi

for shared in ON OFF; do
    printf 'release, find_package, FRACAS_SHARED=%s: ' $shared
    cmake -S "$consumer" -B "$work/package_$shared" -DCMAKE_PREFIX_PATH="$release" -DFRACAS_SHARED=$shared >"$work/package.log" 2>&1 &&
        cmake --build "$work/package_$shared" >>"$work/package.log" 2>&1 || { cat "$work/package.log"; echo "the consumer does not build"; exit 1; }
    "$work/package_$shared/consumer"
done

# The sources with a library that is built already, for projects that add the folder.
printf 'release, FRACAS_PREBUILT: '
cmake -S "$here/subdirectory" -B "$work/prebuilt" -DFRACAS_SOURCE="$root" -DFRACAS_PREBUILT="$release" >"$work/prebuilt.log" 2>&1 &&
    cmake --build "$work/prebuilt" >>"$work/prebuilt.log" 2>&1 || { cat "$work/prebuilt.log"; echo "the consumer does not build"; exit 1; }
"$work/prebuilt/consumer"

# Only what pkg-config says, which must be of this release.
export PKG_CONFIG_LIBDIR=$release/lib/pkgconfig
# shellcheck disable=SC2046
c++ -std=c++17 "$consumer/main.cpp" $(pkg-config --cflags --libs fracas) -Wl,-rpath,"$release/lib" -o "$work/by_pkg_config"
printf 'release, pkg-config: '
"$work/by_pkg_config"
rm "$release"/lib/libfracas.so* # so that the static one is found
# shellcheck disable=SC2046
c++ -std=c++17 "$consumer/main.cpp" $(pkg-config --static --cflags --libs fracas) -o "$work/by_pkg_config_static"
printf 'release, pkg-config, static: '
"$work/by_pkg_config_static"
