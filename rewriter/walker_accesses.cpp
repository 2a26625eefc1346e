#include "rewriter/walker.h"

#include <clang/AST/OperationKinds.h>

#include <algorithm>

namespace twiddle::rewriter {
Walker::Place Walker::place_of(const clang::Expr* lvalue) {
  lvalue = lvalue->IgnoreParens();
  if (const auto* swizzled = clang::dyn_cast<clang::ExtVectorElementExpr>(lvalue)) {
    llvm::SmallVector<std::uint32_t, 16> elements;
    swizzled->getEncodedElementAccess(elements);
    Place place;
    if (swizzled->isArrow()) {
      place.pointer = swizzled->getBase();
      place.arrow = swizzled;
      place.components.assign(elements.begin(), elements.end());
      return place;
    }
    place = place_of(swizzled->getBase());
    std::vector<unsigned> components;
    for (const std::uint32_t element : elements)
      components.push_back(place.components.empty() ? element : place.components.at(element));
    place.components = std::move(components);
    return place;
  }
  Place place;
  place.address = lvalue;
  if (const auto* subscript = clang::dyn_cast<clang::ArraySubscriptExpr>(lvalue))
    if (subscript->getBase()->getType()->isVectorType()) place.numbered = subscript;
  return place;
}

clang::QualType Walker::type_of(const Place& place) const {
  if (place.numbered) {
    const clang::QualType vector = place.numbered->getBase()->getType();
    return context_.getQualifiedType(vector->getAs<clang::VectorType>()->getElementType(), vector.getQualifiers());
  }
  return place.address ? place.address->getType() : place.pointer->getType()->getPointeeType();
}

bool Walker::is_logged(const Place& place) {
  const clang::LangAS space = type_of(place).getAddressSpace();
  const std::string name = space_name(space);
  // A scalar constant is no more than a name for its value.
  if (name == "constant") {
    const auto* named = place.address ? clang::dyn_cast<clang::DeclRefExpr>(place.address) : nullptr;
    return !named || !type_of(place)->isScalarType();
  }
  if (name == "private" || name == "generic") return private_.logged(place.whole());
  return true;
}

void Walker::add_wrapper(const std::string& name, const std::string& text, bool at_function) {
  if (wrapper_names_.insert(name).second) (at_function ? local_wrappers_ : wrappers_) += "static inline " + text + "\n";
}

// Of kind "load"; "store"; "before", which logs what is there and gives the address back; "after", which logs what is there then.
std::optional<Walker::Wrapper> Walker::wrapper(const char* kind, const Place& place, const clang::Stmt* whole) {
  const clang::QualType type = type_of(place);
  const auto value = value_type(context_, type);
  if (!value) {
    unlogged(whole, "values of type " + type.getUnqualifiedType().getAsString() + " are not logged");
    return std::nullopt;
  }
  Wrapper made;
  made.type = *value;
  made.space = type.getAddressSpace();
  const std::string space = space_keyword(made.space), chosen = kind;
  const std::string is_volatile = type.isVolatileQualified() ? "volatile " : "";
  const std::string components = place.components.empty() ? "" : swizzle(place.components);
  made.components = place.components.empty() ? value->components : static_cast<unsigned>(place.components.size());
  made.result = place.components.empty()       ? value->name
                : place.components.size() == 1 ? value->element
                                               : value->element + std::to_string(place.components.size());
  made.name = "__tw_" + chosen + identifier_of(space) + "_" + identifier_of(value->name) +
              (is_volatile.empty() ? "" : "_volatile") + identifier_of(components);
  const std::string only_read = chosen == "load" ? "const " : "";
  made.pointer = value->name + " " + only_read + is_volatile + space + "*";
  const std::string log = log_value(*value, place.components, "(ulong)p", "v", made.chunk);
  const std::string there = components.empty() ? "*p" : "(*p)" + components;
  std::string text;
  if (chosen == "load")
    text = value->name + " " + made.name + "(" + made.pointer + "p," + log_parameters + "){" + value->name + " w=*p;" +
           made.result + " v=w" + components + ";" + log + "return w;}";
  else if (chosen == "store")
    text = made.result + " " + made.name + "(" + made.pointer + "p," + made.result + " v," + log_parameters + "){" +
           there + "=v;" + log + "return v;}";
  else if (chosen == "before")
    text = made.pointer + made.name + "(" + made.pointer + "p," + log_parameters + "){" + made.result + " v=" + there +
           ";" + log + "return p;}";
  else
    text = made.result + " " + made.name + "(" + made.pointer + "p," + log_parameters + "){" + made.result +
           " v=" + there + ";" + log + "return v;}";
  add_wrapper(made.name, text, value->record);
  return made;
}

Site Walker::site_of(const char* kind, const Wrapper& wrapper, const Place& place) const {
  Site site;
  site.kind = kind;
  site.space = space_name(wrapper.space);
  site.type = wrapper.type.element;
  site.components = wrapper.components;
  site.chunk = wrapper.chunk;
  site.is_volatile = type_of(place).isVolatileQualified();
  if (place.address)
    if (const clang::VarDecl* variable = PrivateObjects::named(place.address))
      if (const auto known = variables_.find(variable->getCanonicalDecl()); known != variables_.end())
        site.variable = known->second;
  return site;
}

void Walker::inside_of(const Place& place) {
  if (place.address)
    children(place.address);
  else
    visit(place.pointer);
}

std::string Walker::before_address(const Place& place, const Wrapper& wrapper) {
  if (place.numbered) return "((" + wrapper.pointer + ")&(";
  return place.address ? "(&(" : "((";
}

std::string Walker::behind_address(const Place& place) {
  if (place.numbered) {  // v[k] becomes (element*)&(v)+(k)
    edits_.replace(end(place.numbered->getBase()), begin(place.numbered->getIdx()), ")+(");
    edits_.replace(end(place.numbered->getIdx()), end(place.numbered), ")");
    return "";
  }
  // What was behind `p->` follows a vector then.
  if (place.arrow) edits_.replace(end(place.pointer), at(place.arrow->getAccessorLoc()), ".");
  return ")";
}

void Walker::load(const clang::Expr* lvalue) {
  const Place place = place_of(lvalue);
  const auto made = is_logged(place) ? wrapper("load", place, lvalue) : std::nullopt;
  if (!made) return children(lvalue);
  const std::string site = add_site(lvalue, site_of("load", *made, place));
  wrap(place.whole(), made->name + before_address(place, *made),
       behind_address(place) + "," + site + ",__tw_log,__tw_me)");
  inside_of(place);
}

void Walker::store(const clang::BinaryOperator* assignment) {
  const Place place = place_of(assignment->getLHS());
  const auto made = is_logged(place) ? wrapper("store", place, assignment) : std::nullopt;
  if (!made) {
    children(assignment->getLHS());
    visit(assignment->getRHS());
    return;
  }
  // (x[i]).y = v becomes store_y(&(x[i]),(v), …): what is around the place on its side of the "=" goes.
  const std::string site = add_site(assignment, site_of("store", *made, place));
  const clang::Expr* whole = place.whole();
  edits_.open(begin(assignment), made->name + before_address(place, *made));
  if (begin(whole) > begin(assignment->getLHS())) edits_.replace(begin(assignment->getLHS()), begin(whole), "");
  edits_.replace(end(whole), at(assignment->getOperatorLoc()) + 1, (place.arrow ? ")" : behind_address(place)) + ",(");
  edits_.close(end(assignment), ")," + site + ",__tw_log,__tw_me)");
  inside_of(place);
  visit(assignment->getRHS());
}

void Walker::modify(const clang::Expr* whole, const clang::Expr* lvalue, const clang::Expr* value, bool postfix) {
  const Place place = place_of(lvalue);
  const auto before = is_logged(place) ? wrapper("before", place, whole) : std::nullopt;
  const auto after = before ? wrapper("after", place, whole) : std::nullopt;
  if (!after) {
    children(lvalue);
    visit(value);
    return;
  }
  const std::string read = add_site(whole, site_of("load", *before, place));
  const std::string written = add_site(whole, site_of("store", *after, place));
  const std::string number = std::to_string(temporary_count_++), pointer = "__tw_p" + number, old = "__tw_o" + number;
  temporaries_ += before->pointer + pointer + ";";
  if (postfix) temporaries_ += before->result + " " + old + ";";
  edits_.open(begin(whole), postfix ? "(" + old + "=" : "(");
  edits_.close(end(whole), "," + after->name + "(" + pointer + "," + written + ",__tw_log,__tw_me)" +
                               (postfix ? "," + old + ")" : ")"));
  wrap(place.whole(), "(*(" + pointer + "=" + before->name + before_address(place, *before),
       behind_address(place) + "," + read + ",__tw_log,__tw_me)))");
  inside_of(place);
  visit(value);
}

}  // namespace twiddle::rewriter
