// Whatever bytes come from elsewhere, JSON of them can be written and read.
#include "base/values/json_text.h"

#include <doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace twiddle;

TEST_CASE("JSON of foreign bytes is UTF-8, and nothing is thrown") {
  const std::string foreign =
      "a\xff"
      "b\xc3";
  CHECK(json_text(nlohmann::json(foreign)) ==
        "\"a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD\"");
  const nlohmann::ordered_json ordered = {{"b", foreign}, {"a", {1, 2}}};
  const std::string text = json_text(ordered, 2);
  CHECK(nlohmann::ordered_json::parse(text)["a"] == nlohmann::ordered_json({1, 2}));
  CHECK(text.find('\n') != std::string::npos);
  CHECK(json_text(ordered).find('\n') == std::string::npos);
  CHECK(json_text(nlohmann::json(nlohmann::json{{foreign, 1}})).find("\xEF\xBF\xBD") != std::string::npos);
}
