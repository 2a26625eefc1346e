#!/usr/bin/env bash
# Makes the corpora of traces and blocks anew, after the trace format has changed: tests/fuzz/corpus/make.sh [BUILD-FOLDER]
set -euo pipefail
corpus=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:-$corpus/../../../build/release}
traced() {
  local name=$1
  shift
  rm -f "$corpus/reader/$name.twd"
  "$build/twiddle" trace "$@" --runtime host -o "$corpus/reader/$name.twd" >/dev/null
}
mkdir -p "$corpus/reader" "$corpus/codec"
traced butterflies fft-radix2 --n 8
traced groups fft-radix2-local --n 8 --rows 2
traced sums reduce-sequential --n 16
traced atomics histogram-local --n 64
traced moves fft2d --rows 4 --cols 8 --method transpose --transform stockham2
"$build/twiddle_fuzz_codec" --make="$corpus/codec"
