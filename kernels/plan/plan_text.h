// The small words of a plan file, both ways: contents, arguments and transforms as text.
#pragma once

#include "kernels/plan/expression.h"
#include "kernels/plan/plan.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace twiddle {

/// "signal", "signal:random:7", "zero", "uninitialised", "iota", "values:1,2,1", "file:data.csv", "twiddles:8",
/// "radix4-twiddles:16:backward".
std::string content_text(const Content& content);
/// The inverse; numbers may be expressions of `names`. Throws Error (usage) that names the nearest word.
Content parse_content(std::string_view text, const ExpressionNames& names = {});

/// "int:8", "float2:1,0" of a value's bytes: each number as short as it can be read back the same.
std::string scalar_text(ElementType type, std::span<const std::byte> bytes);
/// The inverse of argument_text (plan.h); numbers may be expressions of `names`, and "s%2 ? a : b" is one of two buffers.
/// Throws Error (usage).
Argument parse_argument(const Plan& plan, std::string_view text, const ExpressionNames& names = {});
/// The index of the buffer that "x" or "s%2 ? a : b" means. Throws Error (usage).
std::size_t parse_buffer(const Plan& plan, std::string_view text, const ExpressionNames& names = {});

/// The transform of this name (TransformTraits::name). Throws Error (usage) that names all of them.
Expect::Transform parse_transform(std::string_view text);

/// Throws Error (usage) where elements of this type cannot be texels of an image.
void check_texel(ElementType type);

/// "same", "full" or "circular".
std::string_view mode_text(Expect::Mode mode);
Expect::Mode parse_mode(std::string_view text);

/// "inclusive" or "exclusive".
std::string_view scan_kind_text(bool exclusive);
bool parse_scan_kind(std::string_view text);

/// "forward" for −1, "backward" for +1.
std::string_view sign_text(int sign);
int parse_sign(std::string_view text);

}  // namespace twiddle
