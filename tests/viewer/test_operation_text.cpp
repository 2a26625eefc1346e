#include "values.h"
#include "viewer/words/operation_text.h"

#include "viewer/words/segment_name.h"
#include "viewer/words/value_text.h"

#include <doctest.h>

#include <cstring>

using namespace twiddle;

namespace {

Value int_value(std::int32_t number) {
  Value value;
  value.type = ElementType::Int;
  std::memcpy(value.bits.data(), &number, 4);
  return value;
}

Access access(int buffer, std::uint64_t index, const Value& value) { return {buffer, index, true, value}; }

// Launch 1 is outside the stages, launch 2 is stage 2 of 3.
TraceInfo some_info(const char* source = "kernel.cl") {
  TraceInfo info;
  info.sources = {{source, ""}};
  for (const char* name : {"F", "s", "bins"}) {
    BufferInfo buffer;
    buffer.name = name;
    buffer.count = 8;
    info.buffers.push_back(buffer);
  }
  for (int number : {1, 2}) {
    LaunchInfo launch;
    launch.number = number;
    launch.kernel = number == 1 ? "prepare" : "fft_stage";
    launch.label = number == 1 ? "bit reversal" : "";
    launch.global = {8, 1, 1};
    launch.local = {8, 1, 1};
    info.launches.push_back(launch);
  }
  Segment segment;
  segment.stage = 3;
  info.segments = {segment};
  return info;
}

Operation one_butterfly() {
  Operation operation;
  operation.launch = 2;
  operation.stage = 2;
  operation.item = 1;
  operation.kind = OperationKind::Butterfly;
  operation.shape = Shape::Butterfly2;
  operation.reads.push(access(0, 1, complex_value(-4, 0)));
  operation.reads.push(access(0, 3, complex_value(-4, 0)));
  operation.coefficients.push(complex_value(0, -1));
  operation.writes.push(access(0, 1, complex_value(-4, 4)));
  operation.writes.push(access(0, 3, complex_value(-4, -4)));
  return operation;
}

Operation operation_of(OperationKind kind, Shape shape) {
  Operation operation;
  operation.launch = 1;
  operation.kind = kind;
  operation.shape = shape;
  return operation;
}

}  // namespace

TEST_CASE("the butterfly of the manual is spelled out as the manual does") {
  const TraceInfo info = some_info();
  const OperationText text = describe(info, one_butterfly());
  CHECK(text.title == "Work-item 1");
  CHECK(text.subtitle == "butterfly · stage 2 of 3 · span 4 · stride 2");
  CHECK(text.remarks.empty());
  CHECK(sentence(info, one_butterfly()) ==
        "F[1] ← F[1] + w·F[3] = (−4, 0) + (0, −1)·(−4, 0) = (−4, 4); "
        "F[3] ← F[1] − w·F[3] = (−4, 0) − (0, −1)·(−4, 0) = (−4, −4)");
  // Colours say what is what: inputs, twiddle, result.
  const EquationRow& symbols = text.equations[0].rows[0];
  CHECK(text.equations[0].target.plate == Role::Now);
  CHECK(symbols.tokens[0].underline == Role::A);
  CHECK(symbols.tokens[2].underline == Role::W);
  CHECK(symbols.tokens[4].underline == Role::B);
}

TEST_CASE("a value reads the same in the inspector, in the diagram and where its parts go one below the other") {
  const TraceInfo info = some_info();
  const Font font{};
  for (const Value& value : {complex_value(12345.6f, -0.5f), complex_value(1e-9f, 1), complex_value(-0.0f, 3e-7f),
                             complex_value(523776, -1024), complex_value(-4, 9.656854f)}) {
    Operation store;
    store.kind = OperationKind::Store;
    store.shape = Shape::Store;
    store.writes.push(access(0, 1, value));
    const std::string spelt = describe(info, store).equations.at(0).rows.at(0).tokens.at(0).text;
    CHECK(spelt == fitting_value_text(font, value, 4, 1000));
    const std::vector<std::string> parts = value_parts(value);
    CHECK(spelt == "(" + parts.at(0) + ", " + parts.at(1) + ")");
  }
}

TEST_CASE("an index below zero reads as the kernel's author would say it, as findings have it") {
  const TraceInfo info = some_info();
  Operation store;
  store.kind = OperationKind::Store;
  store.shape = Shape::Store;
  store.writes.push(access(0, 0xffffffffu, complex_value(1, 0)));
  CHECK(sentence(info, store) == "F[-1] ← (1, 0)");
}

TEST_CASE("a value beside the one that it should equal shows what it is off by") {
  struct Case {
    Value is;
    std::complex<double> wanted;
    const char *is_text, *wanted_text;
  };
  const Case cases[] = {
      {complex_value(1, -1.052e-5f), {1, 0}, "(1, −1.052e−5)", "(1, 0)"},
      // As the diagram and the inspector write them.
      {complex_value(-0.0f, 12345.6f), {0, 0.5}, "(0, 12346)", "(0, 0.5)"},
      {complex_value(0.7071067f, -0.5f), {1e7, 0}, "(0.7071, −0.5)", "(1e7, 0)"},
      // Apart in the fifth digit.
      {complex_value(0.70711f, 0), {0.707115, 0}, "(0.70711, 0)", "(0.70712, 0)"},
      // In equally many digits, also where the last of one is a zero; a whole number has no more.
      {complex_value(1.453586f, 0), {1.4535900001, 0}, "(1.453586, 0)", "(1.453590, 0)"},
      {complex_value(0.5f, 1.20001e-7f), {0.500004, 1.2e-7}, "(0.500000, 1.20001e−7)", "(0.500004, 1.20000e−7)"},
      {complex_value(2.00004f, 0), {2, 0}, "(2.00004, 0)", "(2, 0)"},
      {complex_value(0.5f, 0), {0.5, 0}, "(0.5, 0)", "(0.5, 0)"},
      {int_value(-523776), 523777.0, "−523776", "523777"},
  };
  for (const Case& one : cases) {
    const Compared texts = compared_texts(one.is, one.wanted);
    CHECK(texts.is == one.is_text);
    CHECK(texts.wanted == one.wanted_text);
  }
  CHECK(compared_texts({0.7071067, -0.5}, {1, 0}, ElementType::Float2).is == "(0.7071, −0.5)");
  CHECK(compared_texts(523776.0, 3.0, ElementType::Int).is == "523776");
}

TEST_CASE("a number alone reads as it does in a value") {
  for (const double number : {12345.6, 0.5, -3.4e-8, 1e6, 0.0, 100000.0, 99999.0}) {
    Value value;
    value.type = ElementType::Double;
    std::memcpy(value.bits.data(), &number, sizeof number);
    CHECK(number_text(number) == value_text(value));
  }
}

TEST_CASE("a piece of a run has one name, with its launch where that is not enough") {
  TraceInfo info = some_info();
  const auto piece = [](int launch, int epoch, int stage, OperationKind kind) {
    Segment segment;
    segment.launch = launch, segment.epoch = epoch, segment.stage = stage, segment.kind = kind;
    return segment;
  };
  info.segments = {piece(1, 0, 0, OperationKind::Swap), piece(2, 0, 0, OperationKind::Combine),
                   piece(2, 1, 0, OperationKind::Combine), piece(2, 2, 1, OperationKind::Butterfly),
                   piece(2, 3, 1, OperationKind::Butterfly)};
  std::vector<std::string> names, results;
  for (std::size_t i = 0; i < info.segments.size(); ++i) {
    names.push_back(segment_name(info, i));
    results.push_back(segment_result_name(info, i));
  }
  CHECK(names == std::vector<std::string>{"bit reversal", "combine 0", "combine 1", "stage 1", "stage 1"});
  CHECK(distinct_segment_name(info, 3) == "L2 stage 1");
  CHECK(distinct_segment_name(info, 2) == "combine 1");
  CHECK(results[0] == "bit-reversed");
  CHECK(results[2] == "after combine 1");
}

TEST_CASE("CUDA kernels have threads") {
  const TraceInfo info = some_info("fft.cu");
  CHECK(describe(info, one_butterfly()).title == "Thread 1");
}

TEST_CASE("a written value that the formula does not give is never joined by an equals sign") {
  const TraceInfo info = some_info();
  Operation wrong = one_butterfly();
  wrong.writes[1].value = complex_value(-4, 4);
  const OperationText text = describe(info, wrong);
  CHECK(text.equations[0].rows.back().relation == "=");
  CHECK(text.equations[1].rows.back().relation == "≠");
  CHECK(text.remarks.size() == 1);
  // What rounding does is no disagreement.
  Operation rounded = one_butterfly();
  rounded.reads[0].value = complex_value(0.1f, 0.3f);
  rounded.coefficients[0] = complex_value(0.70710678f, -0.70710678f);
  rounded.reads[1].value = complex_value(0.7f, 0.9f);
  const float product_re = 0.70710678f * 0.7f + 0.70710678f * 0.9f,
              product_im = 0.70710678f * 0.9f - 0.70710678f * 0.7f;
  rounded.writes[0].value = complex_value(0.1f + product_re, 0.3f + product_im);
  rounded.writes[1].value = complex_value(0.1f - product_re, 0.3f - product_im);
  CHECK(describe(info, rounded).remarks.empty());
}

TEST_CASE("a trace without values shows what it knows and says what it does not") {
  TraceInfo info = some_info();
  info.detail = Detail::Index;
  Operation bare = one_butterfly();
  for (int i = 0; i < 2; ++i) bare.reads[i].known = bare.writes[i].known = false;
  const OperationText text = describe(info, bare);
  CHECK(text.equations[0].rows.size() == 1);
  CHECK(sentence(info, bare) == "F[1] ← F[1] + w·F[3]; F[3] ← F[1] − w·F[3]; w = (0, −1)");
  REQUIRE(text.remarks.size() == 1);
  CHECK(text.remarks[0].find("--detail values") != std::string::npos);
}

TEST_CASE("every other kind of operation has its own wording") {
  const TraceInfo info = some_info();
  Operation swap = operation_of(OperationKind::Swap, Shape::Swap);
  swap.reads.push(access(0, 1, complex_value(1, 0)));
  swap.reads.push(access(0, 4, complex_value(4, 0)));
  swap.writes.push(access(0, 1, complex_value(4, 0)));
  swap.writes.push(access(0, 4, complex_value(1, 0)));
  CHECK(sentence(info, swap) == "F[1] ← F[4] = (4, 0); F[4] ← F[1] = (1, 0)");
  CHECK(describe(info, swap).subtitle == "swap · bit reversal");

  Operation move = operation_of(OperationKind::Move, Shape::Move);
  move.reads.push(access(0, 6, complex_value(3, -1)));
  move.writes.push(access(1, 2, complex_value(3, -1)));
  CHECK(sentence(info, move) == "s[2] ← F[6] = (3, −1)");

  Operation scale = operation_of(OperationKind::Scale, Shape::Scale);
  scale.reads.push(access(0, 3, complex_value(8, -4)));
  scale.coefficients.push(complex_value(0.125f, 0));
  scale.coefficients[0].type = ElementType::Float;
  scale.writes.push(access(0, 3, complex_value(1, -0.5f)));
  CHECK(sentence(info, scale) == "F[3] ← s·F[3] = 0.125·(8, −4) = (1, −0.5)");
  CHECK(describe(info, scale).remarks.empty());

  Operation combine = operation_of(OperationKind::Combine, Shape::Combine);
  combine.reads.push(access(1, 4, int_value(9)));
  combine.reads.push(access(1, 6, int_value(-13)));
  combine.writes.push(access(1, 4, int_value(-4)));
  CHECK(sentence(info, combine) == "s[4] ← s[4] + s[6] = 9 + (−13) = −4");

  Operation atomic = operation_of(OperationKind::Atomic, Shape::Atomic);
  atomic.reads.push(access(2, 3, int_value(7)));
  atomic.coefficients.push(int_value(1));
  atomic.writes.push(access(2, 3, int_value(8)));
  CHECK(sentence(info, atomic) == "bins[3] ← bins[3] + 1 = 7 + 1 = 8");

  Operation load = operation_of(OperationKind::Load, Shape::Load);
  load.reads.push(access(0, 5, complex_value(2, 2)));
  CHECK(sentence(info, load) == "read ← F[5] = (2, 2)");
  Operation store = operation_of(OperationKind::Store, Shape::Store);
  store.writes.push(access(2, 0, int_value(0)));
  CHECK(sentence(info, store) == "bins[0] ← 0");

  Operation unknown = operation_of(OperationKind::Load, Shape::Load);
  unknown.reads.push({-1, 5, false, {}});
  CHECK(sentence(info, unknown) == "read ← ?[5]");
}

TEST_CASE("integers wrap as they do on the device") {
  const TraceInfo info = some_info();
  Operation combine = operation_of(OperationKind::Combine, Shape::Combine);
  combine.reads.push(access(1, 0, int_value(INT32_MAX)));
  combine.reads.push(access(1, 1, int_value(1)));
  combine.writes.push(access(1, 0, int_value(INT32_MIN)));
  CHECK(describe(info, combine).remarks.empty());
}

TEST_CASE("a radix-4 butterfly agrees with its four sums in both directions") {
  TraceInfo info = some_info();
  for (const float sign : {-1.0f, 1.0f}) {
    Operation operation = operation_of(OperationKind::Butterfly, Shape::Butterfly4);
    const float x[4][2] = {{1, 0}, {2, 1}, {0, 3}, {-1, 2}};
    for (std::size_t i = 0; i < 4; ++i) operation.reads.push(access(0, 2 * i, complex_value(x[i][0], x[i][1])));
    for (int i = 0; i < 3; ++i) operation.coefficients.push(complex_value(1, 0));
    const float t0[2] = {x[0][0] + x[2][0], x[0][1] + x[2][1]}, t1[2] = {x[0][0] - x[2][0], x[0][1] - x[2][1]};
    const float t2[2] = {x[1][0] + x[3][0], x[1][1] + x[3][1]}, t3[2] = {x[1][0] - x[3][0], x[1][1] - x[3][1]};
    // τ1 ∓ iτ3: −i turns (re, im) into (im, −re)
    operation.writes.push(access(0, 0, complex_value(t0[0] + t2[0], t0[1] + t2[1])));
    operation.writes.push(access(0, 2, complex_value(t1[0] - sign * t3[1], t1[1] + sign * t3[0])));
    operation.writes.push(access(0, 4, complex_value(t0[0] - t2[0], t0[1] - t2[1])));
    operation.writes.push(access(0, 6, complex_value(t1[0] + sign * t3[1], t1[1] - sign * t3[0])));
    const OperationText text = describe(info, operation);
    CHECK(text.remarks.empty());
    REQUIRE(text.equations.size() == 8);
    CHECK(text.equations[5].rows[0].tokens[1].text == (sign < 0 ? " − i·" : " + i·"));
    operation.writes[3].value = operation.writes[1].value;
    CHECK(describe(info, operation).remarks.size() == 1);
  }
}

TEST_CASE("a run goes by its algorithm's id, or by its plan's file, or else by its title") {
  TraceInfo info;
  info.title = Message("My FFT");
  CHECK(short_name_of(info) == "My FFT");
  info.algorithm = "gallery/wrong-sign";
  CHECK(short_name_of(info) == "gallery/wrong-sign");
  info.algorithm = "/home/me/kernels/mine.toml";
  CHECK(short_name_of(info) == "mine.toml");
  info.algorithm = "mine.toml";
  CHECK(short_name_of(info) == "mine.toml");
}
