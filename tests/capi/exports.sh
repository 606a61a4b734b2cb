#!/usr/bin/env bash
# The shared library exports the functions of symbols.txt and nothing else, under the name of its ABI; the header declares
# the same ones; it does not call the C library's mathematics; and what a static link needs is what the build says.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) library=$1 header=$2 native=$3
nm -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort | diff "$here/symbols.txt" - \
    || { echo "exports differ from tests/capi/symbols.txt"; exit 1; }
sed -n 's/^FC_API .*\(fc_[a-z_]*\)(.*/\1/p' "$header" | LC_ALL=C sort | diff "$here/symbols.txt" - \
    || { echo "the header differs from tests/capi/symbols.txt"; exit 1; }
abi=$(sed -n 's/^#define FC_ABI_VERSION //p' "$header")
readelf -d "$library" | grep "soname: \[libfracas.so.$abi\]" >/dev/null || { echo "soname is not libfracas.so.$abi"; exit 1; }
! readelf -d "$library" | grep -F '[libm.so' || { echo "the library calls libm, whose bits differ between platforms: use src/geom/pinned.rs"; exit 1; }
wanted=$(: | rustc --crate-type staticlib --print native-static-libs -o "$(mktemp -d)/nothing.a" - 2>&1 |
    sed -n 's/^note: native-static-libs: //p' | sed 's/-l//g')
[ "$wanted" = "$native" ] || { echo "a static link needs '$wanted', CMakeLists.txt says '$native'"; exit 1; }
echo "$(wc -l <"$here/symbols.txt") exports"
