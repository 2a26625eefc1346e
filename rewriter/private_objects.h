// Which private variables are logged: arrays that a work-item indexes, and what a pointer to one may point to as well.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <map>
#include <vector>

namespace twiddle::rewriter {

/// Variables that pointers may mix up are all logged or not at all, so that what is written through one name is known when it
/// is read through another. Pointers are followed through assignments and calls, without regard to their order: memory is
/// divided into classes, and what one pointer may point to is one class (after Steensgaard, "Points-to analysis in almost
/// linear time", 1996). Members of a struct are of its own class.
class PrivateObjects {
 public:
  explicit PrivateObjects(const clang::ASTContext& context) : context_(context) {}

  /// Looks at a function with a body; at all of them before the first question.
  void add(const clang::FunctionDecl* function);

  bool logged(const clang::VarDecl* variable);
  /// Whether what an lvalue names, or a pointer points to, is logged; in generic memory that may be anything, in private
  /// memory a variable.
  bool logged(const clang::Expr* expression);
  /// The variable that an lvalue is part of without a pointer in between; null: there is none.
  static const clang::VarDecl* named(const clang::Expr* lvalue);

 private:
  using Class = int;
  static constexpr Class unknown = -1;

  void look_at(const clang::Stmt* statement);
  void look_at_call(const clang::CallExpr* call);
  void assign(Class target_of, clang::QualType type, const clang::Expr* value);
  Class variable(const clang::VarDecl* variable);
  Class storage(const clang::Expr* lvalue);
  Class pointed_to(const clang::Expr* pointer);
  Class target(Class holder);
  Class fresh();
  Class root(Class one);
  void join(Class a, Class b);

  struct Memory {
    Class parent, target = unknown;
    bool holds_array = false;  // a private variable that is an array, or has one
    bool indexed = false;      // by a number that is not constant, or through a pointer
    bool foreign = false;      // memory of groups, or of all
  };
  const clang::ASTContext& context_;
  std::vector<Memory> classes_;
  std::map<const clang::VarDecl*, Class> variables_;
  std::map<const clang::FunctionDecl*, Class> returned_;
  const clang::FunctionDecl* function_ = nullptr;
};

}  // namespace twiddle::rewriter
