// Which private variables are logged: arrays that a work-item indexes, and what a pointer to one may point to as well.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <map>
#include <set>

namespace twiddle::rewriter {

/// Variables that pointers may mix up are all logged or not at all, so that what is written through the one name is known when
/// it is read through the other. Pointers are followed through assignments and calls, without regard to their order.
class PrivateObjects {
 public:
  /// Looks at a function with a body; all of them before the first question.
  void add(const clang::FunctionDecl* function);
  void finish();

  bool logged(const clang::VarDecl* variable) const;
  /// Whether what a pointer, or an lvalue in private memory, refers to is logged.
  bool logged(const clang::Expr* expression) const;
  /// The array or struct that an lvalue names without a pointer in between.
  static const clang::VarDecl* named(const clang::Expr* lvalue);
};

}  // namespace twiddle::rewriter
