# The other scripts of this folder source this file: the folders in use. Apart from Debian packages, everything is installed
# into the cache.
stepgate_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ -z "${STEPGATE_CACHE:-}${XDG_CACHE_HOME:-}${HOME:-}" ]; then
  echo "stepgate: HOME is not set, so there is no folder for LibTorch: set STEPGATE_CACHE to one" >&2
  exit 1
fi
stepgate_cache=${STEPGATE_CACHE:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/stepgate}
stepgate_torch=$stepgate_cache/torch-2.11.0
stepgate_data=$stepgate_cache/data/scikit-learn-1.9.1
stepgate_linters=$stepgate_cache/workflow-linters
stepgate_peers=$stepgate_cache/peers
stepgate_build=${STEPGATE_BUILD:-$stepgate_root/build/release}
# With these settings the compiler cache works across checkouts (paths below the root become relative) and with precompiled
# headers.
export CCACHE_BASEDIR=$stepgate_root CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
export CCACHE_DIR=${CCACHE_DIR:-$stepgate_cache/ccache}

say() { printf '== %s\n' "$*"; }

# Prints one line that says what is missing and what to do.
stop() {
  printf 'stepgate %s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# The folder of a LibTorch that the user put on CMAKE_PREFIX_PATH, or nothing.
own_libtorch() {
  local place
  for place in $(echo "${CMAKE_PREFIX_PATH:-}" | tr ':;' '  '); do
    for place in "$place" "$place/torch"; do
      [ -e "$place/share/cmake/Torch/TorchConfig.cmake" ] && echo "$place" && return
    done
  done
  return 0
}

# The folder of the CUDA toolkit, or nothing: CUDA_HOME, the one on PATH, /usr/local/cuda.
find_cuda() {
  local place
  for place in "${CUDA_HOME:-}" "$(dirname "$(dirname "$(command -v nvcc || echo /none/none/none)")")" /usr/local/cuda; do
    if [ -n "$place" ] && [ -e "$place/bin/nvcc" ]; then echo "$place"; return; fi
  done
}

# build_targets DIR [TARGET...]: builds and shows progress. By default at most two compilers: one that reads LibTorch takes
# 2 GB.
build_targets() {
  local folder=$1 target arguments=()
  shift
  for target in "$@"; do arguments+=(--target "$target"); done
  NINJA_STATUS='@step %f %t ' cmake --build "$folder" -j "${STEPGATE_JOBS:-2}" "${arguments[@]}" | "$stepgate_root/ci/show_progress"
}
