// A Plan is data, not code: buffers and an ordered list of kernel launches. The same Plan drives the OpenCL and the CUDA
// kernels, and a user's plan file (TOML) says exactly what is in here.
#pragma once

#include "base/message.h"
#include "kernels/plan/element.h"
#include "kernels/plan/expect.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace twiddle {

/// Private arrays, one for each work-item, appear among accesses only.
enum class Space : std::uint8_t { Global = 0, Local, Constant, Private };
std::string_view name_of(Space space);

/// What a buffer holds before the first launch.
struct Content {
  enum class Kind {
    Signal,  // the plan's input signal, or one of the buffer's own
    Zero,
    Uninitialised,   // never written: reading it is a finding (filled with a recognisable pattern on the device)
    Iota,            // 0, 1, 2, … (real parts)
    Values,          // these numbers (real parts), the rest zero
    File,            // a CSV, WAV, PGM or PNG beside the plan file
    Twiddles,        // w_N^k = e^(∓2πik/N), k = 0 … count−1, rounded from double; `points` is N
    TwiddlesRadix4,  // rows (L*−1)/3 + j of (w_L^j, w_L^{2j}, w_L^{3j}) for L = 4, 16, … N, three elements a row
  };
  Kind kind = Kind::Zero;
  std::string file{};        // for File, relative to the plan; X.bin: the elements' bytes as they are
  std::uint64_t points = 0;  // for the twiddle tables: N
  int sign = -1;             // for the twiddle tables: the sign of the exponent
  std::string signal{};      // for Signal: the buffer's own; empty: the plan's
  std::vector<double> values{};

  bool operator==(const Content&) const = default;
};

/// Whether a content's file is bytes (X.bin) and no signal.
inline bool holds_bytes(std::string_view file) { return file.ends_with(".bin"); }

/// A buffer that kernels take as an image: its elements are the texels, row by row. Channels are the components of the
/// element type (1, 2 or 4); OpenCL only.
struct Image {
  int dimensions = 2;
  std::uint64_t width = 0, height = 1, depth = 1;  // texels
  bool normalised = false;                         // of integer channels: kernels see 0 … 1 or −1 … 1

  bool operator==(const Image&) const = default;
};

/// A buffer in device memory; element indices count from 0.
struct Buffer {
  std::string name;
  ElementType type = ElementType::Float2;
  std::uint64_t count = 0;           // elements in all
  std::vector<std::uint64_t> shape;  // {count}, or {rows, columns} in row-major order
  Space space = Space::Global;       // Global or Constant
  Content content;
  std::optional<Image> image{};

  bool operator==(const Buffer&) const = default;
};

/// How the copy engine of a GPU (Hopper and newer) takes a buffer: as rows of so many elements, in boxes of columns and rows.
struct Boxes {
  std::uint64_t pitch = 0;
  std::uint32_t columns = 0, rows = 0;
  bool operator==(const Boxes&) const = default;
};

/// A buffer of the plan.
struct BufferArgument {
  std::size_t buffer;  // index into Plan::buffers
  bool image = false;  // taken as an image of the buffer's shape, where the buffer says nothing of images itself
  std::optional<Boxes>
      boxes{};  // what says how to copy it, by value; OpenCL has no such engine and gets the buffer itself
  bool operator==(const BufferArgument&) const = default;
};

/// A number or a vector of them.
struct ScalarArgument {
  ElementType type;
  std::array<std::byte, 128> bits;  // little-endian, traits(type).bytes long, the rest zero
  bool null_pointer = false;        // in place of a buffer; then it is a ULong of 0
  bool operator==(const ScalarArgument&) const = default;
};

/// A struct by value: members one after another, each aligned to its own size as C aligns them (a vector of 3 like one of 4, a
/// pointer to a buffer to 8 bytes), the whole padded to the largest alignment. OpenCL has no such pointers.
struct StructArgument {
  using Member = std::variant<ScalarArgument, BufferArgument>;
  std::vector<Member> members;
  bool operator==(const StructArgument&) const = default;
};
/// Its bytes, as the device reads them; pointers are zeros.
std::vector<std::byte> bytes_of(const StructArgument& argument);
/// Its pointers, in their order: where each is, in bytes from the start, and to which buffer.
struct StructPointer {
  std::size_t at = 0, buffer = 0;
};
std::vector<StructPointer> pointers_of(const StructArgument& argument);

/// Bytes of one argument at most.
inline constexpr std::size_t max_argument_bytes = 1024;

/// Local (shared) memory handed to the kernel.
struct LocalArgument {
  std::size_t bytes;
  bool operator==(const LocalArgument&) const = default;
};

/// How a kernel reads images: OpenCL's sampler.
struct SamplerArgument {
  enum class Outside : std::uint8_t { Undefined, Border, Edge, Repeat, Mirror };
  Outside outside = Outside::Undefined;
  bool linear = false;      // between texels
  bool normalised = false;  // coordinates are 0 … 1
  bool operator==(const SamplerArgument&) const = default;
};

using Argument = std::variant<BufferArgument, ScalarArgument, LocalArgument, StructArgument, SamplerArgument>;
/// The plan's buffers that an argument hands over: its own, or those that its struct points to.
std::vector<std::size_t> buffers_of(const Argument& argument);

/// An int argument, as most index arguments are.
ScalarArgument int_argument(std::int32_t value);
/// A size as the int that kernels take; it fits.
ScalarArgument size_argument(std::uint64_t value);
/// A float argument (scale factors).
ScalarArgument float_argument(float value);
ScalarArgument double_argument(double value);

/// One kernel enqueue. Launches are numbered from 1 in the order of Plan::launches.
struct Launch {
  std::string source;  // file stem for catalogue kernels ("fft_radix2": opencl/fft_radix2.cl,
                       // cuda/fft_radix2.cu); a file name with extension in a user's plan
  std::string kernel;  // function name, the same in both languages
  int stage = 0;       // stage of the algorithm this launch is; 0: none, or the kernel says (TRACE_STAGE)
  std::string label;   // what a person calls it when it is no stage: "bit reversal", "scale"
  std::array<std::size_t, 3> global{1, 1, 1};  // work-items in each dimension, a multiple of `local`
  std::array<std::size_t, 3> local{1, 1, 1};
  int dimensions = 1;
  std::vector<Argument> arguments;
  std::vector<std::string> defines;  // "NAME=VALUE", handed to the compiler
  std::vector<std::string> options;  // the compiler's own: "-cl-std=CL2.0", "-use_fast_math"
  bool cooperative = false;          // needs a grid-wide barrier (CUDA cooperative launch)

  bool operator==(const Launch&) const = default;
};

/// Texts of sources that were edited and not saved: by the file's name, as traces name it ("fft_radix2.cl", and of a file that
/// it includes the path from its folder), what is compiled in its place.
using SourceEdits = std::map<std::string, std::string>;

/// Elements of a buffer at most: a trace names them by 32 bits.
inline constexpr std::uint64_t max_plan_elements = (std::uint64_t(1) << 32) - 1;

struct Plan {
  Message title;
  std::string algorithm;                          // catalogue id, "gallery/ID", or the plan file's path
  std::map<std::string, std::string> parameters;  // as given or defaulted: "n" → "8", "twiddles" → "exact", …
  std::string signal;                             // "ramp", "random:1", …
  std::filesystem::path directory;                // where a user's sources and files are; empty: the catalogue's own
  std::vector<Buffer> buffers;
  std::vector<Launch> launches;
  Expect expect;
  SourceEdits edited{};          // what is compiled in place of a source's file
  std::vector<Message> notes{};  // one sentence each: what was taken in place of what was asked for
  std::uint64_t group_bytes =
      0;  // local memory of the largest work-group, of plans that do with less where there is less

  /// Null, and nothing, where no buffer is called so.
  const Buffer* buffer_named(std::string_view name) const;
  std::optional<std::size_t> buffer_index(std::string_view name) const;
};

/// The work-items of all launches.
std::uint64_t items_of(const Plan& plan);

/// The image that a buffer is to kernels: its own, or one of its shape ({count}: one dimension; {rows, columns}: two).
Image image_of(const Buffer& buffer);

/// An argument as plan files and traces write it: "F", "int:8", "float2:1,0", "local:64", "struct:int:8,float2:1,0",
/// "struct:buffer:F,int:8", "boxes:F:4096:4:256" (rows of 4096 elements, boxes of 4 columns and 256 rows),
/// "sampler:linear,edge,normalised".
std::string argument_text(const Plan& plan, const Argument& argument);

/// The Plan as TOML that `twiddle trace` takes back. Sources are named as files for `extension` (".cl" or ".cu").
std::string to_toml(const Plan& plan, std::string_view extension);

/// Parameters that take other values than the plan file gives them: name and value.
using PlanParameters = std::map<std::string, std::string>;

/// Reads a plan file: loops are unrolled and expressions evaluated, so that the Plan has numbers alone. Throws Error (usage)
/// with one sentence that names the key and, for unknown keys and names, the nearest known one.
Plan read_plan_file(const std::filesystem::path& file, const PlanParameters& given = {});

/// The bytes a buffer starts with: count × size of its type. `signal` is the input's text form (see signal.h).
/// Integer buffers take whole numbers: values are rounded, `random` gives 0 … 255. Real buffers take the real part.
/// Uninitialised buffers are filled with a quiet-NaN pattern (0x7FC0DEAD) that the replay recognises. `note` receives what
/// was done to fit a file to the buffer ("padded with 24 zeros"). Throws Error (unreadable, usage).
std::vector<std::byte> first_content(const Plan& plan, const Buffer& buffer, Message* note = nullptr);

inline constexpr std::uint32_t uninitialised_pattern = 0x7FC0DEAD;

}  // namespace twiddle
