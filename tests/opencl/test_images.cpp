// Accesses to texels: which texel a coordinate means, what of a value is in memory, and kernels that read and write images,
// against what their text says.
#include "run_program.h"
#include "runtimes/opencl_device.h"
#include "test_support.h"
#include "tracer/access/texel.h"
#include "tracer/opencl/memory/opencl_texels.h"
#include "tracer/opencl/twin/opencl_rewriter.h"

#include <doctest.h>

#include <bit>
#include <cstring>
#include <sstream>

using namespace twiddle;

namespace {

constexpr std::uint32_t whole(std::int32_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t real(float value) { return std::bit_cast<std::uint32_t>(value); }

std::uint32_t sampler(SamplerArgument::Outside outside, bool normalised = false, bool linear = false) {
  return sampler_bits({outside, linear, normalised});
}
using Outside = SamplerArgument::Outside;

std::string text_of(const TexelPlace& place) {
  static const char* const words[] = {"inside", "border", "outside", "between"};
  std::string text = words[static_cast<int>(place.where)];
  if (place.where == TexelPlace::Where::Inside || place.where == TexelPlace::Where::Outside)
    for (const std::int64_t at : place.at) text += " " + std::to_string(at);
  return text;
}

struct Placed {
  const char* name;
  TexelAccess access;
  ImageMemory image;
  std::uint32_t sampler;
  std::array<std::uint32_t, 3> coordinates;
  const char* where;
};

const ImageMemory flat{{8, 4, 1}, 4, ElementType::Float, false};
const ImageMemory deep{{8, 4, 3}, 1, ElementType::Float, false};
constexpr TexelAccess by_number{2}, by_fraction{2, false, true}, layered{2, true},
    writing{2, false, false, false, true};

}  // namespace

TEST_CASE("which texel a coordinate means") {
  const Placed cases[] = {
      {"a number", by_number, flat, no_sampler_bits, {3, 2, 0}, "inside 3 2 0"},
      {"beyond the edge, where nothing says what is there",
       by_number,
       flat,
       no_sampler_bits,
       {8, 2, 0},
       "outside 8 2 0"},
      {"before the edge", by_number, flat, sampler(Outside::Undefined), {whole(-1), 2, 0}, "outside -1 2 0"},
      {"a border is no memory", by_number, flat, sampler(Outside::Border), {whole(-1), 2, 0}, "border"},
      {"the edge itself", by_number, flat, sampler(Outside::Edge), {whole(-5), 9, 0}, "inside 0 3 0"},
      {"three dimensions", TexelAccess{3}, deep, sampler(Outside::Edge), {7, 1, 2}, "inside 7 1 2"},
      {"a layer is held in the array", layered, deep, no_sampler_bits, {7, 1, 9}, "inside 7 1 2"},
      {"but not in writing",
       TexelAccess{2, true, false, false, true},
       deep,
       no_sampler_bits,
       {7, 1, 9},
       "outside 7 1 9"},
      {"a fraction", by_fraction, flat, sampler(Outside::Edge), {real(2.75f), real(-0.5f), 0}, "inside 2 0 0"},
      {"below zero it is the texel before",
       by_fraction,
       flat,
       sampler(Outside::Undefined),
       {real(-0.25f), 0, 0},
       "outside -1 0 0"},
      {"a share of the size",
       by_fraction,
       flat,
       sampler(Outside::Edge, true),
       {real(0.5f), real(0.99f), 0},
       "inside 4 3 0"},
      {"again from the start",
       by_fraction,
       flat,
       sampler(Outside::Repeat, true),
       {real(1.25f), real(-0.25f), 0},
       "inside 2 3 0"},
      {"and back", by_fraction, flat, sampler(Outside::Mirror, true), {real(1.25f), real(-0.25f), 0}, "inside 6 1 0"},
      {"no number", by_fraction, flat, sampler(Outside::Edge), {real(std::nanf("")), 0, 0}, "inside 0 0 0"},
      {"between texels",
       by_fraction,
       flat,
       sampler(Outside::Edge, false, true),
       {real(1.5f), real(1.5f), 0},
       "between"},
      {"a number has nothing between", by_number, flat, sampler(Outside::Edge, false, true), {1, 1, 0}, "inside 1 1 0"},
      {"a write knows no sampler", writing, flat, sampler(Outside::Edge), {8, 0, 0}, "outside 8 0 0"},
  };
  for (const Placed& one : cases) {
    CAPTURE(one.name);
    CHECK(text_of(texel_place(one.access, one.image, one.sampler, one.coordinates)) == std::string(one.where));
  }
}

TEST_CASE("a texel's bytes are those in memory") {
  const auto words = [](std::array<std::uint32_t, 4> channels) {
    return std::array<std::uint64_t, 2>{channels[0] | std::uint64_t(channels[1]) << 32,
                                        channels[2] | std::uint64_t(channels[3]) << 32};
  };
  const auto hex = [](const std::vector<std::byte>& bytes) {
    std::string text;
    for (const std::byte byte : bytes) {
      const char digits[] = "0123456789abcdef";
      text += digits[std::to_integer<int>(byte) >> 4];
      text += digits[std::to_integer<int>(byte) & 15];
    }
    return text;
  };
  struct Case {
    int channels;
    ElementType channel;
    bool normalised;
    std::array<std::uint32_t, 4> value;
    const char* bytes;
  };
  const Case cases[] = {
      {1, ElementType::Float, false, {real(1.5f), 1, 2, 3}, "0000c03f"},
      {4, ElementType::UInt, false, {1, 2, 3, 4}, "01000000020000000300000004000000"},
      {4, ElementType::UChar, false, {1, 2, 255, 300}, "0102ffff"},
      {4, ElementType::Char, false, {whole(-1), whole(-300), 127, 128}, "ff807f7f"},
      {2, ElementType::Short, false, {whole(-2), 40000, 0, 0}, "feffff7f"},
      {4, ElementType::UChar, true, {0, real(1.0f), real(2.0f), real(100 / 255.0f)}, "00ffff64"},
      {4, ElementType::Char, true, {real(-1.0f), real(1.0f), real(0.0f), real(-5.0f)}, "817f0081"},
      {2, ElementType::UShort, true, {real(0.5f), real(1.0f), 0, 0}, "0080ffff"},
      {2, ElementType::Half, false, {real(1.0f), real(-2.0f), 0, 0}, "003c00c0"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.bytes);
    const ImageMemory image{{8, 4, 1}, one.channels, one.channel, one.normalised};
    CHECK(hex(texel_bytes(by_number, image, words(one.value))) == std::string(one.bytes));
  }
  const std::array<std::uint64_t, 1> halves{0xc000'3c00'3800'0000};
  const TexelAccess access{2, false, false, true};
  CHECK(hex(texel_bytes(access, {{8, 4, 1}, 4, ElementType::Half, false}, halves)) == "00000038003c00c0");
  CHECK(hex(texel_bytes(access, {{8, 4, 1}, 4, ElementType::UChar, true}, halves)) == "0080ff00");
}

TEST_CASE("an offset of a texel that is not there holds its coordinates") {
  const std::array<std::int64_t, 3> some[] = {
      {0, 0, 0}, {-1, 0, 0}, {0, -1, 5}, {16384, 16384, 2047}, {-16384, -16384, -2048}};
  for (const auto& texel : some) {
    const std::uint64_t offset = offset_outside(texel);
    REQUIRE(texel_outside(offset).has_value());
    CHECK(*texel_outside(offset) == texel);
    CHECK(offset > std::uint64_t(1) << 54);  // behind whatever memory there is
    const std::uint64_t address = image_address(3, offset);
    REQUIRE(image_of_address(address).has_value());
    CHECK(address - *image_of_address(address) == offset);
  }
  CHECK(*texel_outside(offset_outside({std::int64_t(1) << 40, -(std::int64_t(1) << 40), 0})) ==
        std::array<std::int64_t, 3>{(1 << 26) - 1, -(1 << 15), 0});
  for (const std::uint64_t offset : {std::uint64_t(0), std::uint64_t(1) << 54, ~std::uint64_t(0), ~std::uint64_t(63)})
    CHECK_FALSE(texel_outside(offset).has_value());
  CHECK_FALSE(image_of_address(0x7fffffffffff).has_value());
}

TEST_CASE("the rewriter finds accesses to images of each kind") {
  if (rewriter_program().empty()) return;
  struct Case {
    const char* text;
    const char* texels;    // dimensions, array, fractions, halves, writes
    const char* unlogged;  // "line: what"
  };
  const Case cases[] = {
      {"kernel void k(read_only image2d_t a, sampler_t s, global float4 *x) { x[0] = read_imagef(a, s, (int2)(0)); }",
       "2r", ""},
      {"kernel void k(read_only image1d_t a, global int4 *x) { x[0] = read_imagei(a, 3); }", "1r", ""},
      {"kernel void k(read_only image1d_buffer_t a, global uint4 *x) { x[0] = read_imageui(a, 3); }", "1r", ""},
      {"kernel void k(read_only image3d_t a, sampler_t s, global float4 *x) { x[0] = read_imagef(a, s, (float4)(0)); }",
       "3fr", ""},
      {"kernel void k(write_only image2d_array_t a) { write_imageui(a, (int4)(1, 2, 3, 0), (uint4)(7)); }", "2aw", ""},
      {"kernel void k(read_only image1d_array_t a, sampler_t s, global float4 *x) { x[0] = read_imagef(a, s, "
       "(float2)(1, "
       "2)); }",
       "1afr", ""},
      {"const sampler_t near = CLK_FILTER_NEAREST;\nkernel void k(read_only image2d_t a, write_only image2d_t b) {\n"
       "  int2 size = get_image_dim(a);\n  write_imagef(b, size / 2, read_imagef(a, near, size / 2)); }",
       "2w 2r", ""},
      {"kernel void k(read_only image2d_depth_t a, sampler_t s, global float *x) {\n  x[0] = read_imagef(a, s, "
       "(int2)(0)); "
       "}",
       "", "2: what read_imagef() does with an image of this kind is not logged"},
  };
  for (const Case& one : cases) {
    CAPTURE(std::string(one.text));
    RewriterTarget target;
    target.options = {"-cl-std=CL2.0"};
    target.extensions = {"cl_khr_depth_images"};
    Twin twin;
    CHECK(sentence_of([&] { twin = rewrite_opencl({"mine.cl", one.text, {}}, target); }) == "nothing was thrown");
    std::string texels, unlogged;
    for (const TwinSite& site : twin.sites)
      if (const auto& texel = site.texel)
        texels += (texels.empty() ? "" : " ") + std::to_string(texel->dimensions) + (texel->array ? "a" : "") +
                  (texel->fractions ? "f" : "") + (texel->half_values ? "h" : "") + (texel->writes ? "w" : "r");
    for (const Unlogged& what : twin.unlogged) unlogged += std::to_string(what.line) + ": " + what.what.english();
    CHECK(texels == std::string(one.texels));
    CHECK(unlogged == std::string(one.unlogged));
  }
  CHECK(sentence_of([] {
          rewrite_opencl({"mine.cl",
                          "kernel void a(write_only image2d_t i) { write_imagef(i, (int2)(0), (float4)(0)); }\n"
                          "kernel void k(write_only image2d_t i) { a(i); }\n",
                          {}},
                         {});
        }) == "mine.cl cannot be logged: line 2 calls a kernel that takes images");
}

namespace {

// An image a of 8 × 4 texels with content, b of the same size that counts, and c that nothing was written to.
struct Drawn {
  const char* name;
  const char* text;  // of kernel k
  const char* type;
  const char* args;
  const char* item;
  const char* accesses;  // of that item, "; " between them
  const char* finding;   // a part of what check says; empty: no findings
  const char* more = "";
};

const char* const near_and_helpers =
    "constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "float4 tap(read_only image2d_t img, sampler_t s, int2 at) { return read_imagef(img, s, at); }\n"
    "float4 sum(read_only image2d_t p, int n, __read_only image2d_t q, int2 at);\n"
    "float4 sum(read_only image2d_t p, int n, __read_only image2d_t q, int2 at) {\n"
    "  return n * tap(p, near, at) + tap(q, CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST, at); }\n";

const Drawn drawn[] = {
    {"a copy",
     "kernel void k(read_only image2d_t a, write_only image2d_t c) {\n  int2 p = (int2)(get_global_id(0), "
     "get_global_id(1));\n  write_imagef(c, p, read_imagef(a, near, p)); }",
     "float", "\"b\", \"c\"", "3,2", "load=b[19] value=19; store=c[19] value=19", ""},
    {"helpers know whose images they have",
     "kernel void k(read_only image2d_t a, read_only image2d_t b, write_only image2d_t c) {\n"
     "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n  write_imagef(c, p, sum(a, 2, b, p) + sum(b, 1, a, p + "
     "1)); "
     "}",
     "float", "\"a\", \"b\", \"c\"", "7,0",
     "load=a[7] value=7; load=b[7] value=7; load=b[15] value=15; store=c[7] value=36", ""},
    {"channels of 8 bits that are shares of 255",
     "kernel void k(read_only image2d_t a, write_only image2d_t c) {\n  int2 p = (int2)(get_global_id(0), "
     "get_global_id(1));\n  write_imagef(c, p, 3 * read_imagef(a, near, p)); }",
     "uchar4", "\"b\", \"c\"", "1,1", "load=b[9] value=(9,0,9,0); store=c[9] value=(27,0,27,0)", "",
     "normalised = true\n"},
    {"whole numbers",
     "kernel void k(read_only image2d_t a, write_only image2d_t c) {\n  int2 p = (int2)(get_global_id(0), "
     "get_global_id(1));\n  write_imageui(c, (int2)(7 - p.x, p.y), read_imageui(a, p) + 1); }",
     "uint", "\"b\", \"c\"", "1,1", "load=b[9] value=9; store=c[14] value=10", ""},
    {"a write beyond the edge",
     "kernel void k(write_only image2d_t c) {\n"
     "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n  write_imagef(c, p - 1, (float4)(1)); }",
     "float", "\"c\"", "3,0", "store=c(2,-1,0) value=1",
     "mine.cl:8: error: out-of-bounds: work-item 0 writes texel (-1, -1) of c"},
    {"a read beyond the edge with a sampler that says what is there is none",
     "kernel void k(read_only image2d_t a, sampler_t s, write_only image2d_t c) {\n  int2 p = (int2)(get_global_id(0), "
     "get_global_id(1));\n  write_imagef(c, p, read_imagef(a, s, p - 1)); }",
     "float", "\"b\", \"sampler:nearest,border\", \"c\"", "3,0", "store=c[3] value=0", ""},
    {"one that says nothing",
     "kernel void k(read_only image2d_t a, write_only image2d_t c) {\n  int2 p = (int2)(get_global_id(0), "
     "get_global_id(1));\n  write_imagef(c, p, read_imagef(a, (int2)(p.x, p.y + 4)).x > 1); }",
     "float", "\"b\", \"c\"", "3,0", "load=b(3,4,0) value=0; store=c[3] value=0",
     "mine.cl:8: error: out-of-bounds: work-item 0 reads texel (0, 4) of b, an image of 8 × 4 texels"},
    {"two items write one texel",
     "kernel void k(write_only image2d_t c) {\n  int x = get_global_id(0);\n  write_imagef(c, (int2)(x / 2, "
     "get_global_id(1)), (float4)(x)); }",
     "float", "\"c\"", "3,0", "store=c[1] value=3",
     "mine.cl:8: error: race: work-item 1 writes c[0] and work-item 0 writes it"},
    {"a texel that nobody wrote",
     "kernel void k(read_only image2d_t c, write_only image2d_t a) {\n  int2 p = (int2)(get_global_id(0), "
     "get_global_id(1));\n  write_imagei(a, p, 0 * read_imagei(c, p)); }",
     "int", "\"c\", \"b\"", "3,0", "load=c[3] value=2143346349; store=b[3] value=0",
     "mine.cl:8: error: uninitialised-read: work-item 0 reads c[0], which has not been written"},
    {"an image that is turned around where it is asked for by shares of its size",
     "kernel void k(read_only image2d_t a, sampler_t s, write_only image2d_t c) {\n"
     "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
     "  write_imagef(c, p, read_imagef(a, s, (float2)((p.x + 1.5f) / 8, (p.y - 0.5f) / 4))); }",
     "float", "\"b\", \"sampler:nearest,repeat,normalised\", \"c\"", "7,0", "load=b[24] value=24; store=c[7] value=24",
     ""},
    {"between texels",
     "kernel void k(read_only image2d_t a, sampler_t s, write_only image2d_t c) {\n"
     "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n"
     "  write_imagef(c, p, read_imagef(a, s, (float2)(p.x + 0.5f, p.y + 0.5f))); }",
     "float", "\"b\", \"sampler:linear,edge\", \"c\"", "7,0", "store=c[7] value=7",
     "line 8: reads between texels (a linear filter) are not logged"},
};

std::string plan_of(const Drawn& one) {
  std::string text = "title = \"t\"\n";
  for (const std::string name : {"a", "b", "c"})
    text += "[[buffer]]\nname = \"" + name + "\"\ntype = \"" + one.type +
            "\"\nimage = \"2d\"\nwidth = 8\nheight = 4\ncontent = \"" + (name == "c" ? "uninitialised" : "iota") +
            "\"\n" + one.more;
  return text + "[[launch]]\nsource = \"mine.cl\"\nkernel = \"k\"\nglobal = [8, 4]\nlocal = [4, 4]\nargs = [" +
         one.args + "]\n";
}

// "load=a[3] value=1; …" of the lines of one item.
std::string accesses_of(const std::string& printed, const std::string& item) {
  std::istringstream lines(printed);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" gid=" + item + " ") == std::string::npos) continue;
    const std::size_t access = line.find(' ', line.find(" line=") + 1);
    text += (text.empty() ? "" : "; ") + line.substr(access + 1);
  }
  return text;
}

}  // namespace

TEST_CASE("kernels that read and write images, by texels") {
  if (!opencl()) return;
  for (const Drawn& one : drawn) {
    CAPTURE(one.name);
    TestFolder folder;
    std::ofstream(folder.path() / "mine.cl") << near_and_helpers << one.text << "\n";
    std::ofstream(folder.path() / "mine.toml") << plan_of(one);
    const Ran traced = run_program(folder, {"trace", "mine.toml", "--runtime", "opencl", "-o", "mine.twd"});
    CHECK_MESSAGE(traced.code == 0, (traced.err + traced.out));
    CHECK(accesses_of(run_program(folder, {"print", "mine.twd", "--accesses"}).out, one.item) ==
          std::string(one.accesses));
    const Ran checked = run_program(folder, {"check", "mine.twd"});
    if (*one.finding)
      CHECK_MESSAGE(contains(checked.out + checked.err, one.finding), (checked.out + checked.err));
    else
      CHECK_MESSAGE(contains(checked.out, "no findings"), (checked.out + checked.err));
  }
}

TEST_CASE("images are seen in OpenCL C 3.0, where they are a feature, as in 1.2") {
  if (!opencl()) return;
  const Drawn& one = drawn[0];
  for (const std::string options : {"", "options = \"-cl-std=CL3.0\"\n"}) {
    CAPTURE(options);
    TestFolder folder;
    std::ofstream(folder.path() / "mine.cl") << near_and_helpers << one.text << "\n";
    std::ofstream(folder.path() / "mine.toml") << options << plan_of(one);
    const Ran traced = run_program(folder, {"trace", "mine.toml", "--runtime", "opencl", "-o", "mine.twd"});
    REQUIRE_MESSAGE(traced.code == 0, (traced.err + traced.out));
    CHECK(accesses_of(run_program(folder, {"print", "mine.twd", "--accesses"}).out, one.item) ==
          std::string(one.accesses));
  }
}

TEST_CASE("texels of four numbers are moved, loaded and stored as a whole") {
  if (!opencl()) return;
  struct Case {
    const char* value;
    std::size_t moves, loads, stores;
  };
  for (const Case& one : {Case{"read_imagef(a, near, p)", 32, 0, 0}, Case{"2 * read_imagef(a, near, p)", 0, 32, 32},
                          Case{"read_imagef(a, near, p).yxwz", 0, 32, 32}}) {
    CAPTURE(std::string(one.value));
    TestFolder folder;
    Drawn copied = drawn[0];
    copied.type = "float4";
    std::ofstream(folder.path() / "mine.cl")
        << near_and_helpers << "kernel void k(read_only image2d_t a, write_only image2d_t c) {\n"
        << "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n  write_imagef(c, p, " << one.value << "); }\n";
    std::string plan = plan_of(copied);
    // Numbers of their own, so that no two channels are the same by chance.
    for (std::size_t at; (at = plan.find("\"iota\"")) != std::string::npos;) plan.replace(at, 6, "\"signal:random:5\"");
    std::ofstream(folder.path() / "mine.toml") << plan;
    REQUIRE(run_program(folder, {"trace", "mine.toml", "--runtime", "opencl", "-o", "mine.twd"}).code == 0);
    const std::string printed = run_program(folder, {"print", "mine.twd"}).out;
    const auto lines = [&](const char* word) {
      std::size_t count = 0;
      for (std::size_t at = printed.find(word); at != std::string::npos; at = printed.find(word, at + 1)) ++count;
      return count;
    };
    CHECK(lines(" move=") == one.moves);
    CHECK(lines(" load=") == one.loads);
    CHECK(lines(" store=") == one.stores);
    CHECK_FALSE(contains(run_program(folder, {"info", "mine.twd"}).out, "unexplained"));
  }
}

TEST_CASE("what was not seen of images is said once, by check and by info") {
  if (!opencl()) return;
  const Drawn& blended = drawn[std::size(drawn) - 1];
  TestFolder folder;
  std::string twice = blended.text;
  twice.insert(twice.rfind("read_imagef"), "read_imagef(a, s, (float2)(1.25f)) + ");
  std::ofstream(folder.path() / "mine.cl") << near_and_helpers << twice << "\n";
  std::ofstream(folder.path() / "mine.toml") << plan_of(blended);
  REQUIRE(run_program(folder, {"trace", "mine.toml", "--runtime", "opencl", "-o", "mine.twd"}).code == 0);
  const std::string sentence = "launch 1 (k): line 8: reads between texels (a linear filter) are not logged";
  for (const char* verb : {"check", "info"}) {
    const Ran ran = run_program(folder, {verb, "mine.twd"});
    const std::string said = ran.out + ran.err;
    CAPTURE(said);
    CHECK(contains(said, sentence));
    CHECK(said.find(sentence) == said.rfind(sentence));
  }
  CHECK(contains(run_program(folder, {"check", "mine.twd", "--json"}).out, sentence));
}

// The file keeps which buffers are images, and what is outside of one is no element.
TEST_CASE("a trace of images as a table") {
  if (!opencl()) return;
  TestFolder folder;
  std::ofstream(folder.path() / "mine.cl") << near_and_helpers << drawn[4].text << "\n";
  std::ofstream(folder.path() / "mine.toml") << plan_of(drawn[4]);
  REQUIRE(run_program(folder, {"trace", "mine.toml", "--runtime", "opencl", "-o", "mine.twd"}).code == 0);
  const Ran counted = run_program(
      folder, {"query", "mine.twd", "SELECT count(*), count(element), count(byte), count(address) FROM accesses"});
  CHECK_MESSAGE(contains(counted.out, "32"), counted.out);
  CHECK_MESSAGE(contains(counted.out, "21"), counted.out);  // 7 × 3 texels are in the image
  const Ran json = run_program(folder, {"print", "mine.twd", "--accesses", "--format", "jsonl"});
  CHECK(
      contains(json.out, "\"access\":\"store\",\"buffer\":\"c\",\"space\":\"global\",\"texel\":[-1,-1,0],\"bytes\":4"));
  const Ran lifted = run_program(folder, {"print", "mine.twd"});
  CHECK(std::count(lifted.out.begin(), lifted.out.end(), '\n') == 21);
}
