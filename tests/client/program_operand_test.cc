// Operands of a program file that follow pointers.

#include <gtest/gtest.h>

#include "client/cli/program/program.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

v1::Module OperandModule() {
  v1::Module module;
  v1::ModuleExport* run = module.add_exports();
  run->set_name("run");
  run->set_kind("function");
  run->add_params(v1::I32);
  return module;
}

// A call of `run` with this operand; the module "env" is given and there are two columns.
Result<v1::Operand> ParsedOperand(const std::string& operand) {
  ProgramOptions options;
  options.linked["env"] = OperandModule();
  options.program = R"({"columns": {"seed": {"type": "i32", "values": [1, 2]},
      "text": {"type": "bytes", "values": ["a", "b"]}},
    "steps": [{"call": "run", "args": [)" +
                    operand + "]}]}";
  WB_ASSIGN(const v1::Job job, BuildJob(options, OperandModule()));
  return job.steps(0).call().args(0);
}

std::string MistakeIn(const std::string& operand) {
  const Result<v1::Operand> parsed = ParsedOperand(operand);
  return parsed.ok() ? "" : parsed.status().message();
}

TEST(ProgramOperand, TheLengthOfAColumn) {
  const v1::Operand operand = ParsedOperand(R"({"column_length": "text", "add": 1})").value();
  EXPECT_EQ(operand.column_length(), 1u);
  EXPECT_EQ(operand.add().i32(), 1);
  EXPECT_NE(MistakeIn(R"({"column_length": "none"})").find("\"none\""), std::string::npos);
}

TEST(ProgramOperand, AnExportedGlobal) {
  v1::Operand operand = ParsedOperand(R"({"global": "input"})").value();
  EXPECT_EQ(operand.global().name(), "input");
  EXPECT_EQ(operand.global().module(), "");
  operand = ParsedOperand(R"({"global": "input", "module": "env", "add": -8})").value();
  EXPECT_EQ(operand.global().module(), "env");
  EXPECT_EQ(operand.add().i32(), -8);
  EXPECT_NE(MistakeIn(R"({"global": "input", "module": "other"})").find("args[0].module"),
            std::string::npos);
  EXPECT_NE(MistakeIn(R"({"global": 1})").find("args[0].global"), std::string::npos);
}

TEST(ProgramOperand, LoadsWithinLoads) {
  const v1::Operand operand =
      ParsedOperand(R"({"load32": {"load32": {"column": "seed"}, "add": 4}, "add": 8})").value();
  EXPECT_EQ(operand.add().i32(), 8);
  const v1::Operand& pointer = operand.load32().pointer();
  EXPECT_EQ(pointer.add().i32(), 4);
  EXPECT_EQ(pointer.load32().pointer().column(), 0u);
  EXPECT_EQ(ParsedOperand(R"({"load32": 1024})").value().load32().pointer().constant().i32(), 1024);
  EXPECT_NE(MistakeIn(R"({"load32": {"load32": []}})").find("args[0].load32.load32"),
            std::string::npos);
}

TEST(ProgramOperand, ADeepNestIsRefusedBeforeItIsRead) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += R"({"load32":)";
  deep += "0" + std::string(100000, '}');
  EXPECT_NE(MistakeIn(deep).find("nests deeper than [64]"), std::string::npos);
}

TEST(ProgramOperand, OneSourceEach) {
  for (const char* two :
       {R"({"column": "seed", "load32": 0})", R"({"global": "g", "result": [0, 0]})",
        R"({"add": 1})", R"({"column": "seed", "column_length": "text", "add": 1})"}) {
    EXPECT_NE(MistakeIn(two), "") << two;
  }
  EXPECT_NE(MistakeIn("{}").find("one of [column], [column_length], [result], [global], [load32]"),
            std::string::npos);
}

}  // namespace
}  // namespace wb::cli
