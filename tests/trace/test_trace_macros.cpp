// The list of trace macros against the header that kernels include.
#include "base/paths.h"
#include "base/read_file.h"
#include "tracer/trace/trace_macros.h"

#include <doctest.h>

#include <regex>
#include <string>

using namespace twiddle;

TEST_CASE("every macro of trace_device.h is in the list, and logs what the list says") {
  std::string text = read_file(resource("tracer/log/trace_device.h"), 1 << 20);
  for (std::size_t at; (at = text.find("\\\n")) != std::string::npos;) text.erase(at, 2);
  for (const TraceMacro& macro : trace_macros) {
    CAPTURE(macro.name);
    const std::string define = "#define " + std::string(macro.name) + "(";
    const std::size_t empty = text.find(define), real = text.find(define, empty + 1);
    REQUIRE(real != std::string::npos);
    const std::size_t open = empty + define.size();
    const std::string parameters = text.substr(open, text.find(')', open) - open);
    CHECK(text.compare(empty, define.size() + parameters.size() + 2, define + parameters + ")\n") == 0);
    CHECK(text.compare(real, define.size() + parameters.size() + 1, define + parameters + ")") == 0);
    CHECK(text.find(std::string(macro.name) + "(" + parameters + ")") < empty);  // among the header's first words
    const auto commas = std::count(parameters.begin(), parameters.end(), ',');
    CHECK(macro.argument_count() == (parameters.empty() ? 0 : commas + 1));

    const ShapeTraits& shape = traits(macro.shape);
    CHECK(macro.reads == shape.reads);
    CHECK(macro.count('v') == shape.reads);
    CHECK(macro.count('c') == shape.coefficients);
    const std::string line = text.substr(real, text.find('\n', real) - real);
    std::smatch begin;
    REQUIRE(std::regex_search(line, begin, std::regex(R"(TRACE_BEGIN(?:_IF\(.*\),|\() ?(\d+)u, )")));
    CHECK(std::stoi(begin[1]) == static_cast<int>(macro.shape));
    if (std::smatch words; std::regex_search(line, words, std::regex(R"(SLOT_WORDS\((\d+)u, (\d+)u, \w+, (\d+)u)"))) {
      CHECK(std::stoi(words[1]) == shape.index_words);
      CHECK(std::stoi(words[2]) == shape.coefficients);
      CHECK(std::stoi(words[3]) == shape.reads + shape.writes);
    } else {
      CHECK(macro.argument_count() == 0);
    }
  }
  // TRACE_PARAMS, TRACE_STAGE and these are all that a kernel uses.
  const std::string without = text.substr(0, text.find("\n#else"));
  const std::regex define("#define TRACE_[A-Z0-9_]+\\(");
  CHECK(std::distance(std::sregex_iterator(without.begin(), without.end(), define), {}) ==
        int(trace_macros.size()) + 1);
}

TEST_CASE("macros are found by name and by shape") {
  for (const TraceMacro& macro : trace_macros) {
    CHECK(macro_named(macro.name) == &macro);
    CHECK(macro_of(macro.shape) == &macro);
  }
  CHECK(macro_named("TRACE_STAGE") == nullptr);
  CHECK(macro_of(Shape::None) == nullptr);
  CHECK(macro_named("TRACE_PACK")->place('b') == 3);
}
