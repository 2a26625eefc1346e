// Messages as traces keep them: translated into every language, and from any file no more than a sentence.
#include "traced.h"
#include "viewer/scene/languages.h"

#include "tracer/file/message_json.h"
#include "tracer/file/trace_file.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace twiddle;
using nlohmann::json;

TEST_CASE("a message comes back from a file as it was, with what is in it") {
  const Message message("{0} of {1} writes {2}[{3}], and {2} has {4} elements; {5}", Message("work-item {}", 5), "k",
                        "x", -9, std::uint64_t(8), 0.25);
  const Message back = message_of(json::parse(json_of(message).dump()), message.english());
  CHECK(back == message);
  CHECK(back.id == message.id);
  CHECK(back.arguments.size() == 6);
  CHECK(back.translated("ja") == message.translated("ja"));
  const Message two = Message::plural(2, "{} element", "{} elements", 2);
  CHECK(message_of(json_of(two), "2 elements") == "2 elements");
}

TEST_CASE(
    "a message from a file is the English beside it where it is none, asks for too much, or says something else") {
  const auto told = [](const std::string& text, const std::string& english) {
    return message_of(json::parse(text, nullptr, false), english).english();
  };
  CHECK(told("null", "what {} was") == "what {} was");
  CHECK(told("", "x") == "x");
  CHECK(told("[]", "x") == "x");
  CHECK(told(R"({"text": 5})", "x") == "x");
  CHECK(told(R"({"text": "y", "with": []})", "x") == "x");
  CHECK(told(R"({"text": "{}", "with": 5})", "x") == "x");
  CHECK(told(R"({"text": "{}", "with": [[]]})", "x") == "x");
  CHECK(told(R"({"text": "{1}", "with": ["x"]})", "x") == "x");
  CHECK(told(R"({"text": "{:1000000000}", "with": ["x"]})", "x") == "x");
  CHECK(told(R"({"text": "{", "with": ["x"]})", "x") == "x");
  std::string deep = R"({"text": "x"})";
  for (int i = 0; i < 1000; ++i) deep = R"({"text": "{0}{0}{0}", "with": [)" + deep + "]}";
  CHECK(told(deep, "x") == "x");
}

TEST_CASE("a trace keeps its title in a form that can be translated") {
  const auto trace = traced("fft-radix2", 16);
  CHECK(trace->info().title == "Radix-2 FFT of 16 points");
  CHECK(trace->info().title.id == "Radix-2 FFT of {} points{}");
  if (std::string(tr_in("ja", "Launches")) == "Launches") return;  // this build has no msgfmt
  CHECK(trace->info().title.translated("ja") == "基数2の16点FFT");
}
