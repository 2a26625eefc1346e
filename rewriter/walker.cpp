#include "rewriter/walker.h"

#include "rewriter/device_text.h"

#include <clang/AST/Attr.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace twiddle::rewriter {
namespace {

constexpr std::size_t max_sites = std::size_t(1) << 17;  // that a record can tell apart

}  // namespace

Walker::Walker(clang::ASTContext& context, const FlatSource& flat, const std::string& code)
    : context_(context), sources_(context.getSourceManager()), flat_(flat), code_(code), private_(context) {}

// ---- places ------------------------------------------------------------------------------------------------------------

std::size_t Walker::at(clang::SourceLocation location) const {
  return sources_.getFileOffset(sources_.getExpansionLoc(location));
}

std::size_t Walker::behind(clang::SourceLocation location) const {
  const clang::SourceLocation last = location.isMacroID() ? sources_.getExpansionRange(location).getEnd() : location;
  return sources_.getFileOffset(last) + clang::Lexer::MeasureTokenLength(last, sources_, context_.getLangOpts());
}

// Of (float4)(x) clang forgets the last bracket.
std::size_t Walker::end(const clang::Stmt* statement) const {
  const std::size_t from = begin(statement), to = behind(statement->getEndLoc());
  if (!clang::isa<clang::Expr>(statement)) return to;
  const std::string& text = flat_.text;
  int open = 0;
  for (std::size_t i = from; i < to; ++i) {
    if (text[i] == '(') ++open;
    if (text[i] == ')') --open;
    if (text[i] == '"' || text[i] == '\'')
      for (const char quote = text[i]; ++i < to && text[i] != quote;)
        if (text[i] == '\\') ++i;
  }
  std::size_t end = to;
  for (std::size_t i = to; open > 0 && i < text.size(); ++i) {
    if (text[i] == ')') {
      --open;
      end = i + 1;
    } else if (text[i] != ' ' && text[i] != '\n') {
      break;
    }
  }
  return end;
}

void Walker::wrap(const clang::Expr* expression, std::string before, std::string after) {
  edits_.open(begin(expression), std::move(before));
  edits_.close(end(expression), std::move(after));
}

std::string Walker::flat_text(const clang::Stmt* statement) const {
  const std::size_t from = begin(statement), to = end(statement);
  return from < to ? flat_.text.substr(from, to - from) : std::string();
}

std::string Walker::add_site(const clang::Stmt* statement, Site site) {
  site.at = written_at(flat_, begin(statement));
  site.text = written_text(flat_, code_, begin(statement), end(statement));
  if (function_) site.function = function_->getNameAsString();
  description_.sites.push_back(std::move(site));
  if (description_.sites.size() > max_sites)
    why_not_ = "it has more than " + std::to_string(max_sites) + " places that access memory";
  return std::to_string(description_.sites.size() - 1);
}

void Walker::unlogged(const clang::Stmt* statement, const std::string& reason) {
  description_.unlogged.push_back(
      {written_at(flat_, begin(statement)), reason, function_ ? function_->getNameAsString() : std::string()});
}

// By place, for a program may define a function that is also a builtin one.
bool Walker::of_the_program(const clang::Decl* declaration) const {
  if (declaration->isImplicit()) return false;
  return sources_.isInMainFile(sources_.getExpansionLoc(declaration->getLocation()));
}

// Attributes may come before what clang calls a declaration's beginning, so the end of the one before it is looked for.
std::size_t Walker::before_declaration(std::size_t offset) const {
  const std::size_t end = flat_.text.find_last_of(";}", offset == 0 ? 0 : offset - 1);
  std::size_t found = end == std::string::npos || end >= offset ? 0 : end + 1;
  // Behind #pragma and #line lines, whose words may be anything.
  for (std::size_t line = flat_.text.find("\n#", found); line != std::string::npos && line < offset;
       line = flat_.text.find("\n#", found))
    found = std::min(flat_.text.find('\n', line + 1), offset);
  return found;
}

// ---- the program -------------------------------------------------------------------------------------------------------

bool Walker::run() {
  std::vector<const clang::FunctionDecl*> functions;
  for (const clang::Decl* declaration : context_.getTranslationUnitDecl()->decls())
    if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(declaration); function && of_the_program(function))
      functions.push_back(function);
  std::vector<const clang::FunctionDecl*> definitions;
  for (const clang::FunctionDecl* function : functions)
    if (function->isThisDeclarationADefinition()) definitions.push_back(function);
  for (const clang::FunctionDecl* function : definitions) private_.add(function);
  led_ = led_by_floats(definitions);
  collect_variables();
  for (const clang::FunctionDecl* function : functions) top_level(function);
  for (Kernel& kernel : description_.kernels) collect_functions(kernel);
  return why_not_.empty();
}

void Walker::collect_functions(Kernel& kernel) const {
  kernel.functions = {kernel.name};
  for (std::vector<std::string> next{kernel.name}; !next.empty();) {
    const auto calls = calls_.find(next.back());
    next.pop_back();
    if (calls == calls_.end()) continue;
    for (const std::string& callee : calls->second)
      if (kernel.functions.insert(callee).second) next.push_back(callee);
  }
}

// Arrays in constant memory, and every variable in global memory.
void Walker::collect_variables() {
  for (const clang::Decl* declaration : context_.getTranslationUnitDecl()->decls()) {
    const auto* variable = clang::dyn_cast<clang::VarDecl>(declaration);
    if (!variable || !of_the_program(variable) || !variable->isThisDeclarationADefinition()) continue;
    const clang::QualType type = variable->getType();
    const std::string space = space_name(type.getAddressSpace());
    if (space != "global" && !(space == "constant" && (type->isArrayType() || type->isRecordType()))) continue;
    Variable one;
    one.space = space;
    one.name = variable->getNameAsString();
    one.initialised = variable->hasInit() || space == "global";  // OpenCL C zeroes what is in global memory
    one.bytes = static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
    const auto element = value_type(context_, context_.getBaseElementType(type));
    one.type = element ? element->element : "";
    one.element_bytes = element ? element->bytes : 1;
    one.slot = description_.bases++;
    variables_[variable->getCanonicalDecl()] = static_cast<int>(description_.variables.size());
    description_.variables.push_back(std::move(one));
    program_variables_.push_back(variable);
  }
}

void Walker::top_level(const clang::FunctionDecl* function) {
  const bool kernel = function->hasAttr<clang::OpenCLKernelAttr>();
  const auto type = function->getTypeSourceInfo()
                        ? function->getTypeSourceInfo()->getTypeLoc().getAsAdjusted<clang::FunctionTypeLoc>()
                        : clang::FunctionTypeLoc();
  if (!type) {
    why_not_ = "function " + function->getNameAsString() + " has no parameter list of its own";
    return;
  }
  const std::string hidden = kernel
                                 ? "__global ulong*__tw_log"
                                 : hidden_parameters(function) + "__global ulong*__tw_log,__private __tw_item*__tw_me";
  const std::size_t open = behind(type.getLParenLoc()), close = at(type.getRParenLoc());
  if (function->getNumParams() == 0)
    edits_.replace(open, close, hidden);  // "(void)", too
  else
    edits_.close(close, "," + hidden);
  if (!function->isThisDeclarationADefinition()) return;

  function_ = function;
  in_kernel_ = kernel;
  temporaries_.clear();
  local_wrappers_.clear();
  std::string start;
  if (kernel) prepare_kernel(function, start);
  for (const clang::ParmVarDecl* parameter : function->parameters())
    if (private_.logged(parameter)) declare(nullptr, parameter);
  const auto* body = clang::cast<clang::CompoundStmt>(function->getBody());
  children(body);
  edits_.open(behind(body->getLBracLoc()), start + temporaries_);
  if (kernel) edits_.close(at(body->getRBracLoc()), "__tw_end(__tw_log,__tw_me);");
  if (!local_wrappers_.empty()) {
    const std::size_t before =
        before_declaration(begin(body) < at(function->getBeginLoc()) ? begin(body) : at(function->getBeginLoc()));
    edits_.open(before, "\n" + local_wrappers_ + "\n");
  }
  function_ = nullptr;
}

// What a kernel begins with: its place in the log, and where its memory is.
void Walker::prepare_kernel(const clang::FunctionDecl* function, std::string& start) {
  Kernel kernel;
  kernel.name = function->getNameAsString();
  kernel.led = led_.count(function) > 0;
  start = "__tw_item __tw_i;__private __tw_item*const __tw_me=&__tw_i;__tw_begin(__tw_log,__tw_me);";
  std::string bases;
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    Parameter one;
    one.name = parameter->getNameAsString();
    one.space = "value";
    if (parameter->getType()->isImageType()) {
      one.space = "image";
      one.read_only = image_is_read_only(parameter);
    }
    if (parameter->getType()->isPointerType()) {
      const clang::QualType target = parameter->getType()->getPointeeType();
      one.space = space_name(target.getAddressSpace());
      one.read_only = one.space == "constant" || target.isConstQualified();
      const bool local = one.space == "local";
      one.slot = local ? description_.group_bases++ : description_.bases++;
      const std::string slot = std::to_string(one.slot);
      if (!one.name.empty())
        (local ? start : bases) += (local ? "__tw_group_base(__tw_log,TW_GROUP_BASES," : "__tw_base(__tw_log,") + slot +
                                   ",(ulong)" + one.name + ");";
    }
    kernel.parameters.push_back(std::move(one));
  }
  // In a function of its own, for a parameter may have the name of a variable of the program's.
  std::string variables;
  for (const clang::VarDecl* variable : program_variables_)
    if (at(variable->getBeginLoc()) < at(function->getBeginLoc()))
      variables += "__tw_base(l," +
                   std::to_string(description_.variables[variables_.at(variable->getCanonicalDecl())].slot) +
                   ",(ulong)&" + variable->getNameAsString() + ");";
  if (!variables.empty()) {
    local_wrappers_ += "static inline void __tw_bases_" + kernel.name + "(__global ulong*l){" + variables + "}\n";
    bases += "__tw_bases_" + kernel.name + "(__tw_log);";
  }
  if (!bases.empty()) start += "if(__tw_first()){" + bases + "}";
  description_.kernels.push_back(std::move(kernel));
}

std::string Walker::text() const {
  // Where the program asks for an extension, what is generated before that needs it too. Elsewhere nothing is enabled: that
  // may change the type of constants.
  std::string pragmas;
  for (const char* name : {"cl_khr_fp64", "cl_khr_fp16", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics",
                           "cl_khr_3d_image_writes"})
    if (flat_.text.find(name) != std::string::npos)
      pragmas += "#ifdef " + std::string(name) + "\n#pragma OPENCL EXTENSION " + name + " : enable\n#endif\n";
  return pragmas + "#define TW_GROUP_BASES " + std::to_string(description_.group_bases) + "\n" + device_text +
         wrappers_ + "#line 1\n" + edits_.apply(flat_.text);
}

// ---- statements --------------------------------------------------------------------------------------------------------

void Walker::children(const clang::Stmt* statement) {
  if (statement)
    for (const clang::Stmt* child : statement->children()) visit(child);
}

void Walker::visit(const clang::Stmt* statement) {
  if (!statement || !why_not_.empty()) return;
  if (clang::isa<clang::UnaryExprOrTypeTraitExpr>(statement)) return;  // not evaluated
  if (clang::isa<clang::Expr>(statement) && !visited_.insert(statement).second) return;
  if (clang::isa<clang::BlockExpr>(statement)) {
    why_not_ = "line " + std::to_string(written_at(flat_, begin(statement)).line) + " starts kernels from a kernel";
    return;
  }
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(statement);
      cast && cast->getCastKind() == clang::CK_LValueToRValue)
    return load(cast->getSubExpr());
  // What these are of is read without a conversion that says so.
  if (clang::isa<clang::AsTypeExpr, clang::ConvertVectorExpr, clang::ShuffleVectorExpr>(statement)) {
    for (const clang::Stmt* child : statement->children())
      if (const auto* read = clang::dyn_cast<clang::Expr>(child); read && read->isGLValue())
        load(read);
      else
        visit(child);
    return;
  }
  if (const auto* both = clang::dyn_cast<clang::CompoundAssignOperator>(statement))
    return modify(both, both->getLHS(), both->getRHS(), false);
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(statement);
      binary && binary->getOpcode() == clang::BO_Assign)
    return store(binary);
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(statement); unary && unary->isIncrementDecrementOp())
    return modify(unary, unary->getSubExpr(), nullptr, unary->isPostfix());
  if (const auto* one = clang::dyn_cast<clang::CallExpr>(statement)) return call(one);
  if (const auto* left = clang::dyn_cast<clang::ReturnStmt>(statement); left && in_kernel_) return leave_kernel(left);
  if (const auto* loop = clang::dyn_cast<clang::ForStmt>(statement)) in_for_head_ = loop->getInit();
  if (const auto* declared = clang::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl* declaration : declared->decls())
      if (const auto* variable = clang::dyn_cast<clang::VarDecl>(declaration)) {
        if (variable->hasInit()) visit(variable->getInit());
        if (declared != in_for_head_) declare(declared, variable);  // there is no place behind it there
      }
    return;
  }
  children(statement);
}

void Walker::leave_kernel(const clang::ReturnStmt* statement) {
  const clang::SourceLocation behind_it = clang::Lexer::findLocationAfterToken(statement->getEndLoc(), clang::tok::semi,
                                                                               sources_, context_.getLangOpts(), false);
  if (behind_it.isInvalid()) {
    why_not_ = "a return statement's end was not found";
    return;
  }
  edits_.open(begin(statement), "{__tw_end(__tw_log,__tw_me);");
  edits_.close(at(behind_it), "}");
  children(statement);
}

// Notes where an array is, right behind its declaration; of a parameter at the start of the body.
void Walker::declare(const clang::DeclStmt* statement, const clang::VarDecl* variable) {
  const bool local = variable->getType().getAddressSpace() == clang::LangAS::opencl_local;
  if (!local && !private_.logged(variable)) return;
  Variable one;
  one.space = local ? "local" : "private";
  one.name = variable->getNameAsString();
  one.function = function_->getNameAsString();
  one.bytes = static_cast<std::uint64_t>(context_.getTypeSizeInChars(variable->getType()).getQuantity());
  const auto element = value_type(context_, context_.getBaseElementType(variable->getType()));
  one.type = element ? element->element : "";
  one.element_bytes = element ? element->bytes : 1;
  one.initialised = variable->hasInit() || clang::isa<clang::ParmVarDecl>(variable);
  std::string text;
  if (local) {
    one.slot = description_.group_bases++;
    text = "__tw_group_base(__tw_log,TW_GROUP_BASES," + std::to_string(one.slot) + ",(ulong)&" + one.name + ");";
  } else {
    Site site;
    site.kind = "declare";
    site.space = "private";
    site.type = one.type;
    site.variable = static_cast<int>(description_.variables.size());
    site.at = written_at(flat_, at(variable->getLocation()));
    site.function = one.function;
    one.site = static_cast<int>(description_.sites.size());
    description_.sites.push_back(std::move(site));
    text = "__tw_put(" + std::to_string(one.site) + ",(ulong)&" + one.name + ",0,__tw_log,__tw_me);";
  }
  variables_[variable->getCanonicalDecl()] = static_cast<int>(description_.variables.size());
  description_.variables.push_back(std::move(one));
  if (statement)
    edits_.close(end(statement), text);
  else
    temporaries_ += text;
}

}  // namespace twiddle::rewriter
