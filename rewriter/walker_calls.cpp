#include "rewriter/walker.h"

#include <clang/AST/Attr.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace twiddle::rewriter {
namespace {

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }
bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

constexpr std::array<const char*, 5> orders{"relaxed", "acquire", "release", "acquire-release", "sequential"};
constexpr std::array<const char*, 5> order_constants{"memory_order_relaxed", "memory_order_acquire",
                                                     "memory_order_release", "memory_order_acq_rel",
                                                     "memory_order_seq_cst"};
constexpr std::array<const char*, 5> scopes{"item", "group", "device", "system", "sub-group"};
constexpr std::array<const char*, 5> scope_constants{"memory_scope_work_item", "memory_scope_work_group",
                                                     "memory_scope_device", "memory_scope_all_svm_devices",
                                                     "memory_scope_sub_group"};

// clang's numbers of C11's orders (relaxed 0, consume 1, acquire 2, release 3, both 4, sequential 5) and of OpenCL's scopes.
int order_of(std::int64_t number) {
  return number <= 0 || number > 5 ? 0 : static_cast<int>(std::max<std::int64_t>(number, 2)) - 1;
}
int scope_of(std::int64_t number) { return number < 0 || number > 4 ? 2 : static_cast<int>(number); }

// A value without side effects, so that it may be computed once more to log it.
bool repeatable(const clang::Expr* expression, const clang::ASTContext& context) {
  return !expression->HasSideEffects(context);
}

std::optional<std::int64_t> constant(const clang::Expr* expression, const clang::ASTContext& context) {
  clang::Expr::EvalResult result;
  if (!expression->EvaluateAsInt(result, context)) return std::nullopt;
  return result.Val.getInt().getExtValue();
}

// The memory that a barrier's flags name, as a log has it: 1 local, 2 global (images are in global memory).
std::string memory_value(const std::string& flags) {
  return "(((" + flags + ")&CLK_LOCAL_MEM_FENCE)?1:0)|(((" + flags + ")&~CLK_LOCAL_MEM_FENCE)?2:0)";
}

bool declares_local_memory(const clang::Stmt* statement) {
  if (!statement) return false;
  if (const auto* declared = clang::dyn_cast<clang::DeclStmt>(statement))
    for (const clang::Decl* declaration : declared->decls())
      if (const auto* variable = clang::dyn_cast<clang::VarDecl>(declaration);
          variable && variable->getType().getAddressSpace() == clang::LangAS::opencl_local)
        return true;
  return std::any_of(statement->child_begin(), statement->child_end(), declares_local_memory);
}

}  // namespace

void Walker::call(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (callee && of_the_program(callee)) {
    if (function_) calls_[function_->getNameAsString()].insert(callee->getNameAsString());
    const bool kernel = callee->hasAttr<clang::OpenCLKernelAttr>();
    const std::string comma = call->getNumArgs() ? "," : "";
    if (kernel) {
      // PoCL 3.1 ends the process over the twin of one that declares local memory.
      if (declares_local_memory(callee->getDefinition() ? callee->getDefinition()->getBody() : nullptr)) {
        why_not_ = "line " + std::to_string(written_at(flat_, begin(call)).line) + " calls a kernel with local memory";
        return;
      }
      if (takes_images(callee)) {  // which arguments of the launch they are is not known there
        why_not_ = "line " + std::to_string(written_at(flat_, begin(call)).line) + " calls a kernel that takes images";
        return;
      }
      // The kernel begins where its caller is in the log, and the caller goes on behind it.
      wrap(call, "(__tw_end(__tw_log,__tw_me),", ",__tw_begin(__tw_log,__tw_me))");
      edits_.close(at(call->getRParenLoc()), comma + "__tw_log");
    } else {
      edits_.close(at(call->getRParenLoc()), comma + hidden_arguments(call) + "__tw_log,__tw_me");
    }
  } else if (callee) {
    builtin_call(call, callee->getNameAsString());
  } else {
    unlogged(call, "what this calls is not known");
  }
  for (const clang::Expr* argument : call->arguments()) visit(argument);
}

void Walker::builtin_call(const clang::CallExpr* call, const std::string& name) {
  if (name == "printf" || name == "prefetch") return;
  if (name == "enqueue_kernel") {
    why_not_ = "line " + std::to_string(written_at(flat_, begin(call)).line) + " starts kernels from a kernel";
    return;
  }
  if (name == "barrier" || name == "work_group_barrier" || name == "sub_group_barrier" || holds(name, "mem_fence") ||
      name == "atomic_work_item_fence")
    return barrier_call(call, name);
  if (name == "wait_group_events") return wait_call(call);
  if (starts(name, "work_group_") || holds(name, "sub_group_")) {
    if (holds(name, "get_")) return;
    if (!holds(name, "_block_") && !holds(name, "_pipe")) {
      Site site;
      site.kind = "exchange";
      site.scope = starts(name, "work_group_") ? "group" : "sub-group";
      log_before(call, add_site(call, site), "0");
      return;
    }
  }
  if (copy_call(call, name) || vector_call(call, name) || atomic_call(call, name) || output_call(call, name) ||
      image_call(call, name))
    return;
  for (const clang::Expr* argument : call->arguments()) {
    const clang::QualType type = argument->getType();
    if (type->isPipeType()) return unlogged(call, "pipes are not logged");
    if (!type->isPointerType()) continue;
    const std::string space =
        space_name(argument->IgnoreParenImpCasts()->getType()->isPointerType()
                       ? argument->IgnoreParenImpCasts()->getType()->getPointeeType().getAddressSpace()
                       : type->getPointeeType().getAddressSpace());
    if (space == "private" && !private_.logged(argument)) continue;
    if (starts(name, "to_") || starts(name, "get_fence") || space == "constant")
      continue;  // asks where a pointer points
    return unlogged(call, "what " + name + "() does in memory is not logged");
  }
}

// ---- barriers and copies -----------------------------------------------------------------------------------------------

void Walker::log_before(const clang::CallExpr* call, const std::string& site, const std::string& value) {
  wrap(call, "(__tw_put(" + site + ",0," + value + ",__tw_log,__tw_me),", ")");
}

void Walker::barrier_call(const clang::CallExpr* call, const std::string& name) {
  Site site;
  const bool fence = holds(name, "mem_fence") || name == "atomic_work_item_fence";
  site.kind = fence ? "fence" : "barrier";
  // OpenCL 1.x gives its fences no scope, and programs pass values between groups by them.
  site.scope = starts(name, "sub_group") ? "sub-group" : holds(name, "mem_fence") ? "device" : "group";
  site.order = name == "read_mem_fence" ? "acquire" : name == "write_mem_fence" ? "release" : "acquire-release";
  if (name == "atomic_work_item_fence" && call->getNumArgs() == 3) {
    site.order = orders[order_of(constant(call->getArg(1), context_).value_or(5))];
    site.scope = scopes[scope_of(constant(call->getArg(2), context_).value_or(2))];
  }
  const clang::Expr* flags = call->getNumArgs() ? call->getArg(0) : nullptr;
  log_before(call, add_site(call, site), flags && repeatable(flags, context_) ? memory_value(flat_text(flags)) : "3");
}

// The items of a group share the elements of a copy, for it is the group's. A record before says where the call's elements
// begin, and whether they go with the call before.
bool Walker::copy_call(const clang::CallExpr* call, const std::string& name) {
  if (!starts(name, "async_work_group_") || call->getNumArgs() < 4) return false;
  const auto to = pointee(call->getArg(0), call), from = pointee(call->getArg(1), call);
  const auto signed_by = to && from ? signature(call) : std::nullopt;
  if (!signed_by) return true;
  const bool to_local = space_name(to->space) == "local", strided = holds(name, "strided");
  if (!strided && name != "async_work_group_copy") {
    unlogged(call, "what " + name + "() copies is not logged");
    return true;
  }
  const std::string source = strided && to_local ? "i*a3" : "i", target = strided && !to_local ? "i*a3" : "i";
  Site load, store, begin;
  begin.kind = "copy-call";
  load.kind = "copy-load";
  store.kind = "copy-store";
  load.space = space_name(from->space);
  store.space = space_name(to->space);
  load.type = store.type = to->type.element;
  load.components = store.components = to->type.components;
  std::string pairs;
  // Each chunk's store directly follows its load.
  const std::string element = log_value(from->type, {}, "@", "v", load.chunk, "#");
  store.chunk = load.chunk;
  for (std::size_t at = 0; at < element.size();) {
    const std::size_t end = element.find(';', at) + 1;
    for (const bool writes : {false, true}) {
      std::string one = element.substr(at, end - at);
      const auto put = [&](const char* what, const std::string& by) {
        for (std::size_t found; (found = one.find(what)) != std::string::npos;) one.replace(found, 1, by);
      };
      put("@", writes ? "(ulong)(a0+" + target + ")" : "(ulong)(a1+" + source + ")");
      put("#", writes ? "(s+2)" : "(s+1)");
      pairs += one;
    }
    at = end;
  }
  const std::string wrapper = "__tw_" + name + signed_by->suffix;
  add_wrapper(wrapper,
              "event_t " + wrapper + "(" + signed_by->parameters + ",ulong chained," + log_parameters +
                  "){__tw_put(s,0,chained,l,t);for(size_t i=__tw_lane();i<a2;i+=__tw_lanes()){" + from->type.name +
                  " v=a1[" + source + "];" + pairs + "}return " + name + "(" + signed_by->arguments + ");}",
              false);
  const clang::Expr* event = call->getArg(call->getNumArgs() - 1)->IgnoreParenImpCasts();
  const std::string number = add_site(call, begin);
  add_site(call, load);
  add_site(call, store);
  replace_call(call, wrapper, (constant(event, context_).value_or(1) == 0 ? "0," : "1,") + number);
  return true;
}

void Walker::wait_call(const clang::CallExpr* call) {
  Site site;
  site.kind = "copy-wait";
  site.scope = "group";
  const clang::Expr* count = call->getArg(0);
  log_before(call, add_site(call, site),
             repeatable(count, context_) ? "(ulong)(" + flat_text(count) + ")" : std::string("0"));
}

// ---- generated functions in place of builtin ones ----------------------------------------------------------------------

// What an argument points to, in its own address space; nothing, and the reason is listed, for what cannot be named.
std::optional<Walker::Pointee> Walker::pointee(const clang::Expr* pointer, const clang::CallExpr* call) {
  const clang::QualType type = pointer->getType();
  if (!type->isPointerType()) return std::nullopt;
  const clang::QualType target = type->getPointeeType();
  const auto value = value_type(context_, target);
  if (!value || value->record || value->pointer) {
    unlogged(call, "values of type " + target.getUnqualifiedType().getAsString() + " are not logged here");
    return std::nullopt;
  }
  Pointee found;
  found.type = *value;
  found.space = target.getAddressSpace();
  found.pointer = space_keyword(found.space) + " " + (target.isConstQualified() ? "const " : "") +
                  (target.isVolatileQualified() ? "volatile " : "") + (target->isAtomicType() ? "atomic_" : "") +
                  value->name + "*";
  return found;
}

std::optional<Walker::Signature> Walker::signature(const clang::CallExpr* call) {
  Signature made;
  const auto named = [&](clang::QualType type, const clang::Expr* expression) -> std::string {
    if (type->isVoidType()) return "void";
    if (type->isEventT()) return "event_t";
    if (type->isPointerType()) {
      const auto target = pointee(expression, call);
      return target ? target->pointer : "";
    }
    const auto value = value_type(context_, type);
    return value && !value->record && !value->pointer ? value->name : "";
  };
  made.result = call->getType()->isPointerType() ? "" : named(call->getType(), call);
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    const std::string type = named(call->getArg(i)->getType(), call->getArg(i));
    if (type.empty()) made.result.clear();
    const std::string number = "a" + std::to_string(i);
    made.parameters += (i ? "," : "") + type + " " + number;
    made.arguments += (i ? "," : "") + number;
    made.suffix += "_" + identifier_of(type);
  }
  if (!made.result.empty()) return made;
  unlogged(call, "what this does in memory is not logged");
  return std::nullopt;
}

void Walker::replace_call(const clang::CallExpr* call, const std::string& wrapper, const std::string& site) {
  edits_.replace(begin(call), end(call->getCallee()), wrapper);
  edits_.close(at(call->getRParenLoc()), "," + site + ",__tw_log,__tw_me");
}

// vload4, vstore2, vload_half, vstorea_half8_rte, …
bool Walker::vector_call(const clang::CallExpr* call, const std::string& name) {
  const bool load = starts(name, "vload");
  if (!load && !starts(name, "vstore")) return false;
  const unsigned which = load ? 1 : 2;
  if (call->getNumArgs() <= which) return false;
  const auto target = pointee(call->getArg(which), call);
  if (!target) return true;
  if (const std::string space = space_name(target->space);
      (space == "private" || space == "generic") && !private_.logged(call->getArg(which)))
    return true;
  const clang::QualType vector = load ? call->getType() : call->getArg(0)->getType();
  const auto value = value_type(context_, vector);
  const auto signed_by = value ? signature(call) : std::nullopt;
  if (!signed_by) return true;
  const bool half = holds(name, "half"), aligned = starts(name, "vloada") || starts(name, "vstorea");
  const unsigned stride = aligned && value->components == 3 ? 4 : value->components;
  const std::string pointer = "a" + std::to_string(which), offset = load ? "a0" : "a1";
  const std::string address = "(ulong)(" + pointer + "+" + offset + "*" + std::to_string(stride) + ")";
  Site site;
  site.kind = load ? "load" : "store";
  site.space = space_name(target->space);
  site.type = target->type.element;
  site.components = value->components;
  std::string log;
  if (half) {  // as it is in memory
    site.chunk = 2;
    const std::string bits = "(" + space_keyword(target->space) + " const ushort*)" + pointer;
    for (unsigned i = 0; i < value->components; ++i)
      log += "__tw_put(s," + address + "+" + std::to_string(2 * i) + ",(ulong)(" + bits + ")[" + offset + "*" +
             std::to_string(stride) + "+" + std::to_string(i) + "],l,t);";
  } else {
    log = log_value(*value, {}, address, load ? "v" : "a0", site.chunk);
  }
  const std::string wrapper = "__tw_" + name + signed_by->suffix;
  const std::string head =
      signed_by->result + " " + wrapper + "(" + signed_by->parameters + "," + log_parameters + "){";
  add_wrapper(wrapper,
              load ? head + signed_by->result + " v=" + name + "(" + signed_by->arguments + ");" + log + "return v;}"
                   : head + name + "(" + signed_by->arguments + ");" + log + "}",
              false);
  replace_call(call, wrapper, add_site(call, site));
  return true;
}

// sincos, fract, modf, …: a second result through a pointer.
bool Walker::output_call(const clang::CallExpr* call, const std::string& name) {
  static const std::set<std::string> functions{"sincos", "fract", "modf", "frexp", "remquo", "lgamma_r"};
  if (!functions.count(name) || call->getNumArgs() < 2) return false;
  const unsigned last = call->getNumArgs() - 1;
  const clang::QualType type = call->getArg(last)->getType();
  if (!type->isPointerType()) return false;
  const std::string space = space_name(type->getPointeeType().getAddressSpace());
  if ((space == "private" || space == "generic") && !private_.logged(call->getArg(last))) return true;
  const auto target = pointee(call->getArg(last), call);
  const auto signed_by = target ? signature(call) : std::nullopt;
  if (!signed_by) return true;
  Site site;
  site.kind = "store";
  site.space = space;
  site.type = target->type.element;
  site.components = target->type.components;
  const std::string pointer = "a" + std::to_string(last);
  const std::string log = log_value(target->type, {}, "(ulong)" + pointer, "w", site.chunk);
  const std::string wrapper = "__tw_" + name + signed_by->suffix;
  add_wrapper(wrapper,
              signed_by->result + " " + wrapper + "(" + signed_by->parameters + "," + log_parameters + "){" +
                  signed_by->result + " v=" + name + "(" + signed_by->arguments + ");" + target->type.name + " w=*" +
                  pointer + ";" + log + "return v;}",
              false);
  replace_call(call, wrapper, add_site(call, site));
  return true;
}

// ---- atomic operations -------------------------------------------------------------------------------------------------

namespace {

// The new value, of the old one `v` and the operands a1, a2; empty: not an operation that changes a value by them.
std::string new_value(std::string_view operation, const std::string& type) {
  if (operation == "add") return "v+a1";
  if (operation == "sub") return "v-a1";
  if (operation == "inc") return "v+1";
  if (operation == "dec") return "v-1";
  if (operation == "xchg" || operation == "exchange") return "a1";
  if (operation == "min") return "min(v,(" + type + ")a1)";
  if (operation == "max") return "max(v,(" + type + ")a1)";
  if (operation == "and") return "v&a1";
  if (operation == "or") return "v|a1";
  if (operation == "xor") return "v^a1";
  return "";
}

std::string without(std::string text, std::string_view part) {
  const std::size_t at = text.find(part);
  return at == std::string::npos ? text : text.erase(at, part.size());
}

}  // namespace

bool Walker::atomic_call(const clang::CallExpr* call, const std::string& name) {
  if (!starts(name, "atomic_") && !starts(name, "atom_")) return false;
  if (call->getNumArgs() == 0 || !call->getArg(0)->getType()->isPointerType()) return false;
  const auto target = pointee(call->getArg(0), call);
  const auto signed_by = target ? signature(call) : std::nullopt;
  if (!signed_by) return true;
  if (const std::string space = space_name(target->space); space == "private" && !private_.logged(call->getArg(0)))
    return true;
  const bool c11 = call->getArg(0)->getType()->getPointeeType()->isAtomicType();
  const std::string& type = target->type.name;
  const std::string operation = without(without(name.substr(name.find('_') + 1), "_explicit"), "fetch_");

  // C11's orders and scopes, as constants where they are: compilers want to see them.
  Site site;
  site.space = space_name(target->space);
  site.type = target->type.element;
  site.order = c11 ? "sequential" : "relaxed";
  site.scope = "device";
  std::string arguments = signed_by->arguments, suffix = signed_by->suffix;
  bool first_order = true;
  for (unsigned i = 1; i < call->getNumArgs(); ++i) {
    const auto* enumeration =
        call->getArg(i)->IgnoreParenImpCasts()->getType().getCanonicalType()->getAs<clang::EnumType>();
    const clang::QualType parameter = call->getDirectCallee()->getParamDecl(i)->getType().getCanonicalType();
    if (!enumeration) enumeration = parameter->getAs<clang::EnumType>();
    const std::string is = enumeration ? enumeration->getDecl()->getNameAsString() : parameter.getAsString();
    const bool order = holds(is, "memory_order"), scope = holds(is, "memory_scope");
    const auto number = constant(call->getArg(i), context_);
    if ((!order && !scope) || !number) continue;
    const char* word = order ? order_constants[order_of(*number)] : scope_constants[scope_of(*number)];
    if (order && first_order) site.order = orders[order_of(*number)];
    if (scope) site.scope = scopes[scope_of(*number)];
    first_order = first_order && !order;
    const std::string argument = "a" + std::to_string(i);
    const std::size_t found = arguments.find("," + argument);
    arguments.replace(found + 1, argument.size(), word);
    suffix += "_" + std::string(word);
  }

  const std::string wrapper = "__tw_" + name + suffix, R = signed_by->result;
  const std::string head = R + " " + wrapper + "(" + signed_by->parameters + "," + log_parameters + "){";
  const std::string did = name + "(" + arguments + ");";
  const auto log = [&](const char* at_site, const std::string& value) {
    return log_value(target->type, {}, "(ulong)a0", value, site.chunk, at_site);
  };
  std::string body;
  bool reads = true, writes = true;
  if (operation == "init" || operation == "store") {
    reads = false;
    body = did + type + " w=a1;" + log("s", "w");
  } else if (operation == "load") {
    writes = false;
    body = R + " v=" + did + log("s", "v") + "return v;";
  } else if (operation == "cmpxchg") {
    body = R + " v=" + did + log("s", "v") + "if(v==a1){" + type + " w=a2;" + log("s+1", "w") + "}return v;";
  } else if (starts(operation, "compare_exchange")) {
    body = type + " e=*a1;" + R + " r=" + did + type + " v=r?e:*a1;" + log("s", "v") + "if(r){" + type + " w=a2;" +
           log("s+1", "w") + "}return r;";
  } else if (operation == "flag_test_and_set") {
    body = R + " r=" + did + type + " v=r," + "w=1;" + log("s", "v") + log("s+1", "w") + "return r;";
  } else if (operation == "flag_clear") {
    reads = false;
    body = did + type + " w=0;" + log("s", "w");
  } else if (const std::string changed = new_value(operation, type); !changed.empty()) {
    body = R + " v=" + did + type + " w=" + changed + ";" + log("s", "v") + log("s+1", "w") + "return v;";
  } else {
    unlogged(call, "what " + name + "() does is not logged");
    return true;
  }
  add_wrapper(wrapper, head + body + "}", false);
  std::string number;
  if (reads) {
    site.kind = "atomic-load";
    number = add_site(call, site);
  }
  if (writes) {
    site.kind = "atomic-store";
    const std::string second = add_site(call, site);
    if (number.empty()) number = second;
  }
  replace_call(call, wrapper, number);
  return true;
}

}  // namespace twiddle::rewriter
