#include "viewer/input/source_editor.h"

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

/// The trace's only source of this name; null: it has none, or several.
const SourceText* only_source(const TraceInfo& info, const std::string& name) {
  const SourceText* found = nullptr;
  for (const SourceText& source : info.sources) {
    if (source.name != name) continue;
    if (found && found->text != source.text) return nullptr;
    found = &source;
  }
  return found;
}

}  // namespace

SourceEditor::Draft* SourceEditor::draft() {
  const auto found = open ? drafts.find(name) : drafts.end();
  return found == drafts.end() ? nullptr : &found->second;
}

const SourceEditor::Draft* SourceEditor::draft() const { return const_cast<SourceEditor*>(this)->draft(); }

bool SourceEditor::changed() const {
  return std::any_of(drafts.begin(), drafts.end(), [](const auto& one) { return one.second.changed(); });
}

bool SourceEditor::begin(const TraceInfo& info, const std::string& source) {
  const SourceText* text = only_source(info, source);
  if (!text || text->text.size() > TextArea::max_bytes) return false;
  if (!drafts.contains(source)) {
    TextArea area(text->text);
    std::string original = area.text();
    drafts[source] = {std::move(area), std::move(original), origin};
  }
  open = focused = true;
  name = source;
  return true;
}

void SourceEditor::take_back() {
  if (Draft* now = draft(); now && now->changed()) {
    // As a change of its own, so that it can be undone.
    const std::size_t caret = now->area.caret();
    now->area.edit({"A", true}, 1);
    now->area.insert(now->original);
    now->area.go(std::min(caret, now->area.text().size()), false);
  }
}

void SourceEditor::close() {
  open = focused = false;
  std::erase_if(drafts, [](const auto& one) { return !one.second.changed(); });
}

void SourceEditor::follow(const TraceInfo& info) {
  for (auto draft = drafts.begin(); draft != drafts.end();) {
    auto& [file, edits] = *draft;
    const SourceText* text = only_source(info, file);
    const bool changed = edits.changed();
    if (text) {
      TextArea fresh(text->text);
      edits.original = fresh.text();
      if (!changed && edits.area.text() != edits.original) edits.area = std::move(fresh), edits.origin = origin;
    }
    draft = !text && !changed ? drafts.erase(draft) : std::next(draft);
  }
  if (open && !draft()) open = focused = false;
}

ChangedLines changed_lines(const std::string& text, const std::string& original) {
  const auto [a, b] = std::mismatch(text.begin(), text.end(), original.begin(), original.end());
  if (a == text.end() && b == original.end()) return {};
  const auto behind = std::min(text.end() - a, original.end() - b);
  std::ptrdiff_t same = 0;  // bytes at the end
  while (same < behind && text.end()[-1 - same] == original.end()[-1 - same]) ++same;
  const int first = 1 + static_cast<int>(std::count(text.begin(), a, '\n'));
  const auto last = std::max(a, text.end() - same);
  // An end of a line that ends what differs belongs to the line before it.
  const int lines = static_cast<int>(std::count(a, last > a ? last - 1 : last, '\n'));
  return {first, first + lines};
}

}  // namespace twiddle
