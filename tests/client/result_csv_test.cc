#include "client/cli/output/result_csv.h"

#include <gtest/gtest.h>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

v1::Module TwoFunctions() {
  v1::Module module;
  v1::ModuleExport* one = module.add_exports();
  one->set_name("one");
  one->set_kind("function");
  one->add_results(v1::I32);
  v1::ModuleExport* two = module.add_exports();
  two->set_name("two");
  two->set_kind("function");
  two->add_results(v1::F64);
  two->add_results(v1::I64);
  v1::ModuleExport* none = module.add_exports();
  none->set_name("none");
  none->set_kind("function");
  return module;
}

v1::Job Calling(const std::vector<std::string>& functions) {
  v1::Job job;
  for (const std::string& name : functions) job.add_steps()->mutable_call()->set_function(name);
  return job;
}

std::string HeaderOf(const v1::Job& job) {
  return ResultCsv::Plan(job, {{"", TwoFunctions()}}, {}).value().Header();
}

TEST(ResultCsv, ColumnsAreNamedByWhatTheJobCalls) {
  EXPECT_EQ(HeaderOf(Calling({"one"})), "instance,end,fuel,device,result,trap\n");
  EXPECT_EQ(HeaderOf(Calling({"none", "two"})), "instance,end,fuel,device,result0,result1,trap\n");
  EXPECT_EQ(HeaderOf(Calling({"one", "two"})), "instance,end,fuel,device,one,two.0,two.1,trap\n");
  EXPECT_EQ(HeaderOf(Calling({"one", "none", "one"})),
            "instance,end,fuel,device,0.one,2.one,trap\n");
  EXPECT_EQ(ResultCsv::Plan(Calling({"other"}), {{"", TwoFunctions()}}, {}).status().reason(),
            Reason::kEntryPointNotFound);
}

TEST(ResultCsv, ARowHasValuesOutputsAndInputs) {
  v1::Job job = Calling({"none", "two"});
  job.add_steps()->mutable_read()->set_output("sha");
  ResultShown shown{OutputForm::kHex, {{"file, name", {"in/\"a\""}, std::nullopt, true}}};
  const ResultCsv csv = ResultCsv::Plan(job, {{"", TwoFunctions()}}, shown).value();
  EXPECT_EQ(csv.Header(), "instance,end,fuel,device,\"file, name\",result0,result1,sha,trap\n");
  v1::InstanceResult result;
  result.set_instance(7);
  result.set_end(v1::RETURNED);
  result.set_fuel(12);
  result.set_device("cpu0");
  result.add_steps();
  v1::StepResult* step = result.add_steps();
  step->add_values()->set_f64_bits(0x3fb999999999999a);
  step->add_values()->set_i64(-1);
  result.add_steps();
  v1::Output* output = result.add_outputs();
  output->set_name("sha");
  output->set_data(std::string("\0\xff", 2));
  EXPECT_EQ(csv.Row(result), "7,RETURNED,12,cpu0,\"in/\"\"a\"\"\",0.1,-1,00ff,\n");
}

TEST(ResultCsv, ATrapLeavesItsFieldsEmpty) {
  const ResultCsv csv = ResultCsv::Plan(Calling({"one"}), {{"", TwoFunctions()}}, {}).value();
  v1::InstanceResult result;
  result.set_end(v1::TRAPPED);
  result.mutable_trap()->set_message("integer divide by zero");
  EXPECT_EQ(csv.Row(result), "0,TRAPPED,0,,,\"integer divide by zero (function 0, offset 0x0)\"\n");
}

TEST(ResultCsv, FieldsAreQuotedWhereTheyNeedIt) {
  EXPECT_EQ(CsvField("plain"), "plain");
  EXPECT_EQ(CsvField(""), "");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(CsvField(" x"), "\" x\"");
}

}  // namespace
}  // namespace wb::cli
