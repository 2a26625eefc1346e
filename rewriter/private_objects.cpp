#include "rewriter/private_objects.h"

namespace twiddle::rewriter {

void PrivateObjects::add(const clang::FunctionDecl*) {}
void PrivateObjects::finish() {}
bool PrivateObjects::logged(const clang::VarDecl*) const { return false; }
bool PrivateObjects::logged(const clang::Expr*) const { return false; }
const clang::VarDecl* PrivateObjects::named(const clang::Expr* lvalue) {
  for (const clang::Expr* e = lvalue->IgnoreParens();;) {
    if (const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(e))
      e = subscript->getBase()->IgnoreParens();
    else if (const auto* member = clang::dyn_cast<clang::MemberExpr>(e); member && !member->isArrow())
      e = member->getBase()->IgnoreParens();
    else if (const auto* cast = clang::dyn_cast<clang::ImplicitCastExpr>(e);
             cast && cast->getCastKind() == clang::CK_ArrayToPointerDecay)
      e = cast->getSubExpr()->IgnoreParens();
    else if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(e))
      return clang::dyn_cast<clang::VarDecl>(name->getDecl());
    else
      return nullptr;
  }
}

}  // namespace twiddle::rewriter
