# Sourced by the other scripts: goes to the project's root and sees to it that what they need is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

oldest_rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

# What is done next, and for how long the script has run.
say() { printf '\n== %s [%d:%02d]\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }

# tell LOG: how a command goes that writes into a log, until the script ends or this is killed: its last line, on a terminal in one line that
# changes, elsewhere every half minute.
tell() {
    local log=$1 start=$SECONDS shown=$SECONDS width line
    while kill -0 $$ 2>/dev/null; do
        sleep 0.5
        if [ -t 1 ] || ((SECONDS - shown >= 30)); then
            shown=$SECONDS
            line=$(tail -c 2000 "$log" | tr '\r' '\n' | grep -v '^ *$' | tail -n 1 | tr -d '\033' || true)
            printf -v line '   %d:%02d %s' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)) "${line#"${line%%[! ]*}"}"
            if [ -t 1 ]; then
                width=$(tput cols 2>/dev/null || echo 80)
                printf '\r\033[K%s' "${line:0:width-1}"
            else
                echo "${line:0:150}"
            fi
        fi
    done
}

# quietly LOG COMMAND...: runs it into a log, and tells how it goes. If it fails, the end of the log is shown.
quietly() {
    local log=$1 teller status=0
    shift
    mkdir -p "$(dirname "$log")"
    : >"$log"
    tell "$log" &
    teller=$!
    "$@" >>"$log" 2>&1 || status=$?
    kill $teller 2>/dev/null || true
    wait $teller 2>/dev/null || true
    [ ! -t 1 ] || printf '\r\033[K'
    [ $status = 0 ] || { tail -n 40 "$log" >&2; echo "all of it: $log" >&2; }
    return $status
}

# apt COMMAND...: apt-get as root, quietly. Waits up to five minutes while another package manager is at work: the option is for
# installing, and does not cover the lock of the package lists.
apt() {
    local root=() said start=$SECONDS
    [ "$(id -u)" = 0 ] || root=(sudo)
    until said=$("${root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" 2>&1 >/dev/null); do
        if ! grep -q 'Could not get lock' <<<"$said" || ((SECONDS - start >= 300)); then
            echo "$said" >&2
            return 1
        fi
        sleep 2
    done
}

# install PACKAGE... WHY: the last word says what it is for
install() {
    local why=${*: -1} packages=("${@:1:$#-1}")
    say "installing ${packages[*]}: $why"
    apt update
    apt install -y --no-install-recommends "${packages[@]}"
}

# What builds the C and C++ side.
need_cmake() {
    command -v cmake >/dev/null && command -v make >/dev/null || install cmake make "builds the C and C++ side"
    command -v g++ >/dev/null || install g++ "compiles the C++ examples and tests"
}

# What looks at the command's pictures: trimesh and the Khronos validator, below out/. Without a network the tests skip it.
need_judges() {
    python3 -c "import venv, ensurepip" 2>/dev/null || install python3 python3-venv "runs trimesh, which checks pictures and writes test files"
    if ! out/venv/bin/python -c "import trimesh, meshio, scipy" 2>/dev/null; then
        say "installing trimesh, meshio and scipy into out/venv: they check pictures and write test files"
        python3 -m venv out/venv && out/venv/bin/pip install --quiet trimesh meshio scipy || echo "skipped: trimesh and meshio could not be installed" | tee -a "$log"
    fi
    command -v node >/dev/null && command -v npm >/dev/null || install nodejs npm "runs the Khronos glTF validator"
    if [ ! -d out/npm/node_modules/gltf-validator ]; then
        say "installing gltf-validator into out/npm: it checks pictures"
        npm install --silent --prefix out/npm gltf-validator >/dev/null || echo "skipped: the Khronos validator could not be installed" | tee -a "$log"
    fi
}

# need_engine NAME...: the engines that the adapters are built for. Jolt and PhysX come as sources, by cargo.
need_engine() {
    need_cmake
    command -v pkg-config >/dev/null || install pkg-config "finds engines"
    local engine
    for engine in "$@"; do
        case "$engine" in
        bullet) [ -e /usr/include/bullet ] || install libbullet-dev "the engine Bullet" ;;
        ode) [ -e /usr/include/ode ] || install libode-dev "the engine ODE" ;;
        jolt | physx) ;;
        *) echo "there is no engine \"$engine\"; there are: jolt, bullet, physx, ode" >&2; exit 1 ;;
        esac
    done
}

# need_demo NAME...: what the demo is built from, for these engines.
need_demo() {
    need_engine "$@"
    [ -e /usr/include/nlohmann/json.hpp ] || install nlohmann-json3-dev "the demo writes its figures with it, as JSON"
}

# configure PROFILE [OPTION...]: CMake for out/cmake, with the library that cargo builds in this profile.
configure() {
    local profile=$1
    shift
    cmake -S . -B out/cmake -DCMAKE_BUILD_TYPE=Release -DFRACAS_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}" -DFRACAS_PROFILE="$profile" "$@"
}

# build_engines NAME...: the demo for these engines and for those that it was built for before.
build_engines() {
    local known all
    known=$(sed -n 's/^FRACAS_ENGINES:STRING=//p' out/cmake/CMakeCache.txt 2>/dev/null | tr ';' ' ' || true)
    all=$(printf '%s\n' $known "$@" | sort -u | paste -sd ';')
    quietly out/demo/configure.log configure release -DFRACAS_ENGINES="$all" || exit 1
    quietly out/demo/build.log cmake --build out/cmake --target fracas_demo -j "$(nproc)" || exit 1
}

# build_example NAME: one of cpp_examples/, in the folder of build_engines, with the engines that were built there before.
build_example() {
    quietly out/demo/configure.log configure release || exit 1
    quietly out/demo/build.log cmake --build out/cmake --target "$1" -j "$(nproc)" || exit 1
}

# cook_samples [dev]: the sample assets, cooked by the command; again when it is newer. dev: by the one that the tests have built.
cook_samples() {
    local folder=release shape file
    if [ "${1:-}" = dev ]; then
        folder=debug # -p fracas-cli would build the library once more, without the feature capi
    else
        quietly out/demo/command.log cargo build --locked --release -p fracas-cli || exit 1
    fi
    local command=${CARGO_TARGET_DIR:-target}/$folder/fracas
    mkdir -p out/demo/assets
    for shape in piggy_bank rabbit brick plate shelf bowl; do
        file=out/demo/assets/$shape.fracas
        [ "$file" -nt "$command" ] && continue
        echo "cooking $shape"
        "$command" cook --shape "$shape" --density 2000 -o "$file" >/dev/null
    done
}

# Runs the demo. It ends with 2 if a check was missed, which it has said then.
demo() {
    local status=0
    out/cmake/cpp_examples/demo/fracas_demo "$@" || status=$?
    [ "$status" = 0 ] || [ "$status" = 2 ]
}

# What makes the demo's report page: three.js, uPlot and esbuild, below out/, so that the tree stays clean.
need_page() {
    command -v node >/dev/null && command -v npm >/dev/null || install nodejs npm "bundles the report page"
    local versions=cpp_examples/demo/page/package.json
    if ! cmp -s $versions out/page/package.json; then
        say "installing three, uplot, esbuild and playwright-core into out/page: they make the report page, and test it"
        rm -rf out/page/node_modules && mkdir -p out/page/new && cp $versions out/page/new/
        npm install --silent --no-fund --no-audit --no-package-lock --prefix out/page/new >/dev/null
        mv out/page/new/node_modules out/page/new/package.json out/page/ && rmdir out/page/new
    fi
}

# What looks at the page.
need_browser() {
    need_page
    command -v chromium >/dev/null || install chromium "opens the report page, to test it"
}

recent_rust() {
    local found
    found=$(cargo --version 2>/dev/null | cut -d' ' -f2) || return 1
    [ -n "$found" ] && [ "$(printf '%s\n%s\n' "$oldest_rust" "$found" | sort -V | head -n 1)" = "$oldest_rust" ]
}

command -v cc >/dev/null || install gcc libc6-dev "links what Rust compiles"
recent_rust || install cargo-web rustc-web "the compiler (Rust $oldest_rust or newer)"
if ! recent_rust; then
    echo "Rust $oldest_rust or newer is needed, and Debian's packages did not bring it; please install it by hand." >&2
    exit 1
fi
