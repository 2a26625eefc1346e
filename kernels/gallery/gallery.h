// The gallery: kernels broken on purpose, each with one mistake that is easily made, beside its right twin.
#pragma once

#include "kernels/catalogue/catalogue.h"

#include <functional>
#include <string>
#include <vector>

namespace twiddle {

/// What n may be: any whole number from `min` to `max`, or a power of `base`.
struct GallerySizes {
  std::uint64_t default_value, min, max, base;
};
constexpr GallerySizes any(std::uint64_t default_value, std::uint64_t min, std::uint64_t max) {
  return {default_value, min, max, 1};
}
constexpr GallerySizes powers(std::uint64_t default_value, std::uint64_t min, std::uint64_t max,
                              std::uint64_t base = 2) {
  return {default_value, min, max, base};
}

/// One of the two plans of an exhibit: what was asked for, its size and default signal, what the plan is called ("A wrong
/// sign"), the file of the kernels, and whether it is the right one.
struct GalleryTwin {
  const Request& request;
  std::uint64_t n;
  std::string signal, name, source;
  bool right;

  /// What makes a broken source the right twin: RIGHT.
  std::vector<std::string> defines() const;
  /// A plan of n points, values or items without buffers or launches; `size` is how its title says so: "8 points".
  Plan plan(const std::string& size) const;
  /// The same, "n = 12".
  Plan plan() const;
};

/// What the gallery says of a broken kernel. The right twin is the same source with RIGHT defined, or the same kernel rightly
/// launched.
struct Exhibit {
  std::string id;  // "wrong-sign"; its kernels are in gallery/wrong_sign.cl and .cu
  std::string title;
  std::string name;     // of its plans
  std::string about;    // what is broken, and how it shows
  std::string finding;  // the class that `check` must report
  GallerySizes sizes;
  std::string signal;  // the default; empty: it takes none
  std::function<Plan(const GalleryTwin&)> build;
  std::string sizes_text{};  // where the sizes do not say all: "rows of a power of two from 8 to 512 points"
};

std::vector<Exhibit> gallery_of_transforms();  // wrong pairs, twiddles and values
std::vector<Exhibit> gallery_of_groups();      // races, bounds, barriers and costs
std::vector<Exhibit> gallery_of_families();    // all other algorithms, in kernels without trace lines

}  // namespace twiddle
