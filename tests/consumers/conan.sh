#!/usr/bin/env bash
# Makes the Conan package of the library that CMake has built, shared and static, and builds and runs its test package.
# Conan comes from PyPI, below out/.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) build=$(realpath "$1") work=$2
root=$here/../.. venv=$here/../../out/conan/venv
if [ ! -x "$venv/bin/conan" ]; then
    python3 -m venv "$venv" && "$venv/bin/pip" install --quiet 'conan>=2,<3' || { echo "skipped: Conan could not be installed"; exit 0; }
fi
rm -rf "$work"
mkdir -p "$work"
work=$(realpath "$work")
export CONAN_HOME=$work/home
"$venv/bin/conan" profile detect >"$work/profile.log" 2>&1
for shared in True False; do
    "$venv/bin/conan" create "$root/packages/conan" -o "fracas/*:shared=$shared" -c "tools.cmake.cmake_layout:test_folder=$work/test" \
        -c "tools.cmake.cmaketoolchain:extra_variables={'FRACAS_PREBUILT': '$build'}" >"$work/create.log" 2>&1 ||
        { cat "$work/create.log"; echo "conan create, shared=$shared, failed"; exit 1; }
    printf 'conan, shared=%s: %s\n' $shared "$(grep '^fracas .* works' "$work/create.log")"
done
