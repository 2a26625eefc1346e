// The gallery: kernels broken on purpose, each a trap met in published kernels, beside its right twin.
#pragma once

#include "kernels/catalogue/catalogue.h"

#include <string>
#include <vector>

namespace twiddle {

/// One of the two plans of an exhibit: what was asked for, what the plan is called ("A wrong sign"), the file of the kernels,
/// and whether it is the right one.
struct GalleryTwin {
  const Request& request;
  std::string name, source;
  bool right;

  /// What makes a broken source the right twin: RIGHT.
  std::vector<std::string> defines() const;
  /// A plan of n points, values or items without buffers or launches; `size` is how its title says so: "n = 12", "8 points".
  Plan plan(std::uint64_t n, const std::string& size, std::string_view signal = "ramp") const;
};

/// What the gallery says of a broken kernel. The right twin is the same source with RIGHT defined, or the same kernel rightly
/// launched.
struct Exhibit {
  std::string id;  // "wrong-sign"; its kernels are in gallery/wrong_sign.cl and .cu
  std::string title;
  std::string name;     // of its plans
  std::string about;    // what is broken, and how it shows
  std::string finding;  // the class that `check` must report
  std::string sizes;    // what n may be
  std::vector<Parameter> parameters;
  Plan (*build)(const GalleryTwin&);
};

std::vector<Exhibit> gallery_of_transforms();  // wrong pairs, twiddles and values
std::vector<Exhibit> gallery_of_groups();      // races, bounds, barriers and costs
std::vector<Exhibit> gallery_of_families();    // all other algorithms, in kernels without trace lines

}  // namespace twiddle
