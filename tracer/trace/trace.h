// What a trace says about itself: everything but the operations. Tables of the file format mirror these structs.
#pragma once

#include "base/message.h"
#include "kernels/plan/plan.h"
#include "tracer/access/access.h"
#include "tracer/trace/operation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// What a trace's kernels are written in, in any runtime: OpenCL's work-items and groups, or CUDA's threads and
/// blocks.
enum class Dialect : std::uint8_t { OpenCL, Cuda };

enum class Detail : std::uint8_t { Index = 0, Values = 1 };

/// A kernel source as the compiler saw it: the user's own lines, before trace_device.h was put in.
struct SourceText {
  std::string name;  // "fft_radix2.cl"
  std::string text;
  std::vector<std::string> options{};  // what a recorded program's compiler was given; a plan says its own
};

/// A trace line of a kernel source: which buffers its first and second buffer argument name.
struct Site {
  int source = 0;                    // index into TraceInfo::sources
  int line = 0;                      // where the macro's name is
  int last_line = 0;                 // where its closing parenthesis is
  std::string macro;                 // "TRACE_BUTTERFLY"
  std::array<std::string, 2> names;  // as written in the kernel: "F", "s"
};

/// Where the real or the imaginary parts of complex values are: in rows of `row` elements each (0: all in one). That of element i
/// is element first + ⌊i / row⌋ · row_step + (i mod row) · step of a buffer, in one row first + i · step.
struct BufferPart {
  int buffer = -1;  // index into TraceInfo::buffers
  std::uint64_t first = 0, step = 1;
  std::uint64_t row = 0, row_step = 0;  // rows do not overlap: row_step > (row − 1) · step
  bool operator==(const BufferPart&) const = default;

  std::uint64_t at(std::uint64_t element) const {
    return row == 0 ? first + element * step : first + element / row * row_step + element % row * step;
  }
  /// The last element whose part is at an index or before it; of indices before all of them the first.
  std::uint64_t last_up_to(std::uint64_t index) const {
    const std::uint64_t inside = index > first ? index - first : 0;
    if (row == 0) return inside / step;
    return inside / row_step * row + std::min(inside % row_step / step, row - 1);
  }
  /// The element whose part this is, of as many as the buffer may have; nothing: none's.
  std::optional<std::uint64_t> element_at(std::uint64_t index) const {
    const std::uint64_t element = last_up_to(index);
    return at(element) == index ? std::optional(element) : std::nullopt;
  }
};
using BufferParts = std::array<BufferPart, 2>;  // real, imaginary

/// A buffer of the plan, or a local array of a kernel (one for each group; element indices count inside a group's own).
struct BufferInfo {
  std::string name;
  ElementType type = ElementType::Float2;
  std::uint64_t count = 0;
  std::vector<std::uint64_t> shape;
  Space space = Space::Global;
  bool initialised = true;               // it got a content before the first launch
  int launch = 0;                        // for local arrays: the launch they belong to; 0 for the plan's buffers
  std::array<std::uint64_t, 3> image{};  // texels in each dimension, where kernels take it as an image; else zeros

  // Of complex values that kernels keep as two real numbers: it has no memory of its own, its elements are those of other buffers,
  // which come before it (trace/pairs.h). `launch` is the first that has such values; the pair stays, as they do.
  std::optional<BufferParts> parts{};

  bool is_image() const { return image[0] > 0; }
  bool is_pair() const { return parts.has_value(); }
};

/// Whether a local array is a part of one in time: what items exchanged through "shared" from epoch 3 on is "shared@3", a name
/// that no kernel can give. Its elements are complex values whose parts need not have been neighbours.
bool is_exchange(const BufferInfo& buffer);

/// The bank of local memory that an element begins in: 32 banks of 4 bytes, as on every GPU of NVIDIA's since Fermi and most
/// others, counted from the array's start. Elements of 8 bytes take two banks, of 16 bytes four.
inline constexpr std::uint64_t bank_count = 32, bank_bytes = 4;
int bank_of(const BufferInfo& buffer, std::uint64_t element);

/// What a kernel did outside its memory or its barriers and the runtime noticed, beside what the log says.
struct Fault {
  enum class Kind : std::uint8_t { OutOfBounds, BarrierDivergence, EndlessWait, Stopped, FalseTraceLine };
  Kind kind = Kind::OutOfBounds;
  std::vector<std::uint64_t> items;  // culprits, where they are known
  int line = 0;                      // of the kernel's source; 0: not known
  std::string buffer;                // whose memory was meant, as the trace names it; empty: not known
  std::int64_t element = 0;          // of it, out of bounds
  std::string place;                 // "mine.cu:7: ", as compilers begin; empty: not known
  Message sentence;                  // what comes after it

  Message text() const { return Message("{}{}", place, sentence); }
};

struct LaunchInfo {
  int number = 0;  // from 1
  int source = 0;  // index into TraceInfo::sources
  std::string kernel;
  std::string label;  // "bit reversal", "scale"; empty for a stage
  int stage = 0;
  int dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1}, local{1, 1, 1};
  std::array<std::size_t, 3> offset{};  // what global ids count from: of recorded launches alone
  bool cooperative = false;             // barriers are grid-wide
  // As a plan file writes them: "F", "int:8", "local:64". Recorded ones may say more: "F + 64" (bytes into it), "F = null",
  // and behind them "F = reached" of memory that pointers lead to.
  std::vector<std::string> arguments;
  double kernel_ns = 0;         // device time of the traced launch
  std::uint64_t attempted = 0;  // operations the kernel tried to log, barriers included
  std::uint64_t kept = 0;
  std::uint64_t unexplained = 0;  // elements of the device's that differ afterwards: the log does not explain them
  std::uint64_t inconsistent_reads = 0;  // logged reads that differ from the replayed state
  std::vector<Fault> faults;             // of most launches none
  AccessTotals accesses;

  std::uint64_t items() const { return std::uint64_t(global[0]) * global[1] * global[2]; }
  std::uint64_t group_size() const { return std::uint64_t(local[0]) * local[1] * local[2]; }
  /// The group of an item, and how many there are, at least one; of a damaged file's group without items, too.
  std::uint64_t group_of(std::uint64_t item) const { return item / (group_size() > 0 ? group_size() : 1); }
  std::uint64_t groups() const { return group_of(items()) > 0 ? group_of(items()) : 1; }
  std::array<std::size_t, 3> global_id(std::uint64_t item) const;
  std::array<std::size_t, 3> group_id(std::uint64_t item) const;
  std::array<std::size_t, 3> local_id(std::uint64_t item) const;
};

/// A run of steps with the same launch, epoch and stage, in the order of items: what the scrub bar shows as one piece.
struct Segment {
  int launch = 0, epoch = 0, stage = 0;
  std::uint64_t first_step = 0;                   // from 1
  std::uint64_t count = 0;                        // steps
  std::uint64_t items = 0;                        // how many items did something
  OperationKind kind = OperationKind::Butterfly;  // of most of its operations
  std::uint64_t span = 0;                         // of its butterflies, when they agree; else 0
  // For pictures of segments that are not decoded yet: buffers that its operations read and write, and the distances of
  // their first two inputs and of their first two outputs, each where all of them agree; else −1 and 0.
  int read_buffer = -1, write_buffer = -1;
  std::uint64_t read_stride = 0, write_stride = 0;
  std::uint64_t end_step() const { return first_step + count; }  // one past its last step
};

struct TraceInfo {
  int version = 1;
  std::string program;    // "twiddle 1.0"
  std::string created;    // UTC, ISO 8601
  bool complete = false;  // false: interrupted, or still being written
  std::string runtime, device, driver;
  Message title;
  std::string algorithm, signal;
  std::map<std::string, std::string> parameters;
  std::string plan_toml;
  Expect expect;
  Detail detail = Detail::Values;
  std::string filter;  // "stages 5:6" …; empty: everything was kept
  std::vector<SourceText> sources;
  std::vector<Site> sites;
  std::vector<BufferInfo> buffers;
  std::vector<AccessSite> access_sites;  // the places of all accesses
  std::vector<LaunchInfo> launches;
  std::vector<Segment> segments;
  std::uint64_t steps = 0;  // operations but barriers
  std::uint64_t barriers = 0;
  /// By number, a launch's from 1 and the others' from 0; null where there is none, as for the −1 of what is not known.
  const LaunchInfo* launch(int number) const;
  const BufferInfo* buffer(int number) const { return numbered(buffers, number); }
  const SourceText* source(int number) const { return numbered(sources, number); }
  const Site* site(int number) const { return numbered(sites, number); }
  /// The number of a buffer of the plan, and of a source; −1 where none is called so.
  int buffer_named(std::string_view name) const;
  int source_named(std::string_view name) const;
  /// The number of the segment that holds a step (from 1); as many as there are past the last one.
  std::size_t segment_of(std::uint64_t step) const;
  Dialect dialect() const;
  std::uint64_t attempted() const;  // over all launches
  std::uint64_t kept() const;

 private:
  template <typename T>
  static const T* numbered(const std::vector<T>& list, int number) {
    return number >= 0 && number < std::ssize(list) ? &list[number] : nullptr;
  }
};

/// An index as the kernel's author would say it: an int that went below zero is logged as a large word.
std::int64_t shown_index(std::uint64_t index, std::uint64_t count);
/// "F[3]", "F[-1]"; "?[3]" where the log does not say which buffer.
std::string element_text(const TraceInfo& info, const Access& access);

}  // namespace twiddle
