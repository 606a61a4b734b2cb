#!/usr/bin/env bash
# The scripts' own manners: builds tell how they go, logs have whole lines, and the summary is short, complete and says what is missing.
#
#   tests/scripts/run.sh FOLDER     a folder to work in
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd) work=$1
rm -rf "$work" && mkdir -p "$work"
work=$(realpath "$work")
fail() { echo "$*"; exit 1; }

# A log as scripts/test writes it: thousands of lines, of which few belong into a summary.
{
    for k in $(seq 1500); do printf 'test a_test_%d ... ok\n%d nodes in %d fragments: 2.1 times their mesh\n' "$k" "$k" "$k"; done
    echo 'test result: ok. 1500 passed; 0 failed; 4 ignored; 0 measured; 0 filtered out; finished in 9.9s'
    echo 'all: 173 events, 2046 fragments, worst relative errors: volume sum 1e-15, surface volume 2e-15, centre 1e-15, inertia 1e-14, crack area 1e-14'
    echo '2100 pairs, 900 touching: 40000 samples found as brute force finds them, by buckets and by sphere trees, 3 at the limit; depth error mean 0.0010 h, 95 % 0.0020 h, max 0.0030 h'
    echo 'few nodes                 1000 pairs,   400 overlap,    3 missed (0.75 %), up to 0.10 % of the volume and 0.20 % of the radius deep, 0 invented'
    echo '2000 overlapping pairs, 99.50 % come apart'
    echo 'plates      jolt    44 fragments, 77 of 2115 colliding points are contacts, detection 0.80 (5.00) ms, 12 s'
    echo 'code blocks: 94 in 30 pages (40 cpp), 0 wrong, 33 s'
    echo 'skipped: valgrind is not installed'
    echo 'skipped: valgrind is not installed'
} >"$work/test.log"
echo '100% tests passed, 0 tests failed out of 61' >"$work/ctest.log"
"$root/scripts/summary" "$work/test.log" "$work/ctest.log" >"$work/summary.txt" || fail "a good log is refused: $(cat "$work/summary.txt")"
[ "$(wc -l <"$work/summary.txt")" -lt 40 ] || fail "the summary has $(wc -l <"$work/summary.txt") lines"
for wanted in '1500 passed, 0 failed, 4 ignored' '173 events' 'found as brute force' '0 invented' '99.50 % come apart' '44 fragments' 'out of 61' '94 in 30 pages'; do
    grep -q "$wanted" "$work/summary.txt" || fail "the summary has no \"$wanted\""
done
[ "$(grep -c 'valgrind is not installed' "$work/summary.txt")" = 1 ] || fail "what was skipped is not told once"
grep -v 'come apart' "$work/test.log" >"$work/short.log"
! "$root/scripts/summary" "$work/short.log" "$work/ctest.log" >/dev/null 2>&1 || fail "a figure that no test prints any more is not missed"
{ cat "$work/test.log"; printf 'rabbits 0.1 s\rrabbits 0.2 s\n'; } >"$work/returns.log"
! "$root/scripts/summary" "$work/returns.log" "$work/ctest.log" >/dev/null 2>&1 || fail "carriage returns in a log are not seen"
echo "summary: $(wc -l <"$work/summary.txt") lines of $(wc -l <"$work/test.log")"

# A build that is watched: without a terminal no line is written over, and a failure shows its end and ends the script.
cat >"$work/build.sh" <<SCRIPT
source "$root/scripts/setup.sh"
quietly "$work/build.log" bash -c 'echo "   Compiling one"; sleep 1; echo "   Compiling two"'
echo built
quietly "$work/build.log" bash -c 'echo "error: three does not compile"; exit 101'
echo "it went on"
SCRIPT
status=0
bash "$work/build.sh" >"$work/build.txt" 2>&1 || status=$?
[ $status = 101 ] || fail "a build that fails ends with $status"
grep -q '^built$' "$work/build.txt" && grep -q 'three does not compile' "$work/build.txt" && ! grep -q 'it went on' "$work/build.txt" || fail "$(cat "$work/build.txt")"
! grep -q $'\r' "$work/build.txt" || fail "a log has carriage returns"
if command -v script >/dev/null; then
    script -qec "bash $work/build.sh" "$work/terminal.txt" >/dev/null 2>&1 || true
    grep -q $'\r.*Compiling one.*\r' "$work/terminal.txt" || fail "on a terminal the build does not tell how it goes"
else
    echo "skipped: script, which stands for a terminal, is not installed"
fi
echo "builds: tell how they go, and how they fail"
