// The gallery: kernels broken on purpose, each a trap met in published kernels, beside its right twin.
#pragma once

#include "kernels/catalogue/catalogue.h"

#include <string>
#include <vector>

namespace twiddle {

/// What the gallery says of a broken kernel. The right twin is the same source with RIGHT defined, or the same kernel rightly
/// launched.
struct Exhibit {
  std::string id;  // "wrong-sign"; its kernels are in gallery/wrong_sign.cl and .cu
  std::string title;
  std::string about;    // what is broken, and how it shows
  std::string finding;  // the class that `check` must report
  std::string sizes;    // what n may be
  std::vector<Parameter> parameters;
  Plan (*broken)(const Request&);
  Plan (*right)(const Request&);
};

std::vector<Exhibit> gallery_of_transforms();  // wrong pairs, twiddles and values
std::vector<Exhibit> gallery_of_groups();      // races, bounds, barriers and costs

}  // namespace twiddle
