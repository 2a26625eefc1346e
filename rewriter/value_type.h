// Types of values in memory, as the generated functions name them, and a value's bits as the records of a log.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Type.h>

#include <optional>
#include <string>
#include <vector>

namespace twiddle::rewriter {

/// A scalar, a vector, a struct, or a pointer to one of the first two.
struct ValueType {
  std::string name;     // "float4", "struct particle": as it can be written at file level
  std::string element;  // "float", the scalar that it is made of; of a struct what all of its members are made of, or
                        // "uint", "ulong", "uchar" by its size
  unsigned components = 1;  // of a struct: its size in elements
  bool record = false, pointer = false;
  unsigned bytes = 0;  // in memory

  unsigned element_bytes() const;
};

/// Nothing for other pointers, images, events and structs that are declared inside of a function.
std::optional<ValueType> value_type(const clang::ASTContext& context, clang::QualType type);

unsigned scalar_bytes(const std::string& scalar);

/// "__global", "__local", "__constant", "__generic" or "__private".
std::string space_keyword(clang::LangAS space);
/// "global", "local", "constant", "generic" or "private".
std::string space_name(clang::LangAS space);

/// Statements that log the value `value` (an expression without side effects) at `address` (a ulong expression), chunk by chunk,
/// in a function whose parameters are log_parameters. With `components`, only those of a vector. Sets the chunk's size.
std::string log_value(const ValueType& type, const std::vector<unsigned>& components, const std::string& address,
                      const std::string& value, unsigned& chunk, const std::string& site = "s");

inline constexpr const char* log_parameters = "uint s,__global ulong*l,__private __tw_item*t";

/// ".s03" of the components {0, 3}.
std::string swizzle(const std::vector<unsigned>& components);

/// "float_4_" of "float[4]": a part of a name in the text that is made.
std::string identifier_of(const std::string& text);

/// A value of the scalar type as a ulong expression.
std::string bits_of(const std::string& scalar, const std::string& value);

}  // namespace twiddle::rewriter
