#include "lessons/text/markdown.h"

#include "base/error.h"
#include "viewer/scene/utf8.h"

#if TWIDDLE_HAVE_MD4C
#include <md4c.h>
#endif

#include <algorithm>
#include <functional>

namespace twiddle {
namespace {

#if TWIDDLE_HAVE_MD4C

// The line of a pointer into the text. Pointers mostly ascend, so counting goes on from the last one.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  int of(const char* at) {
    const std::less<const char*> before;
    const char* const end = text_.data() + text_.size();
    if (before(at, text_.data()) || before(end, at)) return line_;  // a text of the parser's own
    const auto offset = static_cast<std::size_t>(at - text_.data());
    if (offset < seen_) {
      seen_ = 0;
      line_ = 1;
    }
    line_ += static_cast<int>(std::count(text_.data() + seen_, at, '\n'));
    seen_ = offset;
    return line_;
  }
  int last() const { return line_; }

 private:
  std::string_view text_;
  std::size_t seen_ = 0;
  int line_ = 1;
};

struct Parser {
  explicit Parser(std::string_view text) : lines(text) {}
  Lines lines;
  std::vector<MarkdownBlock> blocks;

  struct List {
    bool ordered;
    int next;
  };
  std::vector<List> lists;
  int quotes = 0, strong = 0, emphasis = 0, code = 0;
  std::string link, away;  // where a link goes: a lesson's id, or an address that is shown
  MarkdownBlock* open = nullptr;
  bool fence = false;

  MarkdownBlock& begin(TextBlock::Kind kind) {
    MarkdownBlock block;
    block.text.kind = kind;
    blocks.push_back(std::move(block));
    return blocks.back();
  }

  void text(std::string_view piece, int line) {
    if (blocks.empty() || !open) {  // text of a tight list's item has no paragraph of its own
      open = &begin(lists.empty() ? TextBlock::Kind::Paragraph : TextBlock::Kind::Item);
    }
    if (open->line == 0) open->line = open->text.line = line;
    if (fence) {
      open->fence_text += piece;
      return;
    }
    std::vector<TextRun>& runs = open->text.runs;
    const bool is_code = code > 0, is_strong = strong > 0, is_emphasis = emphasis > 0;
    if (runs.empty() || runs.back().code != is_code || runs.back().strong != is_strong ||
        runs.back().emphasis != is_emphasis || runs.back().link != link)
      runs.push_back({.code = is_code, .strong = is_strong, .emphasis = is_emphasis, .link = link, .line = line});
    runs.back().text += piece;
  }
};

std::string attribute(const MD_ATTRIBUTE& value) { return value.text ? std::string(value.text, value.size) : ""; }

// "butterfly" of "butterfly.md"; empty for every other address.
std::string lesson_of_link(const std::string& address) {
  if (!address.ends_with(".md") || address.size() > 64) return "";
  std::string id = address.substr(0, address.size() - 3);
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !id.empty() && std::all_of(id.begin(), id.end(), plain) ? id : "";
}

int enter_block(MD_BLOCKTYPE type, void* detail, void* user) {
  Parser& parser = *static_cast<Parser*>(user);
  switch (type) {
    case MD_BLOCK_QUOTE: ++parser.quotes; break;
    case MD_BLOCK_UL: parser.lists.push_back({false, 0}); break;
    case MD_BLOCK_OL:
      parser.lists.push_back(
          {true, static_cast<int>(std::min(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start, 9999u))});
      break;
    case MD_BLOCK_LI: {
      MarkdownBlock& block = parser.begin(TextBlock::Kind::Item);
      block.text.depth = static_cast<int>(parser.lists.size()) - 1;
      if (parser.lists.back().ordered) block.text.number = parser.lists.back().next++;
      parser.open = &block;
      break;
    }
    case MD_BLOCK_H:
      parser.open = &parser.begin(TextBlock::Kind::Paragraph);
      parser.open->kind = MarkdownBlock::Kind::Heading;
      parser.open->level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
      break;
    case MD_BLOCK_CODE:
      parser.open = &parser.begin(TextBlock::Kind::Code);
      parser.open->kind = MarkdownBlock::Kind::Fence;
      parser.open->fence = attribute(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info);
      parser.fence = true;
      break;
    case MD_BLOCK_P:
      // An item's first paragraph is the item itself.
      if (parser.open && parser.open->text.kind == TextBlock::Kind::Item && parser.open->text.runs.empty()) break;
      parser.open = &parser.begin(parser.quotes > 0 ? TextBlock::Kind::Quote : TextBlock::Kind::Paragraph);
      break;
    default: break;
  }
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void*, void* user) {
  Parser& parser = *static_cast<Parser*>(user);
  switch (type) {
    case MD_BLOCK_QUOTE: --parser.quotes; break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL: parser.lists.pop_back(); break;
    case MD_BLOCK_CODE: parser.fence = false; [[fallthrough]];
    case MD_BLOCK_LI:
    case MD_BLOCK_H:
    case MD_BLOCK_P: parser.open = nullptr; break;
    default: break;
  }
  return 0;
}

int enter_span(MD_SPANTYPE type, void* detail, void* user) {
  Parser& parser = *static_cast<Parser*>(user);
  switch (type) {
    case MD_SPAN_EM: ++parser.emphasis; break;
    case MD_SPAN_STRONG: ++parser.strong; break;
    case MD_SPAN_CODE: ++parser.code; break;
    case MD_SPAN_A:
      parser.away = attribute(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
      parser.link = lesson_of_link(parser.away);
      break;
    case MD_SPAN_IMG: parser.away = attribute(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src); break;
    default: break;
  }
  return 0;
}

int leave_span(MD_SPANTYPE type, void*, void* user) {
  Parser& parser = *static_cast<Parser*>(user);
  switch (type) {
    case MD_SPAN_EM: --parser.emphasis; break;
    case MD_SPAN_STRONG: --parser.strong; break;
    case MD_SPAN_CODE: --parser.code; break;
    case MD_SPAN_A:
    case MD_SPAN_IMG:
      if (parser.link.empty() && !parser.away.empty()) {
        ++parser.code;
        parser.text(" (" + parser.away + ")", parser.lines.last());
        --parser.code;
      }
      parser.link.clear();
      parser.away.clear();
      break;
    default: break;
  }
  return 0;
}

int add_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
  Parser& parser = *static_cast<Parser*>(user);
  const int line = parser.lines.of(text);
  if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR)
    parser.text("\n", line);
  else if (type != MD_TEXT_NULLCHAR)
    parser.text({text, size}, line);
  return 0;
}

// Line ends of the source as spaces, or as nothing between letters of Chinese or Japanese.
void fold(std::vector<TextRun>& runs) {
  for (std::size_t r = 0; r < runs.size(); ++r) {
    std::string& text = runs[r].text;
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) {
      const std::string_view rest = std::string_view(text).substr(at + 1);
      const std::string_view after = rest.empty() && r + 1 < runs.size() ? runs[r + 1].text : rest;
      std::size_t first = 0;
      const bool whole = !after.empty() && is_wide(next_code_point(after, first)) &&
                         is_wide(last_code_point(std::string_view(text).substr(0, at)));
      text.replace(at, 1, whole ? "" : " ");
    }
  }
}

#endif

}  // namespace

#if TWIDDLE_HAVE_MD4C

std::vector<MarkdownBlock> parse_markdown(std::string_view text) {
  Parser parser(text);
  MD_PARSER callbacks{};
  callbacks.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
  callbacks.enter_block = enter_block;
  callbacks.leave_block = leave_block;
  callbacks.enter_span = enter_span;
  callbacks.leave_span = leave_span;
  callbacks.text = add_text;
  md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &callbacks, &parser);
  int line = 1;
  for (MarkdownBlock& block : parser.blocks) {
    if (block.line == 0) block.line = block.text.line = line;  // an empty one
    line = block.line;
    if (block.kind != MarkdownBlock::Kind::Fence) {
      block.text.runs = with_references(std::move(block.text.runs));
      fold(block.text.runs);
    }
  }
  return std::move(parser.blocks);
}

#else

std::vector<MarkdownBlock> parse_markdown(std::string_view) {
  throw usage_error("this build has no lessons: install libmd4c-dev and build again");
}

#endif

std::vector<TextRun> parse_inline(std::string_view text, int line) {
  std::vector<TextRun> runs;
  for (const MarkdownBlock& block : parse_markdown(text)) {
    if (!runs.empty()) { runs.push_back({.text = " ", .line = runs.back().line}); }
    if (block.kind == MarkdownBlock::Kind::Fence)
      runs.push_back({.text = block.fence_text, .code = true, .line = block.line + line - 1});
    for (TextRun run : block.text.runs) {
      run.line += line - 1;
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

std::vector<TextRun> with_references(std::vector<TextRun> runs) {
  std::vector<TextRun> out;
  for (TextRun& run : runs) {
    std::string_view rest = run.text;
    int line = run.line;
    const auto take_line = [&](std::string_view text, bool reference) {
      TextRun part = run;
      part.text = text;
      part.reference = reference;
      part.line = line;
      out.push_back(std::move(part));
      line += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    };
    // Text a line at a time, so that every run knows its own.
    const auto take = [&](std::string_view text) {
      while (!text.empty()) {
        const std::size_t end = std::min(text.size(), text.find('\n') + 1);
        take_line(text.substr(0, end == 0 ? text.size() : end), false);
        text.remove_prefix(end == 0 ? text.size() : end);
      }
    };
    while (!rest.empty()) {
      const std::size_t open = rest.find("{{");
      const std::size_t close = open == std::string_view::npos ? open : rest.find("}}", open);
      if (close == std::string_view::npos) break;
      take(rest.substr(0, open));
      take_line(rest.substr(open + 2, close - open - 2), true);
      rest.remove_prefix(close + 2);
    }
    take(rest);
  }
  return out;
}

std::string plain_text(const std::vector<TextRun>& runs) {
  std::string text;
  for (const TextRun& run : runs) text += run.reference ? "{{" + run.text + "}}" : run.text;
  return text;
}

}  // namespace twiddle
