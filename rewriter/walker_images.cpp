// Images: which of the launch's arguments an image or a sampler is goes along with it, and a call logs the coordinates as they
// are. Which texel that is depends on the image and the sampler; the reader of the log knows them.
#include "rewriter/walker.h"

#include <clang/AST/Attr.h>

#include <array>
#include <string_view>

namespace twiddle::rewriter {
namespace {

// Of a launch's arguments; one that is not known has the last number.
constexpr unsigned unknown_argument = 127;
// A sampler that is a literal: its bits with this one.
constexpr unsigned literal_sampler = 128;

bool is_read_only(const clang::ParmVarDecl* parameter) {
  const std::string type = parameter->getType().getUnqualifiedType().getAsString();
  return type.find("write") == std::string::npos;  // "__write_only image2d_t", "__read_write image2d_t"
}

std::string hidden_name(const clang::ParmVarDecl* parameter) {
  return "__tw_argument_" + std::to_string(parameter->getFunctionScopeIndex());
}

bool is_image_or_sampler(clang::QualType type) { return type->isImageType() || type->isSamplerT(); }

// An image's type as a call sees it, and how many coordinates it has of which kind. Others than these are not logged.
struct ImageType {
  const char* name;
  unsigned dimensions;
  bool array;
};
constexpr std::array<ImageType, 6> image_types{
    ImageType{"image1d_t", 1, false},      ImageType{"image2d_t", 2, false},
    ImageType{"image3d_t", 3, false},      ImageType{"image1d_buffer_t", 1, false},
    ImageType{"image1d_array_t", 1, true}, ImageType{"image2d_array_t", 2, true}};

const ImageType* image_type(const std::string& written) {
  for (const ImageType& type : image_types)
    if (written == type.name || (written.size() > std::string_view(type.name).size() &&
                                 written.compare(written.size() - std::string_view(type.name).size() - 1,
                                                 std::string::npos, std::string(" ") + type.name) == 0))
      return &type;
  return nullptr;
}

}  // namespace

std::string Walker::hidden_parameters(const clang::FunctionDecl* function) {
  std::string text;
  for (const clang::ParmVarDecl* parameter : function->parameters())
    if (is_image_or_sampler(parameter->getType())) text += "uint " + hidden_name(parameter) + ",";
  return text;
}

std::string Walker::hidden_arguments(const clang::CallExpr* call) const {
  std::string text;
  for (const clang::Expr* argument : call->arguments())
    if (is_image_or_sampler(argument->getType())) text += argument_number(argument) + ",";
  return text;
}

bool Walker::takes_images(const clang::FunctionDecl* function) {
  for (const clang::ParmVarDecl* parameter : function->parameters())
    if (parameter->getType()->isImageType()) return true;
  return false;
}

bool Walker::image_is_read_only(const clang::ParmVarDecl* parameter) { return is_read_only(parameter); }

// Which argument of the launch an image or a sampler is; of a sampler that the program has itself, what it says.
std::string Walker::argument_number(const clang::Expr* expression) const {
  const clang::Expr* bare = expression->IgnoreParenImpCasts();
  clang::Expr::EvalResult result;
  if (bare->getType()->isIntegerType() && bare->EvaluateAsInt(result, context_))
    return std::to_string(literal_sampler | (result.Val.getInt().getExtValue() & 0x3f));
  const auto* named = clang::dyn_cast<clang::DeclRefExpr>(bare);
  const auto* variable = named ? clang::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
  if (const auto* parameter = clang::dyn_cast_or_null<clang::ParmVarDecl>(variable)) {
    if (!in_kernel_) return hidden_name(parameter);
    return std::to_string(std::min(parameter->getFunctionScopeIndex(), unknown_argument));
  }
  if (variable && variable->hasInit()) {
    const clang::Expr* value = variable->getInit()->IgnoreParenImpCasts();
    if (value->getType()->isSamplerT()) return argument_number(value);
    if (value->EvaluateAsInt(result, context_))
      return std::to_string(literal_sampler | (result.Val.getInt().getExtValue() & 0x3f));
  }
  return std::to_string(unknown_argument);
}

bool Walker::image_call(const clang::CallExpr* call, const std::string& name) {
  if (call->getNumArgs() == 0 || !call->getArg(0)->getType()->isImageType()) return false;
  if (name.compare(0, 10, "get_image_") == 0) return true;  // asks what it is, and touches no texel
  const bool reads = name.compare(0, 10, "read_image") == 0, writes = name.compare(0, 11, "write_image") == 0;
  const std::string kind =
      name.substr(name.size() - (name.size() > 2 && name.compare(name.size() - 2, 2, "ui") == 0 ? 2 : 1));
  const std::string written = call->getArg(0)->getType().getUnqualifiedType().getAsString();
  const ImageType* type = image_type(written);
  const bool sampled = reads && call->getNumArgs() == 3 && call->getArg(1)->getType()->isSamplerT();
  const bool as_wanted = (reads && (sampled || call->getNumArgs() == 2)) || (writes && call->getNumArgs() == 3);
  const unsigned where = sampled ? 2 : 1;
  const auto value =
      as_wanted ? value_type(context_, writes ? call->getArg(2)->getType() : call->getType()) : std::nullopt;
  const auto coordinates = as_wanted ? value_type(context_, call->getArg(where)->getType()) : std::nullopt;
  if (!type || !value || value->components != 4 || !coordinates ||
      (coordinates->element != "int" && coordinates->element != "float") ||
      coordinates->components < type->dimensions + type->array) {
    unlogged(call, "what " + name + "() does with an image of this kind is not logged");
    return true;
  }
  const bool half = kind == "h", fractions = coordinates->element == "float";

  Site site;
  site.kind = reads ? "load" : "store";
  site.space = "global";
  site.type = value->element;
  site.components = 4;
  site.chunk = half ? 2 : 4;
  site.texel = std::to_string(type->dimensions) + (type->array ? "a" : "") + (fractions ? "f" : "") + (half ? "h" : "");

  const std::string suffix = "_" + identifier_of(written) + (sampled ? "_sampled_" : "_") + coordinates->name;
  const std::string wrapper = "__tw_" + name + suffix, at = writes ? "a1" : sampled ? "a2" : "a1";
  std::array<std::string, 3> word{"0u", "0u", "0u"};
  for (unsigned i = 0; i < type->dimensions + type->array; ++i) {
    const std::string one = coordinates->components == 1 ? at : at + swizzle({i});
    word[i] = fractions ? "as_uint(" + one + ")" : "(uint)" + one;
  }
  const std::string v = writes ? "a2" : "v";
  std::string log = "__tw_texel(s,k,q," + word[0] + "," + word[1] + "," + word[2] + ",l,t);";
  if (half)
    log += "__tw_put(s,0,as_ulong(" + v + "),l,t);";
  else
    log += "__tw_put(s,0,as_ulong(" + v + ".s01),l,t);__tw_put(s,0,as_ulong(" + v + ".s23),l,t);";
  const std::string parameters = written + " a0," + (sampled ? "sampler_t a1," : "") + coordinates->name + " " + at +
                                 (writes ? "," + value->name + " a2" : "") + ",uint k,uint q," + log_parameters;
  const std::string arguments = std::string("a0,") + (sampled ? "a1," : "") + at + (writes ? ",a2" : "");
  add_wrapper(wrapper,
              reads ? value->name + " " + wrapper + "(" + parameters + "){" + value->name + " v=" + name + "(" +
                          arguments + ");" + log + "return v;}"
                    : "void " + wrapper + "(" + parameters + "){" + name + "(" + arguments + ");" + log + "}",
              false);
  const std::string sampler = sampled ? argument_number(call->getArg(1)) : std::to_string(literal_sampler | 0x10);
  replace_call(call, wrapper, argument_number(call->getArg(0)) + "," + sampler + "," + add_site(call, site));
  return true;
}

}  // namespace twiddle::rewriter
