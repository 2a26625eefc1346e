// Walks over a program and makes the insertions that have it log what it does. Trees of expressions stay whole, so that
// compilers contract and round as they would have.
#pragma once

#include "rewriter/data_ways.h"
#include "rewriter/description.h"
#include "rewriter/edits.h"
#include "rewriter/flatten.h"
#include "rewriter/private_objects.h"
#include "rewriter/value_type.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace twiddle::rewriter {

class Walker {
 public:
  Walker(clang::ASTContext& context, const FlatSource& flat, const std::string& code);

  /// Walks over everything. False when the program has something that cannot be logged at all: why_not() says what.
  bool run();
  const std::string& why_not() const { return why_not_; }

  /// The rewritten program.
  std::string text() const;
  const Description& description() const { return description_; }

 private:
  // An lvalue: what has an address, and which components of a vector there.
  struct Place {
    const clang::Expr* address = nullptr;  // the expression; or, of `p->xy`,
    const clang::Expr* pointer = nullptr;  // p
    const clang::ExtVectorElementExpr* arrow = nullptr;
    const clang::ArraySubscriptExpr* numbered = nullptr;  // address is v[k], a component of the vector v by number
    std::vector<unsigned> components;
    const clang::Expr* whole() const { return address ? address : pointer; }
  };
  // A generated function, and what one call of it logs.
  struct Wrapper {
    std::string name, pointer;  // pointer: the type of its first parameter
    std::string result;         // the type of the value that is read or written
    clang::LangAS space = clang::LangAS::Default;
    ValueType type;
    unsigned components = 1, chunk = 0;
  };
  // What an argument of a builtin function points to.
  struct Pointee {
    ValueType type;
    clang::LangAS space = clang::LangAS::Default;
    std::string pointer;  // "__global const float*"
  };

  // walker.cpp: the program's outline, and statements.
  void top_level(const clang::FunctionDecl* function);
  void prepare_kernel(const clang::FunctionDecl* function, std::string& start);
  void collect_variables();
  void collect_functions(Kernel& kernel) const;
  void declare(const clang::DeclStmt* statement, const clang::VarDecl* variable);
  void visit(const clang::Stmt* statement);
  void children(const clang::Stmt* statement);
  void leave_kernel(const clang::ReturnStmt* statement);
  bool of_the_program(const clang::Decl* declaration) const;
  std::size_t before_declaration(std::size_t offset) const;

  // Places in the flat text, in bytes.
  std::size_t at(clang::SourceLocation location) const;
  std::size_t behind(clang::SourceLocation location) const;
  std::size_t begin(const clang::Stmt* statement) const { return at(statement->getBeginLoc()); }
  std::size_t end(const clang::Stmt* statement) const;
  void wrap(const clang::Expr* expression, std::string before, std::string after);
  std::string flat_text(const clang::Stmt* statement) const;

  // A new site, by number.
  std::string add_site(const clang::Stmt* statement, Site site);
  void unlogged(const clang::Stmt* statement, const std::string& reason);

  // walker_accesses.cpp: loads, stores, and both in one.
  static Place place_of(const clang::Expr* lvalue);
  clang::QualType type_of(const Place& place) const;
  bool is_logged(const Place& place);
  std::optional<Wrapper> wrapper(const char* kind, const Place& place, const clang::Stmt* whole);
  Site site_of(const char* kind, const Wrapper& wrapper, const Place& place) const;
  void load(const clang::Expr* lvalue);
  void store(const clang::BinaryOperator* assignment);
  void modify(const clang::Expr* whole, const clang::Expr* lvalue, const clang::Expr* value, bool postfix);
  void inside_of(const Place& place);
  // What makes a pointer of a place, before and behind its text; what is in between is edited.
  static std::string before_address(const Place& place, const Wrapper& wrapper);
  std::string behind_address(const Place& place);
  void add_wrapper(const std::string& name, const std::string& text, bool at_function);

  // walker_calls.cpp: calls.
  void call(const clang::CallExpr* call);
  void builtin_call(const clang::CallExpr* call, const std::string& name);
  void barrier_call(const clang::CallExpr* call, const std::string& name);
  bool copy_call(const clang::CallExpr* call, const std::string& name);
  void wait_call(const clang::CallExpr* call);
  bool vector_call(const clang::CallExpr* call, const std::string& name);
  bool atomic_call(const clang::CallExpr* call, const std::string& name);
  bool output_call(const clang::CallExpr* call, const std::string& name);
  std::optional<Pointee> pointee(const clang::Expr* pointer, const clang::CallExpr* call);
  struct Signature {
    std::string result, parameters, arguments, suffix;
  };
  std::optional<Signature> signature(const clang::CallExpr* call);
  void replace_call(const clang::CallExpr* call, const std::string& wrapper, const std::string& site);
  void log_before(const clang::CallExpr* call, const std::string& site, const std::string& value);

  // walker_images.cpp: reads and writes of texels, and how helpers know whose.
  bool image_call(const clang::CallExpr* call, const std::string& name);
  std::string argument_number(const clang::Expr* expression) const;
  std::string hidden_arguments(const clang::CallExpr* call) const;
  static std::string hidden_parameters(const clang::FunctionDecl* function);
  static bool takes_images(const clang::FunctionDecl* function);
  static bool image_is_read_only(const clang::ParmVarDecl* parameter);

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  const FlatSource& flat_;
  const std::string& code_;
  PrivateObjects private_;
  Edits edits_;
  Description description_;
  std::string why_not_;

  std::set<std::string> wrapper_names_;
  std::string wrappers_;        // at the top of the program
  std::string local_wrappers_;  // before the function that is walked over, for they name its structs
  std::string temporaries_;     // at the start of its body
  unsigned temporary_count_ = 0;
  const clang::FunctionDecl* function_ = nullptr;
  bool in_kernel_ = false;
  const clang::Stmt* in_for_head_ = nullptr;        // a declaration
  std::map<const clang::VarDecl*, int> variables_;  // index into description_.variables
  std::vector<const clang::VarDecl*> program_variables_;
  std::set<const clang::FunctionDecl*> led_;            // by floating values
  std::map<std::string, std::set<std::string>> calls_;  // of the program's functions, by name
  std::set<const clang::Stmt*> visited_;
};

}  // namespace twiddle::rewriter
