// Markdown as a flat list of blocks with line numbers. Raw HTML and links to elsewhere come out as the text they are.
#pragma once

#include "lessons/text/lesson.h"

#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

/// A block of the file: a heading, text, or a fenced block with what follows its fence.
struct MarkdownBlock {
  enum class Kind { Heading, Text, Fence };
  Kind kind = Kind::Text;
  int level = 0;           // of a heading
  std::string fence;       // "toml step", "c", "formula", or nothing
  std::string fence_text;  // all lines of a fenced block
  TextBlock text;          // of headings and text
  int line = 0;            // of a fenced block: its first line of content
};

/// `text` is UTF-8 without NUL.
std::vector<MarkdownBlock> parse_markdown(std::string_view text);

/// A single paragraph's worth of Markdown (a note, an answer), its lines counted from `line`.
std::vector<TextRun> parse_inline(std::string_view text, int line);

/// The runs with their references, {{…}}, taken apart.
std::vector<TextRun> with_references(std::vector<TextRun> runs);

/// All of it as plain text; references in their braces.
std::string plain_text(const std::vector<TextRun>& runs);

}  // namespace twiddle
