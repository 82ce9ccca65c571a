#!/usr/bin/env bash
# Installs what is missing (Debian), builds, makes three scenes, solves each with every solver that
# fits, and compares the solvers. The scenes stay in build/bench, the report in build/bench/report.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bash .ci/install .ci/packages.txt
cmake --preset release
cmake --build --preset release

perp=build/release/bin/perp
scenes=build/bench
mkdir -p "$scenes"
"$perp" make wall --width 10 --height 10 --out "$scenes/wall.h5"
"$perp" make chain --links 100 --out "$scenes/chain.h5"
"$perp" make pile --spheres 200 --out "$scenes/pile.h5"

# A solver that does not get there shall not hide the other scenes, yet it shall be seen.
code=0
for scene in wall chain pile; do
    printf '\n%s\n' "$scenes/$scene.h5"
    "$perp" solve "$scenes/$scene.h5" --solver all || code=$?
done

printf '\nComparing the solvers, which takes a few seconds:\n\n'
"$perp" bench "$scenes"/{wall,chain,pile}.h5 --out "$scenes/report"
printf '\nPlots: %s\n' "$PWD/$scenes/report/index.html"
exit "$code"
