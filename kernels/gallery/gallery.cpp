// gallery() and gallery_twins(): the exhibits as entries of the catalogue.
#include "kernels/gallery/gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace twiddle {
namespace {

Algorithm entry(const Exhibit& exhibit, bool right) {
  Algorithm algorithm;
  algorithm.id = "gallery/" + exhibit.id + (right ? "-right" : "");
  algorithm.title = exhibit.title + (right ? ": the right twin" : "");
  algorithm.origin = "gallery";
  algorithm.about = exhibit.about;
  algorithm.parameters = exhibit.parameters;
  algorithm.sizes = exhibit.sizes;
  std::string source = exhibit.id;
  std::replace(source.begin(), source.end(), '-', '_');
  algorithm.build = [name = exhibit.name, source, right, build = exhibit.build](const Request& request) {
    return build({request, name, source, right});
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

Plan GalleryTwin::plan(std::uint64_t n, const std::string& size, std::string_view signal) const {
  Plan plan;
  plan.title = Message::verbatim(fmt::format("{}{}, {}", name, right ? " (right)" : "", size));
  plan.signal = request.signal.empty() ? signal : request.signal;
  plan.parameters["n"] = fmt::format("{}", n);
  return plan;
}

std::span<const Algorithm> gallery() { return both().first; }
std::span<const Algorithm> gallery_twins() { return both().second; }

}  // namespace twiddle
