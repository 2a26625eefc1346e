#include "rewriter/data_ways.h"

#include <clang/AST/Expr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <map>

namespace twiddle::rewriter {
namespace {

// What one function does, and which it calls.
class Ways : public clang::RecursiveASTVisitor<Ways> {
 public:
  explicit Ways(const std::set<const clang::FunctionDecl*>& defined) : defined_(defined) {}
  bool led() const { return led_; }
  const std::set<const clang::FunctionDecl*>& callees() const { return callees_; }

  bool VisitCastExpr(clang::CastExpr* cast) {
    const clang::QualType from = cast->getSubExpr()->getType(), to = cast->getType();
    if (floats(from) && !floats(to) && !to->isVoidType()) led_ = true;
    // Memory that holds floating values, taken for other ones.
    if (from->isPointerType() && to->isPointerType() && floats(from->getPointeeType()) != floats(to->getPointeeType()))
      led_ = true;
    return !led_;
  }
  bool VisitAsTypeExpr(clang::AsTypeExpr* bits) { return lead(floats(bits->getSrcExpr()->getType())); }
  bool VisitMemberExpr(clang::MemberExpr* member) {
    const auto* field = clang::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    return lead(field && field->getParent()->isUnion() && may_hold_floats(field->getParent()));
  }
  bool VisitBinaryOperator(clang::BinaryOperator* binary) {
    return lead((binary->isComparisonOp() || binary->isLogicalOp()) &&
                (floats(binary->getLHS()->getType()) || floats(binary->getRHS()->getType())));
  }
  bool VisitUnaryOperator(clang::UnaryOperator* unary) {
    return lead(unary->getOpcode() == clang::UO_LNot && floats(unary->getSubExpr()->getType()));
  }
  bool VisitIfStmt(clang::IfStmt* one) { return condition(one->getCond()); }
  bool VisitWhileStmt(clang::WhileStmt* one) { return condition(one->getCond()); }
  bool VisitDoStmt(clang::DoStmt* one) { return condition(one->getCond()); }
  bool VisitForStmt(clang::ForStmt* one) { return condition(one->getCond()); }
  bool VisitConditionalOperator(clang::ConditionalOperator* one) { return condition(one->getCond()); }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee) return lead(true);
    const clang::FunctionDecl* definition = callee->getDefinition();
    if (definition && defined_.count(definition)) {
      callees_.insert(definition);
      return true;
    }
    // A builtin function whose floating arguments leave whole numbers: isnan, convert_int, frexp.
    const bool takes = std::any_of(call->arg_begin(), call->arg_end(),
                                   [](const clang::Expr* argument) { return floats(argument->getType()); });
    const bool stores = std::any_of(call->arg_begin(), call->arg_end(), [](const clang::Expr* argument) {
      const clang::QualType type = argument->getType();
      return type->isPointerType() && type->getPointeeType()->hasIntegerRepresentation();
    });
    return lead(takes && (stores || call->getType()->hasIntegerRepresentation()));
  }

 private:
  static bool floats(clang::QualType type) { return type->hasFloatingRepresentation(); }
  static bool may_hold_floats(const clang::RecordDecl* record) {
    return std::any_of(record->field_begin(), record->field_end(), [](const clang::FieldDecl* field) {
      const clang::Type* element = field->getType()->getBaseElementTypeUnsafe();
      return !element->hasIntegerRepresentation();
    });
  }
  bool condition(const clang::Expr* one) { return lead(one && floats(one->getType())); }
  bool lead(bool is) {
    led_ = led_ || is;
    return !led_;
  }

  const std::set<const clang::FunctionDecl*>& defined_;
  std::set<const clang::FunctionDecl*> callees_;
  bool led_ = false;
};

}  // namespace

std::set<const clang::FunctionDecl*> led_by_floats(const std::vector<const clang::FunctionDecl*>& definitions) {
  const std::set<const clang::FunctionDecl*> defined(definitions.begin(), definitions.end());
  std::set<const clang::FunctionDecl*> led;
  std::map<const clang::FunctionDecl*, std::set<const clang::FunctionDecl*>> calls;
  for (const clang::FunctionDecl* function : definitions) {
    Ways ways(defined);
    ways.TraverseStmt(function->getBody());
    if (ways.led()) led.insert(function);
    calls[function] = ways.callees();
  }
  for (bool more = true; more;) {
    more = false;
    for (const auto& [function, callees] : calls)
      if (!led.count(function) &&
          std::any_of(callees.begin(), callees.end(), [&](const auto* one) { return led.count(one) > 0; }))
        more = led.insert(function).second || more;
  }
  return led;
}

}  // namespace twiddle::rewriter
