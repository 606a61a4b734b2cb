#!/usr/bin/env bash
# The header compiles alone, and twice in one program, by every compiler that is here, as every standard that we promise.
set -euo pipefail
include=$1 work=$2
mkdir -p "$work"
cd "$work"
printf '#include "fracas.h"\n#include "fracas.h"\nint main(void) { fc_query_desc d; fc_query_desc_default(&d); return d.struct_size == 0; }\n' >one.c
printf '#include "fracas.h"\nvoid two(fc_shape *s);\nvoid two(fc_shape *s) { fc_shape_default(s); }\n' >two.c
cp one.c one.cpp && cp two.c two.cpp
printf '#include "fracas.hpp"\nint main() { return fracas::pose_at().rotation[3] != 1; }\n' >wrapper.cpp
printf '#include "fracas.hpp"\nfracas::Object two() { return {}; }\n' >wrapper_two.cpp
# What the header declares is defined elsewhere: here by nothing at all.
printf 'void fc_query_desc_init(void);\nvoid fc_query_desc_init(void) {}\nvoid fc_shape_init(void);\nvoid fc_shape_init(void) {}\n' >library.c
printf 'int fc_object_destroy(void);\nint fc_object_destroy(void) { return 0; }\n' >>library.c
strict=(-Wall -Wextra -Wpedantic -Werror -Wconversion -Wshadow -Wundef "-I$include")
checked=0
for c in gcc clang; do
    if ! command -v $c >/dev/null; then echo "skipped: the header with $c, which is not installed"; continue; fi
    cpp=g++; [ $c = gcc ] || cpp=clang++
    $c -c library.c -o library.o
    for standard in c99 c11; do
        $c -std=$standard "${strict[@]}" one.c two.c library.o -o one
        checked=$((checked + 1))
    done
    for standard in c++11 c++17 c++20; do
        $cpp -std=$standard "${strict[@]}" one.cpp two.cpp library.o -o one
        checked=$((checked + 1))
    done
    for standard in c++17 c++20; do
        $cpp -std=$standard "${strict[@]}" -fno-exceptions -fno-rtti wrapper.cpp wrapper_two.cpp library.o -o one
        checked=$((checked + 1))
    done
done
echo "$checked ways to compile the headers"
[ $checked -gt 0 ]
