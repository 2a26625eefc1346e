// A view: one way to look at a trace in the middle of the window. The window's tabs, `--view` and `export` know views by name.
#pragma once

#include "base/tr.h"
#include "viewer/views/diagram.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace twiddle {

struct PictureSize {
  float width = 0, height = 0;  // px
};

class View {
 public:
  View(std::string_view name, std::string_view title, std::string_view about)
      : name_(name), title_(title), about_(about) {}
  virtual ~View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  std::string_view name() const { return name_; }    // "butterfly": for --view
  std::string_view about() const { return about_; }  // a few words, for help
  /// What its tab says, in the language that is set; a trace of CUDA kernels has threads for work-items.
  virtual std::string title(const TraceInfo&) const { return tr(title_.data()); }
  /// Whether it has something to show of this trace.
  virtual bool has(Document& document) const = 0;
  virtual Scene draw(const DiagramInput& input) const = 0;

  /// How large a picture of it in a page should be, `min_width` px wide or wider: every value of a small run
  /// can be written, or an overview of a large one fits a screen.
  virtual PictureSize picture_size(Document& document, float min_width) const;

  /// The viewport after zooming about a point of the pane, after moving the picture by `by` px, and one that shows an
  /// operation (unchanged when it shows it already). Views that show all at every size leave it as it is.
  virtual Viewport zoomed(const DiagramInput& input, Point about, double factor) const;
  virtual Viewport moved(const DiagramInput& input, Point by) const;
  virtual Viewport showing(const DiagramInput& input, std::uint64_t step) const;
  /// A point of the pane in the picture's own terms, and back: what is drawn there stays at its place at every size and zoom.
  /// Parts of the pane's sides where the view has nothing better.
  virtual Point anchor(const DiagramInput& input, Point p) const;
  virtual Point anchored(const DiagramInput& input, Point at) const;
  /// What is at a point that has no mark of its own, because a pixel stands for many things.
  virtual std::optional<MarkText> element_at(const DiagramInput& input, Point p) const;
  /// The value that the handle of a sample (see sample_mark) would have at a point; nothing in a view without handles.
  virtual std::optional<double> sample_value(const DiagramInput& input, std::uint64_t sample, Point p) const;
  /// The sample whose handle is at a point, or would be drawn there; nothing outside of the handles' part of the picture.
  virtual std::optional<std::uint64_t> sample_at(const DiagramInput& input, Point p) const;

 private:
  std::string_view name_, title_, about_;
};

/// All views, in the order of their tabs (views.def).
std::span<const std::unique_ptr<const View>> views();
/// Null when there is none of that name.
const View* view_named(std::string_view name);
/// Those that have something to show of a trace; the butterfly diagram, which then says why there is none, if no other has.
std::vector<const View*> views_of(Document& document);
/// The view of this name if the trace has it; else the one the trace opens on.
const View& view_of(Document& document, std::string_view name);

#define VIEW(name) std::unique_ptr<const View> name##_view();
#include "viewer/views/views.def"
#undef VIEW

}  // namespace twiddle
