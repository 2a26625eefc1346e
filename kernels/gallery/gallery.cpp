// gallery() and gallery_twins(): the exhibits as entries of the catalogue.
#include "kernels/gallery/gallery.h"

#include "kernels/catalogue/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

// "1024", "2^20".
std::string bound_text(std::uint64_t n) {
  return n >= std::uint64_t(1) << 20 ? fmt::format("2^{}", log2_of(n)) : fmt::format("{}", n);
}

std::string power_of(const GallerySizes& sizes, const char* number) {
  return fmt::format("{} of {}", number, sizes.base == 2 ? "two" : "four");
}

Parameter size_parameter(const GallerySizes& sizes) {
  const std::string what = sizes.base == 1 ? "any number" : power_of(sizes, "power");
  return parameters::n(
      sizes.min == sizes.max ? fmt::format("{}", sizes.min)
                             : fmt::format("{}, {} … {}", what, bound_text(sizes.min), bound_text(sizes.max)),
      sizes.default_value > sizes.min << 16 ? size_text(sizes.default_value) : fmt::format("{}", sizes.default_value));
}

std::string text_of(const GallerySizes& sizes) {
  return fmt::format("{} from {} to {}", sizes.base == 1 ? "any number" : power_of(sizes, "powers"),
                     bound_text(sizes.min), bound_text(sizes.max));
}

std::uint64_t size_in(const GallerySizes& sizes, const Request& request) {
  return sizes.base == 1 ? whole_size("n", request.n, sizes.default_value, sizes.min, sizes.max)
                         : power_size("n", request.n, sizes.default_value, sizes.min, sizes.max, sizes.base);
}

Algorithm entry(const Exhibit& exhibit, bool right) {
  Algorithm algorithm;
  algorithm.id = "gallery/" + exhibit.id + (right ? "-right" : "");
  algorithm.title = exhibit.title + (right ? ": the right twin" : "");
  algorithm.origin = "gallery";
  algorithm.about = exhibit.about;
  algorithm.parameters = {size_parameter(exhibit.sizes)};
  if (!exhibit.signal.empty()) algorithm.parameters.push_back(parameters::signal(exhibit.signal));
  algorithm.sizes = exhibit.sizes_text.empty() ? text_of(exhibit.sizes) : exhibit.sizes_text;
  std::string source = exhibit.id;
  std::replace(source.begin(), source.end(), '-', '_');
  algorithm.build = [exhibit, source, right](const Request& request) {
    return exhibit.build({request, size_in(exhibit.sizes, request), exhibit.signal, exhibit.name, source, right});
  };
  if (!right) {
    algorithm.finding = exhibit.finding;
    algorithm.twin = algorithm.id + "-right";
  }
  return algorithm;
}

const std::pair<std::vector<Algorithm>, std::vector<Algorithm>>& both() {
  static const auto entries = [] {
    std::pair<std::vector<Algorithm>, std::vector<Algorithm>> made;
    for (const auto& exhibits : {gallery_of_transforms(), gallery_of_groups(), gallery_of_families()})
      for (const Exhibit& exhibit : exhibits) {
        made.first.push_back(entry(exhibit, false));
        made.second.push_back(entry(exhibit, true));
      }
    return made;
  }();
  return entries;
}

}  // namespace

std::vector<std::string> GalleryTwin::defines() const {
  return right ? std::vector<std::string>{"RIGHT=1"} : std::vector<std::string>{};
}

Plan GalleryTwin::plan() const { return plan(fmt::format("n = {}", n)); }

Plan GalleryTwin::plan(const std::string& size) const {
  Plan plan;
  plan.title = Message::verbatim(fmt::format("{}{}, {}", name, right ? " (right)" : "", size));
  plan.signal = request.signal.empty() ? signal : request.signal;
  plan.parameters["n"] = fmt::format("{}", n);
  return plan;
}

std::span<const Algorithm> gallery() { return both().first; }
std::span<const Algorithm> gallery_twins() { return both().second; }

}  // namespace twiddle
