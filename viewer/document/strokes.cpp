#include "viewer/document/strokes.h"

#include "base/error.h"
#include "base/read_file.h"
#include "base/values/json_text.h"
#include "base/write_file.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <system_error>

namespace fs = std::filesystem;
using nlohmann::json;

namespace twiddle {
namespace {

constexpr std::uintmax_t max_strokes_bytes = 16 << 20;

struct KeptStrokes {
  bool read = false;
  Strokes strokes;
};

Strokes read_strokes(const fs::path& file) {
  Strokes strokes;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return strokes;
  try {
    const json root = json::parse(read_file(file, max_strokes_bytes));
    for (const json& one : root.at("strokes")) {
      PenStroke stroke{one.at("view").get<std::string>(), {}};
      for (const json& point : one.at("points")) {
        const Point p{point.at(0).get<float>(), point.at(1).get<float>()};
        if (std::isfinite(p.x) && std::isfinite(p.y)) stroke.points.push_back(p);
      }
      if (!stroke.points.empty()) strokes[one.at("step").get<std::uint64_t>()].push_back(std::move(stroke));
    }
  } catch (const std::exception&) { return {}; }  // of another program, or damaged
  return strokes;
}

}  // namespace

fs::path strokes_file(const fs::path& trace) { return trace.string() + ".strokes.json"; }

Strokes& strokes_of(Document& document) {
  auto& kept = document.kept<KeptStrokes>();
  if (!kept.read) {
    kept.read = true;
    if (!document.trace->path().empty()) kept.strokes = read_strokes(strokes_file(document.trace->path()));
  }
  return kept.strokes;
}

void keep_strokes(Document& document) {
  if (document.trace->path().empty()) return;  // a trace in memory: they are gone with it
  const fs::path file = strokes_file(document.trace->path());
  json list = json::array();
  for (const auto& [step, strokes] : strokes_of(document))
    for (const PenStroke& stroke : strokes) {
      json points = json::array();
      for (const Point& p : stroke.points) points.push_back({p.x, p.y});
      list.push_back({{"step", step}, {"view", stroke.view}, {"points", std::move(points)}});
    }
  std::error_code failed;
  if (list.empty()) {
    fs::remove(file, failed);
    return;
  }
  if (try_write_file(file, json_text(json{{"strokes", std::move(list)}}) + '\n'))
    throw usage_error("the strokes cannot be kept: {} cannot be written", file.string());
}

}  // namespace twiddle
