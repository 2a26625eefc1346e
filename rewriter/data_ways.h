// Whether a kernel's way depends on floating values: on other data it could then run longer, or access other memory.
#pragma once

#include <clang/AST/Decl.h>

#include <set>
#include <vector>

namespace twiddle::rewriter {

/// The functions, of these definitions, that turn a floating value into a whole number, a condition or bits, by themselves or
/// through others that they call. What is left does the same accesses with any floating values.
std::set<const clang::FunctionDecl*> led_by_floats(const std::vector<const clang::FunctionDecl*>& definitions);

}  // namespace twiddle::rewriter
