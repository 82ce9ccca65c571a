#!/usr/bin/env bash
# Installs what is missing (Debian), builds, and runs every test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bash .ci/install .ci/packages.txt
cmake --preset release
cmake --build --preset release
ctest --preset release -j "$(nproc)"
