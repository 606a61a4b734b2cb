# Sourced: where the headers of Godot are, which crates carry. Cargo keeps what it has fetched, and checks it.

# crate_folder NAME VERSION
crate_folder() {
    local stub=out/godot/$1
    mkdir -p "$stub/src"
    printf '[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n%s = "=%s"\n' "$1" "$2" >"$stub/Cargo.toml"
    : >"$stub/src/lib.rs"
    cargo metadata --quiet --format-version 1 --manifest-path "$stub/Cargo.toml" |
        grep -o "\"manifest_path\":\"[^\"]*/$1-[0-9][^\"/]*/Cargo.toml\"" | head -n 1 | sed 's/^"manifest_path":"//; s/\/Cargo.toml"$//'
}

# extension_header VERSION: gdextension_interface.h of Godot 4.2 to 4.6
extension_header() { echo "$(crate_folder gdextension-api 0.4.0)/versions/$1/res"; }

# native_headers: those of Godot 3
native_headers() { echo "$(crate_folder gdnative-sys 0.9.3)/godot_headers"; }
