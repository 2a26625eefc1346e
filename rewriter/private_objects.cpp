#include "rewriter/private_objects.h"

#include <clang/AST/Stmt.h>

#include <algorithm>

namespace twiddle::rewriter {
namespace {

bool is_private(clang::QualType type) {
  return type.getAddressSpace() == clang::LangAS::Default || type.getAddressSpace() == clang::LangAS::opencl_private;
}

bool has_array(clang::QualType type) {
  if (type->isArrayType()) return true;
  const auto* record = type->getAsRecordDecl();
  return record && std::any_of(record->field_begin(), record->field_end(),
                               [](const clang::FieldDecl* field) { return has_array(field->getType()); });
}

// The array of a[3], where 3 is one of its elements.
const clang::Expr* array_at_constant(const clang::Expr* expression, const clang::ASTContext& context) {
  const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(expression);
  if (!subscript) return nullptr;
  const auto* decay = clang::dyn_cast<clang::ImplicitCastExpr>(subscript->getBase()->IgnoreParens());
  if (!decay || decay->getCastKind() != clang::CK_ArrayToPointerDecay) return nullptr;
  const auto* array = context.getAsConstantArrayType(decay->getSubExpr()->getType());
  clang::Expr::EvalResult index;
  if (!array || !subscript->getIdx()->EvaluateAsInt(index, context)) return nullptr;
  const std::int64_t number = index.Val.getInt().getExtValue();
  const bool inside = number >= 0 && static_cast<std::uint64_t>(number) < array->getSize().getZExtValue();
  return inside ? decay->getSubExpr() : nullptr;
}

}  // namespace

// ---- classes -----------------------------------------------------------------------------------------------------------

PrivateObjects::Class PrivateObjects::fresh() {
  const auto number = static_cast<Class>(classes_.size());
  classes_.push_back({number});
  return number;
}

PrivateObjects::Class PrivateObjects::root(Class one) {
  while (classes_[one].parent != one) one = classes_[one].parent = classes_[classes_[one].parent].parent;
  return one;
}

void PrivateObjects::join(Class a, Class b) {
  while (a != unknown && b != unknown) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    classes_[b].parent = a;
    classes_[a].holds_array |= classes_[b].holds_array;
    classes_[a].indexed |= classes_[b].indexed;
    classes_[a].foreign |= classes_[b].foreign;
    // What their pointers point to is one class, too.
    const Class other = classes_[b].target;
    if (classes_[a].target == unknown) {
      classes_[a].target = other;
      return;
    }
    a = classes_[a].target;
    b = other;
  }
}

PrivateObjects::Class PrivateObjects::target(Class holder) {
  if (holder == unknown) return unknown;
  holder = root(holder);
  if (classes_[holder].target == unknown) {
    const Class made = fresh();
    classes_[holder].target = made;
  }
  return root(classes_[holder].target);
}

PrivateObjects::Class PrivateObjects::variable(const clang::VarDecl* variable) {
  const auto [at, is_new] = variables_.emplace(variable->getCanonicalDecl(), unknown);
  if (is_new) {
    const Class made = fresh();
    at->second = made;
    classes_[made].holds_array = is_private(variable->getType()) && has_array(variable->getType());
    classes_[made].foreign = !is_private(variable->getType());
  }
  return root(at->second);
}

// The class of the memory that an lvalue names.
PrivateObjects::Class PrivateObjects::storage(const clang::Expr* lvalue) {
  lvalue = lvalue->IgnoreParens();
  if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(lvalue)) {
    const auto* declared = clang::dyn_cast<clang::VarDecl>(name->getDecl());
    return declared ? variable(declared) : unknown;
  }
  if (const auto* member = clang::dyn_cast<clang::MemberExpr>(lvalue))
    return member->isArrow() ? pointed_to(member->getBase()) : storage(member->getBase());
  if (const auto* components = clang::dyn_cast<clang::ExtVectorElementExpr>(lvalue))
    return components->isArrow() ? pointed_to(components->getBase()) : storage(components->getBase());
  if (const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(lvalue))
    return subscript->getBase()->getType()->isVectorType() ? storage(subscript->getBase())
                                                           : pointed_to(subscript->getBase());
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(lvalue); unary && unary->getOpcode() == clang::UO_Deref)
    return pointed_to(unary->getSubExpr());
  return unknown;
}

// The class of the memory that a pointer points to.
PrivateObjects::Class PrivateObjects::pointed_to(const clang::Expr* pointer) {
  pointer = pointer->IgnoreParens();
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(pointer)) {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) return storage(cast->getSubExpr());
    if (cast->getCastKind() == clang::CK_LValueToRValue) return target(storage(cast->getSubExpr()));
    if (!cast->getSubExpr()->getType()->isPointerType()) return unknown;
    return pointed_to(cast->getSubExpr());
  }
  if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(pointer)) {
    if (unary->getOpcode() == clang::UO_AddrOf) return storage(unary->getSubExpr());
    if (unary->isIncrementDecrementOp()) return target(storage(unary->getSubExpr()));
    return unknown;
  }
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(pointer)) {
    if (binary->isCompoundAssignmentOp()) return target(storage(binary->getLHS()));
    if (binary->isAssignmentOp() || binary->getOpcode() == clang::BO_Comma) return pointed_to(binary->getRHS());
    return pointed_to(binary->getLHS()->getType()->isPointerType() ? binary->getLHS() : binary->getRHS());
  }
  if (const auto* either = clang::dyn_cast<clang::ConditionalOperator>(pointer)) {
    const Class a = pointed_to(either->getTrueExpr()), b = pointed_to(either->getFalseExpr());
    join(a, b);
    return a == unknown ? b : a;
  }
  if (const auto* call = clang::dyn_cast<clang::CallExpr>(pointer))
    if (const clang::FunctionDecl* callee = call->getDirectCallee()) {
      const auto [at, is_new] = returned_.emplace(callee->getCanonicalDecl(), unknown);
      if (is_new) at->second = fresh();
      return target(at->second);
    }
  return unknown;
}

// ---- the program -------------------------------------------------------------------------------------------------------

void PrivateObjects::add(const clang::FunctionDecl* function) {
  function_ = function;
  look_at(function->getBody());
}

// A value goes to memory of class `holder`: what its pointers point to is what the memory's do.
void PrivateObjects::assign(Class holder, clang::QualType type, const clang::Expr* value) {
  if (holder == unknown) return;
  if (const auto* list = clang::dyn_cast<clang::InitListExpr>(value->IgnoreParenImpCasts())) {
    for (const clang::Expr* one : list->inits())
      if (one) assign(holder, one->getType(), one);
    return;
  }
  if (type->isPointerType())
    join(target(holder), pointed_to(value));
  else if (type->isRecordType() && value->IgnoreParenImpCasts()->isLValue())
    join(target(holder), target(storage(value->IgnoreParenImpCasts())));
}

void PrivateObjects::look_at_call(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const clang::FunctionDecl* defined = callee ? callee->getDefinition() : nullptr;
  if (!defined) return;
  for (unsigned i = 0; i < call->getNumArgs() && i < defined->getNumParams(); ++i)
    assign(variable(defined->getParamDecl(i)), call->getArg(i)->getType(), call->getArg(i));
}

void PrivateObjects::look_at(const clang::Stmt* statement) {
  if (!statement || clang::isa<clang::UnaryExprOrTypeTraitExpr>(statement)) return;
  if (const auto* declared = clang::dyn_cast<clang::DeclStmt>(statement))
    for (const clang::Decl* declaration : declared->decls())
      if (const auto* one = clang::dyn_cast<clang::VarDecl>(declaration); one && one->hasInit())
        assign(variable(one), one->getType(), one->getInit());
  if (const auto* binary = clang::dyn_cast<clang::BinaryOperator>(statement);
      binary && binary->getOpcode() == clang::BO_Assign)
    assign(storage(binary->getLHS()), binary->getLHS()->getType(), binary->getRHS());
  if (const auto* call = clang::dyn_cast<clang::CallExpr>(statement)) look_at_call(call);
  if (const auto* back = clang::dyn_cast<clang::ReturnStmt>(statement); back && back->getRetValue()) {
    const auto [at, is_new] = returned_.emplace(function_->getCanonicalDecl(), unknown);
    if (is_new) at->second = fresh();
    assign(at->second, back->getRetValue()->getType(), back->getRetValue());
  }
  if (const auto* cast = clang::dyn_cast<clang::CastExpr>(statement)) {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay)
      if (const Class array = storage(cast->getSubExpr()); array != unknown) classes_[root(array)].indexed = true;
    if (cast->getCastKind() == clang::CK_AddressSpaceConversion && cast->getSubExpr()->getType()->isPointerType() &&
        !is_private(cast->getSubExpr()->getType()->getPointeeType()))
      if (const Class memory = pointed_to(cast->getSubExpr()); memory != unknown) classes_[root(memory)].foreign = true;
  }
  if (const auto* expression = clang::dyn_cast<clang::Expr>(statement))
    if (const clang::Expr* array = array_at_constant(expression, context_)) return look_at(array);
  for (const clang::Stmt* child : statement->children()) look_at(child);
}

// ---- questions ---------------------------------------------------------------------------------------------------------

bool PrivateObjects::logged(const clang::VarDecl* one) {
  if (!is_private(one->getType()) || !variables_.count(one->getCanonicalDecl())) return false;
  const Memory& memory = classes_[variable(one)];
  return memory.foreign || (memory.holds_array && memory.indexed);
}

bool PrivateObjects::logged(const clang::Expr* expression) {
  const clang::QualType type = expression->getType();
  const bool pointer = type->isPointerType() && !expression->IgnoreParens()->isLValue();
  const bool decays = type->isArrayType();
  const bool generic = (pointer ? type->getPointeeType() : type).getAddressSpace() == clang::LangAS::opencl_generic;
  const Class memory = pointer && !decays ? pointed_to(expression) : storage(expression);
  if (memory == unknown) return generic;
  const Memory& known = classes_[root(memory)];
  return known.foreign || (known.holds_array && known.indexed);
}

const clang::VarDecl* PrivateObjects::named(const clang::Expr* lvalue) {
  for (const clang::Expr* at = lvalue->IgnoreParens();;) {
    if (const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(at))
      at = subscript->getBase()->IgnoreParens();
    else if (const auto* member = clang::dyn_cast<clang::MemberExpr>(at); member && !member->isArrow())
      at = member->getBase()->IgnoreParens();
    else if (const auto* cast = clang::dyn_cast<clang::ImplicitCastExpr>(at);
             cast && cast->getCastKind() == clang::CK_ArrayToPointerDecay)
      at = cast->getSubExpr()->IgnoreParens();
    else if (const auto* name = clang::dyn_cast<clang::DeclRefExpr>(at))
      return clang::dyn_cast<clang::VarDecl>(name->getDecl());
    else
      return nullptr;
  }
}

}  // namespace twiddle::rewriter
