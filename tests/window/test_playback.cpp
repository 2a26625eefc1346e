#include "viewer/input/playback.h"

#include <doctest.h>

#include <algorithm>

using twiddle::Playback;

namespace {

// The shape of fft-radix2 at N = 8: two swaps, then three stages of four butterflies, with a barrier-only epoch between.
twiddle::TraceInfo four_segments() {
  twiddle::TraceInfo info;
  std::uint64_t next = 1;
  for (std::uint64_t count : {2u, 4u, 0u, 4u, 4u}) {
    twiddle::Segment segment;
    segment.first_step = next;
    segment.count = count;
    info.segments.push_back(segment);
    next += count;
  }
  info.steps = next - 1;
  return info;
}

}  // namespace

TEST_CASE("steps stay within the trace") {
  const twiddle::TraceInfo info = four_segments();
  Playback playback(info);
  CHECK(playback.step() == 0);
  playback.step_by(-1);
  CHECK(playback.step() == 0);
  playback.step_by(3);
  CHECK(playback.step() == 3);
  playback.seek(99);
  CHECK(playback.step() == 14);
  playback.step_by(1);
  CHECK(playback.step() == 14);
  playback.step_by(INT64_MIN);
  CHECK(playback.step() == 0);
  playback.step_by(INT64_MAX);
  CHECK(playback.step() == 14);
}

TEST_CASE("stages go from end to end, in both directions, past empty segments") {
  const twiddle::TraceInfo info = four_segments();
  Playback playback(info);
  const std::uint64_t ends[] = {2, 6, 10, 14, 14};
  for (std::uint64_t end : ends) {
    playback.stage_by(1);
    CHECK(playback.step() == end);
  }
  const std::uint64_t back[] = {10, 6, 2, 0, 0};
  for (std::uint64_t end : back) {
    playback.stage_by(-1);
    CHECK(playback.step() == end);
  }
  playback.seek(8);  // inside the third stage
  playback.stage_by(-1);
  CHECK(playback.step() == 6);
  playback.seek(8);
  playback.stage_by(2);
  CHECK(playback.step() == 14);
}

TEST_CASE("playing shows an operation in 1.2 seconds and stops at the end") {
  const twiddle::TraceInfo info = four_segments();
  Playback playback(info);
  CHECK_FALSE(playback.moving());
  playback.play(true);
  playback.advance(0.001);
  CHECK(playback.step() == 1);
  CHECK(playback.phase() < 0.01f);
  playback.advance(0.6);
  CHECK(playback.step() == 1);
  CHECK(playback.phase() == doctest::Approx(0.5).epsilon(0.01));
  playback.advance(0.6);
  CHECK(playback.step() == 2);
  for (int i = 0; i < 200; ++i) playback.advance(0.1);
  CHECK(playback.step() == 14);
  CHECK_FALSE(playback.playing());
  CHECK(playback.phase() == 1);
  CHECK_FALSE(playback.moving());

  playback.play(true);  // from the end it starts over
  CHECK(playback.step() == 0);
  playback.advance(1e9);
  CHECK(playback.step() == 14);
}

TEST_CASE("speed doubles and halves within its bounds; from 4x on there are no phases") {
  const twiddle::TraceInfo info = four_segments();
  Playback playback(info);
  playback.faster();
  CHECK(playback.speed() == 2);
  playback.play(true);
  playback.advance(0.001);
  playback.advance(0.3);
  CHECK(playback.step() == 1);
  CHECK(playback.phase() == doctest::Approx(0.5).epsilon(0.01));
  playback.faster();
  CHECK(playback.phase() == 1);
  for (int i = 0; i < 40; ++i) playback.faster();
  CHECK(playback.speed() == playback.fastest());
  for (int i = 0; i < 40; ++i) playback.slower();
  CHECK(playback.speed() == Playback::slowest);
}

TEST_CASE("the fastest speed walks even ten million steps in a few seconds") {
  twiddle::TraceInfo info;
  info.steps = 10485760;
  const Playback playback(info);
  const double seconds = static_cast<double>(info.steps) * 1.2 / static_cast<double>(playback.fastest());
  CHECK(seconds <= 4);
  CHECK(seconds > 1);
}

TEST_CASE("a key's step moves shortly; the next input finishes it") {
  const twiddle::TraceInfo info = four_segments();
  Playback playback(info);
  playback.step_by(1);
  CHECK(playback.phase() == 0);
  CHECK(playback.moving());
  playback.advance(0.09);
  CHECK(playback.phase() == doctest::Approx(0.5));
  playback.step_by(1);
  CHECK(playback.step() == 2);
  CHECK(playback.phase() == 0);
  playback.advance(0.4);
  CHECK(playback.phase() == 1);
  playback.step_by(1);
  playback.seek(5);  // a seek has no motion
  CHECK(playback.phase() == 1);
  playback.step_by(-1);
  CHECK(playback.phase() == 1);
  playback.set_reduced_motion(true);
  playback.step_by(1);
  CHECK(playback.phase() == 1);
}

TEST_CASE("a trace without operations does not play") {
  const twiddle::TraceInfo info;
  Playback playback(info);
  playback.play(true);
  CHECK_FALSE(playback.playing());
  playback.stage_by(1);
  playback.step_by(1);
  CHECK(playback.step() == 0);
}
