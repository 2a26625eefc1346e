# Where /sys is not there, as in some containers, PoCL runs all the same: Twiddle tells it what it would have found there.
set -euo pipefail
hidden() { unshare --mount --map-root-user bash -c 'mount -t tmpfs none /sys && "$@"' hidden "$@"; }
if ! hidden true 2>/dev/null; then
  echo "skipped: /sys cannot be hidden here (no right to make a mount namespace)"
  exit 77
fi
with=$("$TWIDDLE" devices --json | grep -c '"runtime":"opencl"\|"runtime": "opencl"' || true)
listed=$(hidden "$TWIDDLE" devices --json)
without=$(grep -c '"runtime":"opencl"\|"runtime": "opencl"' <<<"$listed" || true)
if ((without < with)); then
  echo "with /sys $with OpenCL devices, without it $without: $listed"
  exit 1
fi
