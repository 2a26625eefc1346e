// gallery() and gallery_twins(): the exhibits as entries of the catalogue.
#include "kernels/gallery/gallery.h"

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
  algorithm.runtimes = {"opencl", "cuda", "host"};
  algorithm.sizes = exhibit.sizes;
  algorithm.build = right ? exhibit.right : exhibit.broken;
  if (!right) {
    algorithm.finding = exhibit.finding;
    algorithm.twin = algorithm.id + "-right";
  }
  return algorithm;
}

const std::pair<std::vector<Algorithm>, std::vector<Algorithm>>& both() {
  static const auto entries = [] {
    std::pair<std::vector<Algorithm>, std::vector<Algorithm>> made;
    for (const auto& exhibits : {gallery_of_transforms(), gallery_of_groups()})
      for (const Exhibit& exhibit : exhibits) {
        made.first.push_back(entry(exhibit, false));
        made.second.push_back(entry(exhibit, true));
      }
    return made;
  }();
  return entries;
}

}  // namespace

std::span<const Algorithm> gallery() { return both().first; }
std::span<const Algorithm> gallery_twins() { return both().second; }

}  // namespace twiddle
