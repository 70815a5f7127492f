#pragma once

// Which variables of a function become names in the text, and which become part of the one
// expression that reads them. A variable is printed inline when one row reads it, in the same
// straight run of rows, and nothing it reads is assigned in between.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/emit/text/text.h"
#include "compiler/ir/ir.h"

namespace wb {

class Expressions {
 public:
  Expressions(const ir::Function& function, Text& text);

  bool IsConstant(ir::Var var) const { return facts_[var].constant; }
  bool IsUsed(ir::Var var) const { return facts_[var].uses != 0; }
  // Declared at the top of the function because several runs, or a frame, share it.
  bool IsFunctionScope(ir::Var var) const { return facts_[var].function_scope; }
  std::vector<ir::Var> FunctionScopeVars() const;

  // The variable's value as text. This uses up an inline value.
  std::string Use(ir::Var var);
  // As Use, but a name or literal that may be written more than once. May print a line.
  std::string UseOften(ir::Var var);
  // The value as a truth value: "a < b" rather than "(uint)(a < b) != 0u".
  std::string UseCondition(ir::Var var);
  // If the value waits and is a product (SayProduct), its factors, "a, b", which this uses up; else
  // nothing.
  std::optional<std::string> UseProduct(ir::Var var);

  // What earlier rows have used is printed, or waits with what it reads.
  void BeginRow() { taken_reads_.clear(); }
  // `var` is now `value`, an expression without effects. `condition`: the same as a truth value.
  void DefinePure(ir::Var var, std::string value, const std::vector<ir::Var>& reads,
                  std::string condition = "");
  // The value that DefinePure has just given `var` is the product of these, "a, b".
  void SayProduct(ir::Var var, std::string factors);
  // `var` is now `value`. It is printed at once, because it has effects or depends on them.
  void DefineNow(ir::Var var, const std::string& value);
  // `var` is about to change: prints the waiting values that read it.
  void BeforeAssign(ir::Var var);

  static std::string Name(const ir::Function& function, ir::Var var);
  // What a kConst row with this immediate gives the variable.
  static std::string ConstantText(const ir::Function& function, ir::Var var, uint64_t imm);

 private:
  struct Facts {
    uint32_t definitions = 0;
    uint32_t uses = 0;
    uint32_t run = 0;       // of the (last) definition
    bool constant = false;  // defined once, by kConst
    bool function_scope = false;
    bool single_run = true;  // all uses in the run of the definition
    uint64_t bits = 0;
  };
  struct Waiting {
    std::string value;
    std::string condition;
    std::string factors;
    std::vector<ir::Var> reads;  // variables that may be assigned again
    bool active = false;
  };

  void CountUses();
  void CountUse(ir::Var var, uint32_t run);
  void CountDefinition(ir::Var var, uint32_t run);
  void Print(ir::Var var, const std::string& value);

  const ir::Function& function_;
  Text& text_;
  std::vector<Facts> facts_;
  std::vector<Waiting> waiting_;
  std::vector<std::vector<ir::Var>> readers_;  // per variable assigned more than once
  std::vector<ir::Var> taken_reads_;           // reads of the expressions that the row used so far
};

}  // namespace wb
