#include "rewriter/value_type.h"

#include <clang/AST/Decl.h>

#include <algorithm>
#include <cctype>

namespace twiddle::rewriter {
namespace {

constexpr unsigned record_bytes = 8;  // that a record of the log has for a value
constexpr const char* digits = "0123456789ABCDEF";

std::optional<std::string> scalar_name(clang::QualType type) {
  const auto* builtin = type->getAs<clang::BuiltinType>();
  if (!builtin) return std::nullopt;
  switch (builtin->getKind()) {
    case clang::BuiltinType::Bool: return "bool";
    case clang::BuiltinType::Char_S:
    case clang::BuiltinType::Char_U:
    case clang::BuiltinType::SChar: return "char";
    case clang::BuiltinType::UChar: return "uchar";
    case clang::BuiltinType::Short: return "short";
    case clang::BuiltinType::UShort: return "ushort";
    case clang::BuiltinType::Int: return "int";
    case clang::BuiltinType::UInt: return "uint";
    case clang::BuiltinType::Long: return "long";
    case clang::BuiltinType::ULong: return "ulong";
    case clang::BuiltinType::Half: return "half";
    case clang::BuiltinType::Float: return "float";
    case clang::BuiltinType::Double: return "double";
    default: return std::nullopt;
  }
}

clang::QualType plain(clang::QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto* atomic = type->getAs<clang::AtomicType>())
    type = atomic->getValueType().getCanonicalType().getUnqualifiedType();
  if (const auto* enumeration = type->getAs<clang::EnumType>())
    type = enumeration->getDecl()->getIntegerType().getCanonicalType();
  return type;
}

// The scalar that all of a type is made of; empty: several.
std::string made_of(const clang::ASTContext& context, clang::QualType type) {
  type = plain(type);
  if (const auto scalar = scalar_name(type)) return *scalar;
  if (const auto* vector = type->getAs<clang::ExtVectorType>()) return made_of(context, vector->getElementType());
  if (const auto* array = context.getAsConstantArrayType(type)) return made_of(context, array->getElementType());
  const auto* record = type->getAsRecordDecl();
  if (!record) return {};
  std::string all;
  for (const clang::FieldDecl* field : record->fields()) {
    const std::string one = made_of(context, field->getType());
    if (one.empty() || (!all.empty() && one != all)) return {};
    all = one;
  }
  return all;
}

// A struct's name at file level; empty where it has none.
std::string record_name(clang::QualType written, const clang::RecordDecl* record) {
  if (const auto* alias = written->getAs<clang::TypedefType>())
    return alias->getDecl()->getDeclContext()->isTranslationUnit() ? alias->getDecl()->getNameAsString() : "";
  if (!record->getDeclContext()->isTranslationUnit()) return "";
  if (record->getDeclName()) return record->getKindName().str() + " " + record->getNameAsString();
  const clang::TypedefNameDecl* alias = record->getTypedefNameForAnonDecl();
  return alias ? alias->getNameAsString() : "";
}

}  // namespace

unsigned scalar_bytes(const std::string& scalar) {
  if (scalar == "char" || scalar == "uchar" || scalar == "bool") return 1;
  if (scalar == "short" || scalar == "ushort" || scalar == "half") return 2;
  return scalar == "int" || scalar == "uint" || scalar == "float" ? 4 : 8;
}

unsigned ValueType::element_bytes() const { return scalar_bytes(element); }

std::optional<ValueType> value_type(const clang::ASTContext& context, clang::QualType written) {
  ValueType type;
  const clang::QualType bare = plain(written);
  if (bare->isIncompleteType() || bare->isFunctionType()) return std::nullopt;
  type.bytes = static_cast<unsigned>(context.getTypeSizeInChars(bare).getQuantity());
  if (const auto scalar = scalar_name(bare)) {
    type.name = type.element = *scalar;
    return type;
  }
  if (const auto* vector = bare->getAs<clang::ExtVectorType>()) {
    const auto scalar = scalar_name(plain(vector->getElementType()));
    if (!scalar) return std::nullopt;
    type.element = *scalar;
    type.components = vector->getNumElements();
    type.name = *scalar + std::to_string(type.components);
    return type;
  }
  if (bare->isPointerType()) {  // kept in memory: a number as any other
    const clang::QualType target = bare->getPointeeType();
    const auto pointee = target->isPointerType() ? std::nullopt : value_type(context, target);
    if (!pointee || pointee->record) return std::nullopt;
    type.element = type.bytes == 8 ? "ulong" : "uint";
    type.name = pointee->name + (target.isConstQualified() ? " const" : "") +
                (target.isVolatileQualified() ? " volatile " : " ") + space_keyword(target.getAddressSpace()) + "*";
    type.pointer = true;
    return type;
  }
  const auto* record = bare->getAsRecordDecl();
  if (!record || type.bytes == 0) return std::nullopt;
  type.record = true;
  type.name = record_name(written.getUnqualifiedType(), record);
  if (type.name.empty()) return std::nullopt;
  type.element = made_of(context, bare);
  if (type.element.empty()) type.element = type.bytes % 8 == 0 ? "ulong" : type.bytes % 4 == 0 ? "uint" : "uchar";
  type.components = type.bytes / scalar_bytes(type.element);
  return type;
}

std::string space_name(clang::LangAS space) {
  switch (space) {
    case clang::LangAS::opencl_global:
    case clang::LangAS::opencl_global_device:
    case clang::LangAS::opencl_global_host: return "global";
    case clang::LangAS::opencl_local: return "local";
    case clang::LangAS::opencl_constant: return "constant";
    case clang::LangAS::opencl_generic: return "generic";
    default: return "private";
  }
}

std::string space_keyword(clang::LangAS space) { return "__" + space_name(space); }

std::string bits_of(const std::string& scalar, const std::string& value) {
  if (scalar == "float") return "(ulong)as_uint(" + value + ")";
  if (scalar == "double") return "as_ulong(" + value + ")";
  if (scalar == "half") return "(ulong)as_ushort(" + value + ")";
  if (scalar == "char") return "(ulong)(uchar)(" + value + ")";
  if (scalar == "short") return "(ulong)(ushort)(" + value + ")";
  if (scalar == "int") return "(ulong)(uint)(" + value + ")";
  return "(ulong)(" + value + ")";
}

std::string swizzle(const std::vector<unsigned>& components) {
  std::string text = ".s";
  for (const unsigned component : components) text += digits[component % 16];
  return text;
}

std::string log_value(const ValueType& type, const std::vector<unsigned>& components, const std::string& address,
                      const std::string& value, unsigned& chunk, const std::string& site) {
  const unsigned size = type.element_bytes();
  const auto put = [&](unsigned offset, const std::string& bits) {
    return "__tw_put(" + site + "," + address + (offset ? "+" + std::to_string(offset) : "") + "," + bits + ",l,t);";
  };
  if (type.record) {
    // Byte by byte, for a struct on the stack may have any alignment.
    chunk = type.bytes % 8 == 0 ? 8 : type.bytes % 4 == 0 ? 4 : size;
    const std::string step = std::to_string(chunk);
    return "{const __private uchar*b=(const __private uchar*)&" + value + ";for(uint k=0;k<" +
           std::to_string(type.bytes) + ";k+=" + step + "){ulong w=0;for(uint j=0;j<" + step +
           ";j++)w|=(ulong)b[k+j]<<(8*j);__tw_put(" + site + "," + address + "+k,w,l,t);}}";
  }
  std::string text;
  if (!components.empty()) {
    chunk = size;
    // The value has the chosen components alone.
    for (unsigned i = 0; i < components.size(); ++i)
      text += put(components[i] * size, bits_of(type.element, components.size() == 1 ? value : value + swizzle({i})));
    return text;
  }
  if (type.components == 1) {
    chunk = size;
    if (type.pointer) return put(0, "(ulong)" + value);
    return put(0, bits_of(type.element, value));
  }
  // As many components as a record holds; three do not fill theirs evenly.
  const unsigned together = type.components == 3 ? 1 : std::min(type.components, record_bytes / size);
  chunk = together * size;
  for (unsigned i = 0; i < type.components; i += together) {
    std::vector<unsigned> which;
    for (unsigned j = 0; j < together; ++j) which.push_back(i + j);
    const std::string part = together == type.components ? value : value + swizzle(which);
    if (together == 1)
      text += put(i * size, bits_of(type.element, part));
    else
      text += put(i * size, chunk == 8   ? "as_ulong(" + part + ")"
                            : chunk == 4 ? "(ulong)as_uint(" + part + ")"
                                         : "(ulong)as_ushort(" + part + ")");
  }
  return text;
}

std::string identifier_of(const std::string& text) {
  std::string made;
  for (const char c : text) made += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return made;
}

}  // namespace twiddle::rewriter
