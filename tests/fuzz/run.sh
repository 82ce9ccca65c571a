#!/usr/bin/env bash
# Builds the fuzz targets (preset `fuzz`: clang) and runs each for SECONDS, two at a time. Ends with
# an error at any finding: a crash, a broken promise, a leak, a slow input, too much memory. The
# input that shows it stays in build/fuzz/findings; once the defect is mended, move it to
# corpus/TARGET, where every test run replays it.
#   tests/fuzz/run.sh SECONDS [TARGET...]
# In the environment: FUZZ_JOBS, default 2. FUZZ_CORPUS: a folder for what the fuzzers find
# interesting, to go on from in a later run; default build/fuzz/corpus.
set -euo pipefail
cd -P "$(dirname "${BASH_SOURCE[0]}")/../.."

seconds=${1:?usage: tests/fuzz/run.sh SECONDS [TARGET...]}
shift
targets=("$@")
if [[ ${#targets[@]} -eq 0 ]]; then
    mapfile -t targets < <(cd tests/fuzz && ls fuzz_*.cpp | sed 's/\.cpp$//')
fi
jobs=${FUZZ_JOBS:-2}
corpus=${FUZZ_CORPUS:-build/fuzz/corpus}
findings=build/fuzz/findings
logs=build/fuzz/logs

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
mkdir -p "$corpus" "$findings" "$logs"

# Temporary files of the targets: in memory, and gone at the end also after a crash.
TMPDIR=$(mktemp -d "$([[ -d /dev/shm ]] && echo /dev/shm || echo /tmp)/perp-fuzz-XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

export LSAN_OPTIONS="print_suppressions=0"
export ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=1:quarantine_size_mb=8"
export UBSAN_OPTIONS="print_stacktrace=1"

fuzz() {
    local target=$1 code=0 dictionary=()
    set -u
    mkdir -p "$corpus/$target"
    if [[ -f tests/fuzz/$target.dict ]]; then dictionary=("-dict=tests/fuzz/$target.dict"); fi
    "build/fuzz/bin/$target" "$corpus/$target" "tests/fuzz/corpus/$target" \
        -max_total_time="$seconds" -max_len=2048 -len_control=5 -rss_limit_mb=2048 -timeout=10 \
        -print_final_stats=1 -artifact_prefix="$findings/$target-" "${dictionary[@]}" \
        >"$logs/$target" 2>&1 || code=$?
    if [[ $code -ne 0 ]]; then
        tail -n 60 "$logs/$target"
        printf '%s: FAILED (exit %d), log %s\n' "$target" "$code" "$logs/$target"
        return 1
    fi
    printf '%-20s %9s inputs, coverage %s\n' "$target" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$logs/$target")" \
        "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$logs/$target" | tail -n 1)"
}

export -f fuzz
export seconds corpus findings logs
if ! printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I {} bash -c 'fuzz {}'; then
    echo "Findings are in $findings:"
    ls -l "$findings"
    exit 1
fi
