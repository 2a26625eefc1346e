#include "viewer/session/ranks.h"

#include "base/error.h"
#include "base/tr.h"
#include "tracer/file/trace_file.h"
#include "viewer/compare/comparison.h"

#include <algorithm>

namespace twiddle {
namespace {

std::string rank_in(const TraceInfo& info) {
  const auto found = info.parameters.find("rank");
  return found == info.parameters.end() ? std::string() : found->second;
}

const RankTrace* find_rank(const std::vector<RankTrace>& ranks, const std::string& rank) {
  const auto found = std::find_if(ranks.begin(), ranks.end(), [&](const RankTrace& one) { return one.rank == rank; });
  return found == ranks.end() ? nullptr : &*found;
}

}  // namespace

bool is_rank(const TraceInfo& info) { return !rank_in(info).empty(); }

std::vector<RankTrace> ranks_of(const std::vector<std::shared_ptr<const TraceSource>>& traces) {
  std::vector<RankTrace> ranks;
  for (const auto& trace : traces) {
    const std::string rank = rank_in(trace->info()), file = trace->path().string();
    if (rank.empty())
      throw usage_error(
          "several traces are shown together when they are the ranks of one run, and {} is none; two others are "
          "compared",
          file);
    if (trace->info().title.english() != traces.front()->info().title.english())
      throw usage_error("{} and {} are of two commands, and no ranks of one run", traces.front()->path().string(),
                        file);
    if (const RankTrace* other = find_rank(ranks, rank))
      throw usage_error("{} and {} are both of rank {}", other->file.string(), file, rank);
    ranks.push_back({rank, trace->path()});
  }
  return ranks;
}

ChoiceField rank_field(const std::vector<RankTrace>& ranks, const TraceInfo& shown) {
  const std::string rank = rank_in(shown);
  ChoiceField field{"rank", "", tr("rank {} of {}", rank, ranks.size()), rank};
  for (const RankTrace& one : ranks) field.entries.push_back({one.rank, one.rank, one.file.filename().string()});
  return field;
}

void show_rank(const std::vector<RankTrace>& ranks, const std::string& rank, WindowControl& control, Traces& traces) {
  const RankTrace* asked = find_rank(ranks, rank);
  if (!asked) throw usage_error("There is no rank {} among these traces.", rank);
  if (rank == rank_in(control.document().info())) return;
  auto fresh = std::make_unique<Document>(TraceReader::open(asked->file));
  const Comparison pair(control.document(), *fresh);
  const std::uint64_t step = pair.second_step(control.state().cursor.step);
  // Where both did the same, what is pinned and zoomed is in both.
  if (pair.alike())
    traces.replace(std::move(fresh));
  else
    traces.show(std::move(fresh));
  control.seek(step);
}

}  // namespace twiddle
