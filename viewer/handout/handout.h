// The handout: a trace as one HTML page that steps through its diagram, for a course's web site or a mail. Nothing is
// loaded from elsewhere; it works from disk and on a phone, by keyboard and for a screen reader, and it prints.
#pragma once

#include "viewer/document/document.h"
#include "viewer/scene/theme.h"
#include "viewer/views/diagram.h"

#include <cstdint>
#include <string>
#include <vector>

namespace twiddle {

struct HandoutOptions {
  ThemeName theme = ThemeName::Light;
  bool theme_given = false;             // else the page follows the reader's system
  std::uint64_t first_step = 0;         // where the page opens
  float width = 1008, height = 640;     // px of the diagram's own coordinates, at least
  bool sized = false;                   // that size, not what the view asks for
  CostStrips costs = CostStrips::None;  // below the columns
  std::string view{};                   // what is drawn, by name; empty: the butterfly diagram
  bool embedded = false;  // for a page that always has its player: the drawing is in its data alone, packed
  /// Further steps that the page can show, where a trace is too long for all of them.
  std::vector<std::uint64_t> stops{};
  bool stops_alone = false;  // then the ends of stages are left out
};

/// What fills the places of a page's shell: text as it is, the player's data as JSON.
struct HandoutParts {
  std::string title, subtitle, made, styles, svg, data;
};
HandoutParts handout_parts(Document& document, const HandoutOptions& options);
/// The page without them: {{title}}, {{subtitle}}, {{made}}, {{styles}}, {{svg}} and {{data}} stay open, and of an
/// embedded one {{theme}}, which is ` data-theme="dark"` or nothing. For pages that hold several; what it says is in the language
/// that is set (base/tr.h).
std::string handout_shell(const HandoutOptions& options);

/// The page. Every picture, number and sentence comes from the trace: for each position the page holds exactly what the
/// window's diagram shows there. A trace of more than `handout_max_steps` operations steps by stages instead.
std::string handout_html(Document& document, const HandoutOptions& options);

inline constexpr std::uint64_t handout_max_steps = 640;

/// CSS that defines the page's colours by role (--ink, --now …, dark where the reader's system is) and its faces (--sans,
/// --mono) for a language: for other pages of the same look.
std::string handout_variables(Language language);

}  // namespace twiddle
