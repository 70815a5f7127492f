#include "compiler/check/loops.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <map>
#include <optional>
#include <vector>

#include "compiler/check/names.h"

namespace wb {
namespace {

bool LooksAtFuel(llvm::StringRef name) { return name == "wb_spent" || name == "wb_group_is_low"; }
bool AsksForRounds(llvm::StringRef name) { return name == "wb_fuel_lasts"; }
bool CountsByFuel(llvm::StringRef name) { return name == "wb_rounds_that_last"; }

// Some call in the expression is of a function of such a name.
bool Calls(const clang::Stmt* expression, bool (*is_wanted)(llvm::StringRef)) {
  std::vector<const clang::Stmt*> work = {expression};
  while (!work.empty()) {
    const clang::Stmt* stmt = work.back();
    work.pop_back();
    if (stmt == nullptr) continue;
    if (const auto* call = clang::dyn_cast<clang::CallExpr>(stmt)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (callee != nullptr && is_wanted(PlainName(callee))) return true;
    }
    for (const clang::Stmt* child : stmt->children()) work.push_back(child);
  }
  return false;
}

// An `if` that tests the fuel, outside of loops in `body`.
bool Looks(const clang::Stmt* body) {
  std::vector<const clang::Stmt*> work = {body};
  while (!work.empty()) {
    const clang::Stmt* stmt = work.back();
    work.pop_back();
    if (stmt == nullptr || clang::isa<clang::WhileStmt>(stmt) || clang::isa<clang::ForStmt>(stmt)) {
      continue;
    }
    if (const auto* test = clang::dyn_cast<clang::IfStmt>(stmt)) {
      if (Calls(test->getCond(), LooksAtFuel)) return true;
    }
    for (const clang::Stmt* child : stmt->children()) work.push_back(child);
  }
  return false;
}

const clang::ValueDecl* Variable(const clang::Expr* expression) {
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name == nullptr ? nullptr : name->getDecl();
}

std::optional<uint64_t> Constant(const clang::Expr* expression) {
  const auto* literal = clang::dyn_cast<clang::IntegerLiteral>(expression->IgnoreParenImpCasts());
  if (literal == nullptr) return std::nullopt;
  return literal->getValue().getZExtValue();
}

bool Hides(llvm::StringRef name) { return name == "wb_hidden_state"; }

// `f = f - 9u`: the function goes back to the frame of its caller, which has paid for the call.
bool GivesFrameBack(const clang::Stmt* body) {
  std::vector<const clang::Stmt*> work = {body};
  while (!work.empty()) {
    const clang::Stmt* stmt = work.back();
    work.pop_back();
    if (stmt == nullptr) continue;
    for (const clang::Stmt* child : stmt->children()) work.push_back(child);
    const auto* set = clang::dyn_cast<clang::BinaryOperator>(stmt);
    if (set == nullptr || set->getOpcode() != clang::BO_Assign) continue;
    const auto* rest = clang::dyn_cast<clang::BinaryOperator>(set->getRHS()->IgnoreParenImpCasts());
    const clang::ValueDecl* frame = Variable(set->getLHS());
    if (rest == nullptr || rest->getOpcode() != clang::BO_Sub || frame == nullptr) continue;
    if (frame->getName() == "f" && Variable(rest->getLHS()) == frame) return true;
  }
  return false;
}

class DispatchLoop {
 public:
  // False: it is none.
  bool Read(const clang::Stmt* body) {
    const auto* lines = clang::dyn_cast<clang::CompoundStmt>(body);
    return lines != nullptr && (ReadSwitch(lines) || ReadTests(lines));
  }

  bool ReadSwitch(const clang::CompoundStmt* lines) {
    if (lines->size() != 2) return false;
    const auto* table = clang::dyn_cast<clang::SwitchStmt>(lines->body_front());
    if (table == nullptr || !clang::isa<clang::BreakStmt>(lines->body_back())) return false;
    variable_ = Variable(table->getCond());
    for (const clang::SwitchCase* item = table->getSwitchCaseList(); item != nullptr;
         item = item->getNextSwitchCase()) {
      const auto* state = clang::dyn_cast<clang::CaseStmt>(item);
      if (state == nullptr) continue;  // default
      const auto number = Constant(state->getLHS());
      if (!number) return false;
      states_[*number] = state->getSubStmt();
    }
    return variable_ != nullptr;
  }

  // `if (s == 1u) { ... } s = wb_hidden_state(s); if (s == 3u) { ... } ...`
  bool ReadTests(const clang::CompoundStmt* lines) {
    variable_ = nullptr;
    states_.clear();
    const clang::Stmt* before = nullptr;
    for (const clang::Stmt* line : lines->body()) {
      const auto* set = clang::dyn_cast<clang::BinaryOperator>(line);
      if (set != nullptr && Calls(set->getRHS(), Hides)) {
        if (!ReadTest(before, Variable(set->getLHS()))) return false;
      }
      before = line;
    }
    return !states_.empty();
  }

  bool ChecksFuel() const {
    std::map<uint64_t, bool> looks;
    for (const auto& [number, body] : states_) looks[number] = Looks(body);
    for (const auto& [number, body] : states_) {
      if (looks[number] || GivesFrameBack(body)) continue;
      if (!GoesOnWell(number, body, looks)) return false;
    }
    return true;
  }

 private:
  bool ReadTest(const clang::Stmt* line, const clang::ValueDecl* variable) {
    const auto* test = clang::dyn_cast_or_null<clang::IfStmt>(line);
    if (test == nullptr || variable == nullptr) return false;
    const auto* equal = clang::dyn_cast<clang::BinaryOperator>(test->getCond());
    if (equal == nullptr || equal->getOpcode() != clang::BO_EQ) return false;
    const auto number = Constant(equal->getRHS());
    const bool first = variable_ == nullptr || variable == variable_;
    if (!number || !first || Variable(equal->getLHS()) != variable) return false;
    variable_ = variable;
    states_[*number] = test->getThen();
    return true;
  }

  // If a state goes back without a test of the fuel, the state it goes to has one.
  bool GoesOnWell(uint64_t number, const clang::Stmt* body,
                  const std::map<uint64_t, bool>& looks) const {
    std::vector<const clang::Stmt*> work = {body};
    while (!work.empty()) {
      const clang::Stmt* stmt = work.back();
      work.pop_back();
      if (stmt == nullptr) continue;
      const auto* set = clang::dyn_cast<clang::BinaryOperator>(stmt);
      if (set != nullptr && set->isAssignmentOp() && Variable(set->getLHS()) == variable_) {
        const auto next = Constant(set->getRHS());
        if (!next || set->isCompoundAssignmentOp()) return false;
        const auto at = looks.find(*next);
        if (*next <= number && at != looks.end() && !at->second) return false;
      }
      for (const clang::Stmt* child : stmt->children()) work.push_back(child);
    }
    return true;
  }

  const clang::ValueDecl* variable_ = nullptr;
  std::map<uint64_t, const clang::Stmt*> states_;
};

// Some statement gives the variable another value.
bool Changes(const clang::Stmt* body, const clang::ValueDecl* variable) {
  std::vector<const clang::Stmt*> work = {body};
  while (!work.empty()) {
    const clang::Stmt* stmt = work.back();
    work.pop_back();
    if (stmt == nullptr) continue;
    const auto* set = clang::dyn_cast<clang::BinaryOperator>(stmt);
    if (set != nullptr && set->isAssignmentOp() && Variable(set->getLHS()) == variable) return true;
    for (const clang::Stmt* child : stmt->children()) work.push_back(child);
  }
  return false;
}

// `ulong k = 0ul` or `k = 0ul`
const clang::ValueDecl* CounterFromZero(const clang::Stmt* begin) {
  const clang::ValueDecl* counter = nullptr;
  const clang::Expr* value = nullptr;
  if (const auto* line = clang::dyn_cast_or_null<clang::DeclStmt>(begin)) {
    const auto* variable =
        line->isSingleDecl() ? clang::dyn_cast<clang::VarDecl>(line->getSingleDecl()) : nullptr;
    if (variable == nullptr || !variable->hasInit()) return nullptr;
    counter = variable;
    value = variable->getInit();
  } else if (const auto* set = clang::dyn_cast_or_null<clang::BinaryOperator>(begin)) {
    if (set->getOpcode() != clang::BO_Assign) return nullptr;
    counter = Variable(set->getLHS());
    value = set->getRHS();
  }
  return value != nullptr && Constant(value) == uint64_t{0} ? counter : nullptr;
}

// `k = k + 1`
bool AddsOne(const clang::Expr* expression, const clang::ValueDecl* variable) {
  const auto* set = clang::dyn_cast_or_null<clang::BinaryOperator>(expression);
  if (set == nullptr || set->getOpcode() != clang::BO_Assign) return false;
  const auto* sum = clang::dyn_cast<clang::BinaryOperator>(set->getRHS()->IgnoreParenImpCasts());
  return sum != nullptr && sum->getOpcode() == clang::BO_Add &&
         Variable(set->getLHS()) == variable && Variable(sum->getLHS()) == variable &&
         Constant(sum->getRHS()) == uint64_t{1};
}

}  // namespace

bool AsksForAllRounds(const clang::IfStmt* test) {
  if (Calls(test->getCond(), AsksForRounds)) return true;
  for (const clang::Stmt* line : test->getThen()->children()) {
    if (clang::isa<clang::DeclStmt>(line) && Calls(line, CountsByFuel)) return true;
  }
  return false;
}

bool CountsRounds(const clang::ForStmt* loop) {
  const clang::ValueDecl* counter = CounterFromZero(loop->getInit());
  const auto* test = clang::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
  if (counter == nullptr || test == nullptr) return false;
  const clang::Expr* bound = test->getRHS()->IgnoreParenCasts();
  if (test->getOpcode() != clang::BO_NE || Variable(test->getLHS()) != counter) return false;
  if (!Constant(bound) && Variable(bound) == nullptr) return false;
  if (!AddsOne(loop->getInc(), counter) || Changes(loop->getBody(), counter)) return false;
  return Variable(bound) == nullptr || !Changes(loop->getBody(), Variable(bound));
}

bool ChecksFuel(const clang::Stmt* body) {
  DispatchLoop dispatch;
  return dispatch.Read(body) ? dispatch.ChecksFuel() : Looks(body);
}

}  // namespace wb
