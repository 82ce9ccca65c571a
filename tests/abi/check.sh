#!/usr/bin/env bash
# Compares the binary interface of a library with the one that is frozen beside this script:
# functions, their parameters and the structs they take (perp.abi), values of constants
# (perp.constants). Programs linked to an earlier library rely on all of it.
#   tests/abi/check.sh LIBRARY [FROZEN [HEADERS]]           fails where that has changed
#   tests/abi/check.sh --renew LIBRARY [FROZEN [HEADERS]]   freezes what the library has
#   tests/abi/check.sh --selftest                           proves on a small library that it fails
# FROZEN: the folder with the two files. The library's interface has to be compiled with -g2, as in
# the asan preset. Needs abigail-tools and a C compiler.
#
# New functions and constants pass. Everything else is reported, also a field at the end of a struct
# that starts with struct_size: abidiff sees a struct that became larger, and cannot know that old
# programs pass their own size. That is the one change for which the files may be renewed as they
# are; tests/capi/struct_layout.c guards the offsets of the fields that were there before, and
# abi_old_program runs a program with shorter structs. A field with another name is reported as
# well, since it may have another meaning; names of parameters are not looked at.
set -euo pipefail
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# interface LIBRARY HEADERS FILE: without the paths of the build. abidiff would take a function
# without types for unchanged.
interface() {
    abidw --headers-dir "$2" --drop-private-types --exported-interfaces-only --no-show-locs \
        --no-corpus-path --no-comp-dir-path --no-elf-needed --out-file "$scratch/raw.abi" "$1" ||
        return 1
    sed "s|\( path='\)[^']*/|\1|" "$scratch/raw.abi" >"$3"
    if [[ $(grep -c '<function-decl ' "$3") -ne $(grep -c "type='func-type'" "$3") ]]; then
        echo "$1: not every function has types in the debug information; compile with -g2" >&2
        return 1
    fi
}

# constants HEADERS FILE: "NAME value" of every enumerator. Most belong to enums without a name that
# no function takes, and are not in a library's debug information.
constants() {
    local header=$1/perp/perp.h
    {
        printf '#include <stdio.h>\n#include "perp/perp.h"\nint main(void) {\n'
        "${CC:-cc}" -E -P "$header" | grep -o '\bPERP_[A-Za-z0-9_]*' | sort -u |
            sed 's/.*/    printf("%s %lld\\n", "&", (long long)&);/'
        printf '    return 0;\n}\n'
    } >"$scratch/constants.c"
    "${CC:-cc}" -std=c99 "-I$1" "$scratch/constants.c" -o "$scratch/constants" || return 1
    "$scratch/constants" | LC_ALL=C sort >"$2"
}

renew() {
    interface "$1" "$3" "$2/perp.abi"
    constants "$3" "$2/perp.constants"
}

check() {
    local same=0
    interface "$1" "$3" "$scratch/now.abi" || return 1
    constants "$3" "$scratch/now.constants" || return 1
    abidiff --no-default-suppression --no-added-syms --harmless "$2/perp.abi" "$scratch/now.abi" ||
        same=1
    if LC_ALL=C comm -23 "$2/perp.constants" "$scratch/now.constants" | grep .; then
        echo "These constants are gone or have another value."
        same=1
    fi
    [[ $same -eq 0 ]] && return 0
    cat >&2 <<'EOF'
The binary interface changed: programs linked to an earlier library may break. Wanted is at most a
new field at the end of a struct with struct_size; anything else needs a new SOVERSION. If it is
wanted: tests/abi/check.sh --renew LIBRARY, and commit the files together with the change.
EOF
    return 1
}

# variant NAME SCRIPT: the small library changed by a sed script.
variant() {
    local folder=$scratch/$1
    mkdir -p "$folder/perp"
    sed -e "$2" "$here/selftest.h" >"$folder/perp/perp.h"
    sed -e "$2" "$here/selftest.c" >"$folder/library.c"
    "${CC:-cc}" -g2 -fPIC -shared "-I$folder" "$folder/library.c" -o "$folder/library.so"
}

# expect NAME SCRIPT [REPORT]: the check of the variant says REPORT; without it, it finds no change.
expect() {
    local found=same
    variant "$1" "$2"
    check "$scratch/$1/library.so" "$scratch/frozen" "$scratch/$1" &>"$scratch/report" ||
        found=changed
    printf '  %-34s %s\n' "$1" "$found"
    if [[ -n ${3:-} ]]; then
        [[ $found == changed ]] && grep -q -- "$3" "$scratch/report" && return 0
    else
        [[ $found == same ]] && return 0
    fi
    cat "$scratch/report"
    echo "The check of the binary interface is wrong: expected ${3:-no change}." >&2
    return 1
}

selftest() {
    mkdir "$scratch/frozen"
    variant original ''
    renew "$scratch/original/library.so" "$scratch/frozen" "$scratch/original"
    expect unchanged ''
    expect function_added 's/^int32_t perp_init/int32_t perp_new(void);\n&/'
    expect constant_added 's/PERP_B = 2/&, PERP_C = 3/'
    expect private_type_changed 's/int inside;/double inside;/'
    expect function_removed '/perp_init/d' '1 Removed'
    expect parameter_changed 's/double x/float x/' 'parameter 3 .* changed'
    expect result_changed 's/int32_t perp_use/int64_t perp_use/' 'return type changed'
    expect field_inserted 's/ double tolerance;/ int64_t new_field;&/' 'data member insertion'
    expect field_removed 's/ int64_t method;//' 'data member deletion'
    expect field_renamed 's/ double tolerance;/ double limit;/' 'name of .* changed'
    expect fields_swapped 's/ method;/ seed;/;t;s/ seed;/ method;/' 'offset changed'
    expect field_appended 's/ double tolerance;/& int64_t new_field;/' 'data member insertion'
    expect constant_changed 's/PERP_B = 2/PERP_B = 3/' '^PERP_B 2$'
    expect constant_of_named_enum_changed 's/PERP_BAD = 1/PERP_BAD = 2/' '^PERP_BAD 1$'
    expect constant_removed 's/, PERP_B = 2//' '^PERP_B 2$'
}

case ${1:-} in
--selftest) selftest ;;
--renew) shift && renew "${1:?the library}" "${2:-$here}" "${3:-$here/../../include}" ;;
*) check "${1:?the library}" "${2:-$here}" "${3:-$here/../../include}" ;;
esac
