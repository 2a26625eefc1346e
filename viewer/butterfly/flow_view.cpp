// The data flow of kernels without butterflies: who read what, and what became of it, in the butterfly diagram's rows, columns
// and wires.
#include "viewer/document/flow.h"
#include "viewer/views/view.h"

namespace twiddle {
namespace {

class FlowView : public View {
 public:
  FlowView()
      : View("flow", translatable("Data flow"), "columns of states, rows of elements, wires from read to written") {}
  // Butterflies have it as their diagram, reductions as their tree.
  bool has(Document& document) const override {
    const Flow& flow = document.flow();
    return flow.draws() && flow.rows() > 0 && !flow.has_butterflies() && !flow.has_combines();
  }
  Scene draw(const DiagramInput& input) const override { return rows_and_wires().draw(input); }
  Viewport zoomed(const DiagramInput& input, Point about, double factor) const override {
    return rows_and_wires().zoomed(input, about, factor);
  }
  Viewport moved(const DiagramInput& input, Point by) const override { return rows_and_wires().moved(input, by); }
  Viewport showing(const DiagramInput& input, std::uint64_t step) const override {
    return rows_and_wires().showing(input, step);
  }
  std::optional<MarkText> element_at(const DiagramInput& input, Point p) const override {
    return rows_and_wires().element_at(input, p);
  }

 private:
  static const View& rows_and_wires() { return *view_named("butterfly"); }
};

}  // namespace

std::unique_ptr<const View> flow_view() { return std::make_unique<FlowView>(); }

}  // namespace twiddle
