#include "client/cli/run/prepare_job.h"

#include <gtest/gtest.h>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

v1::ModuleExport* Export(v1::Module* module, const std::string& name, const std::string& kind) {
  v1::ModuleExport* exported = module->add_exports();
  exported->set_name(name);
  exported->set_kind(kind);
  return exported;
}

v1::Module Named() {
  v1::Module module;
  module.set_name("modules/sha256:ab");
  return module;
}

TEST(PrepareJobTest, CallsTheFirstFunctionThatTakesNumbers) {
  v1::Module module = Named();
  Export(&module, "memory", "memory");
  Export(&module, "of_reference", "function")->add_params(v1::FUNCREF);
  v1::ModuleExport* add = Export(&module, "add", "function");
  for (const v1::ValueType type : {v1::I32, v1::I64, v1::F32, v1::F64, v1::V128}) {
    add->add_params(type);
  }
  Export(&module, "later", "function");
  const auto job = PrepareJob(module, {}, "");
  ASSERT_TRUE(job.ok()) << job.status().ToString();
  EXPECT_EQ(job->module(), "modules/sha256:ab");
  EXPECT_EQ(job->instances(), 1u);
  EXPECT_EQ(job->limits().max_fuel(), 1u);
  ASSERT_EQ(job->steps_size(), 1);
  const v1::CallStep& call = job->steps(0).call();
  EXPECT_EQ(call.function(), "add");
  ASSERT_EQ(call.args_size(), 5);
  EXPECT_TRUE(call.args(0).constant().has_i32());
  EXPECT_TRUE(call.args(1).constant().has_i64());
  EXPECT_TRUE(call.args(2).constant().has_f32_bits());
  EXPECT_TRUE(call.args(3).constant().has_f64_bits());
  EXPECT_EQ(call.args(4).constant().v128(), std::string(16, '\0'));
  EXPECT_FALSE(job->has_command());
}

// ... with the fuel that what it does before its instances may differ can take.
TEST(PrepareJobTest, CallsTheFunctionThatIsNamed) {
  v1::Module module = Named();
  Export(&module, "_start", "function");
  Export(&module, "add", "function");
  Export(&module, "later", "function")->add_params(v1::I64);
  const auto job = PrepareJob(module, {}, "later");
  ASSERT_TRUE(job.ok()) << job.status().ToString();
  EXPECT_FALSE(job->has_command());
  EXPECT_EQ(job->steps(0).call().function(), "later");
  EXPECT_EQ(job->limits().max_fuel(), 1u << 24);
  const Status refused = PrepareJob(module, {}, "missing").status();
  EXPECT_EQ(refused.reason(), Reason::kEntryPointNotFound);
  EXPECT_NE(refused.message().find("[missing]"), std::string::npos);
}

TEST(PrepareJobTest, AProgramBeginsAsOne) {
  v1::Module module = Named();
  Export(&module, "_start", "function");
  const auto job = PrepareJob(module, {}, "");
  ASSERT_TRUE(job.ok()) << job.status().ToString();
  EXPECT_TRUE(job->has_command());
  EXPECT_EQ(job->steps_size(), 0);
}

TEST(PrepareJobTest, BindingsAreThoseOfJobs) {
  v1::Module module = Named();
  Export(&module, "run", "function");
  const auto job = PrepareJob(module, {"env.log=ignore"}, "");
  ASSERT_TRUE(job.ok()) << job.status().ToString();
  ASSERT_EQ(job->bindings_size(), 1);
  EXPECT_EQ(PrepareJob(module, {"env.log"}, "").status().reason(), Reason::kInvalidArgument);
}

TEST(PrepareJobTest, WithoutAFunctionThereIsNothingToBuildFor) {
  v1::Module module = Named();
  Export(&module, "of_reference", "function")->add_params(v1::EXTERNREF);
  const auto job = PrepareJob(module, {}, "");
  EXPECT_EQ(job.status().reason(), Reason::kEntryPointNotFound);
}

}  // namespace
}  // namespace wb::cli
