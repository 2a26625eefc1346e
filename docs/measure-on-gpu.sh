#!/usr/bin/env bash
# Every algorithm on a GPU, untraced and traced, at growing sizes, against the double-precision reference: the figures of
# docs/measurements.md. Takes minutes on one GPU; ends with exit code 1 when anything was over its bound or failed.
#
#   docs/measure-on-gpu.sh [PROGRAM] [RUNTIME…]      build/gpu/twiddle, cuda and opencl without arguments
#
# The program of the gpu preset needs nothing but libc: carry it and this source tree to the machine.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
program=${1:-build/gpu/twiddle}
(($# > 0)) && shift
runtimes=("${@:-cuda}")
(($# > 0)) || runtimes=(cuda opencl)
export TWIDDLE_DATA=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# The sizes of an algorithm: its options at 2^10, 2^20 and 2^24 elements, or the nearest that it allows.
sizes() {
  case $1 in
    dft) printf '%s\n' '--n 1024' '--n 32768' ;;
    fft-radix2-single)
      printf '%s\n' '--n 1024' '--n 1024 --type float' '--n 1048576 --method launches' '--n 16777216 --method launches'
      [[ $2 == cuda ]] && echo '--n 16384 --method cooperative'
      ;;
    fft-radix2-local) printf '%s\n' '--n 1024 --rows 1' '--n 1024 --rows 1024' '--n 1024 --rows 16384 --rows-per-group 2' ;;
    fft2d)
      local method transform
      for method in rows-columns transpose fused; do
        for transform in stockham2 stockham4 radix4; do
          [[ $method == rows-columns && $transform != stockham2 ]] && continue
          local with="--method $method"
          [[ $method == rows-columns ]] || with+=" --transform $transform"
          printf '%s\n' "--rows 64 --cols 16 $with" "--rows 1024 --cols 1024 $with"
        done
      done
      ;;
    fft2d-real) printf '%s\n' '--rows 32 --cols 32' '--rows 1024 --cols 1024' ;;
    *) printf '%s\n' '--n 1024' '--n 1048576' '--n 16777216' ;;
  esac
  case $1 in  # both precisions, and each way to get a twiddle
    fft-radix2) printf '%s\n' '--n 1048576 --twiddles native' '--n 1048576 --twiddles table' '--n 1048576 --type double' ;;
    fft-stockham? | fft-radix4 | fft-real) printf '%s\n' '--n 1048576 --type double' '--n 1048576 --inverse' ;;
    reduce-*) printf '%s\n' '--n 1048576 --type float' '--n 0' '--n 1' ;;
    histogram-*) printf '%s\n' '--n 0' '--n 1' ;;
  esac
}

# report KIND RUNTIME ALGORITHM OPTIONS SECONDS: a line of the table, of verify's JSON in $work/verdict.
report() {
  local error bound pass
  error=$(grep -oE '"relative_l2":[^,}]+' "$work/verdict" | cut -d: -f2)
  bound=$(grep -oE '"bound":[^,}]+' "$work/verdict" | cut -d: -f2)
  [[ $error == null ]] && error=inf
  if grep -q '"pass":true' "$work/verdict"; then pass=good; else
    pass="FAILED $(head -c 300 "$work/errors" | tr '\n' ' ')"
    failed=1
  fi
  printf '| %s | %s | `%s %s` | %.3g | %.3g | %s s | %s |\n' "$2" "$1" "$3" "$4" "${error:-nan}" "${bound:-nan}" "$5" "$pass"
}

"$program" devices
printf '\n| runtime | kernels | run | relative L2 error | bound | wall time | |\n|---|---|---|---|---|---|---|\n'
for runtime in "${runtimes[@]}"; do
  for algorithm in $("$program" list --json | grep -oE '"id": *"[^"]+"' | cut -d'"' -f4); do
    while read -r options; do
      signal=random:7
      # shellcheck disable=SC2206 # words of options
      arguments=($algorithm $options --signal "$signal" --runtime "$runtime")
      started=$EPOCHREALTIME
      "$program" verify "${arguments[@]}" --json >"$work/verdict" 2>"$work/errors"
      report untraced "$runtime" "$algorithm" "$options" "$(awk "BEGIN { printf \"%.2f\", $EPOCHREALTIME - $started }")"

      # Of the N² terms of a large dft, those of a few work-items are logged.
      keep=(--window-bytes 2147483648)
      [[ $algorithm == dft && $options == *32768* ]] && keep+=(--items 0:63)
      started=$EPOCHREALTIME
      "$program" verify "${arguments[@]}" --traced "${keep[@]}" --json >"$work/verdict" 2>"$work/errors"
      report traced "$runtime" "$algorithm" "$options" "$(awk "BEGIN { printf \"%.2f\", $EPOCHREALTIME - $started }")"
    done < <(sizes "$algorithm" "$runtime")
  done
done
exit $failed
