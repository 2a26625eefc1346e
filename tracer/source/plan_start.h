// A plan file to start from, written from what a kernel's source says of itself.
#pragma once

#include "kernels/catalogue/catalogue.h"

#include <string>

namespace twiddle {

/// The text of a plan file that launches every kernel of the source once, in order: a buffer for each pointer, images and
/// samplers, a guess for each number, and comments on what is to be looked at. `included`: what the source includes, for the
/// types and sizes that are defined there. Throws Error (usage) where there is no kernel, or where one takes something that
/// no guess can be made for.
std::string starting_plan(const KernelSource& source, const std::string& included = {});

}  // namespace twiddle
