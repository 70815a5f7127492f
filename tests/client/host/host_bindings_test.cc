// Which imports --host answers.

#include "client/cli/host/host_bindings.h"

#include <gtest/gtest.h>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

void AddImport(v1::Module* module, const std::string& from, const std::string& name,
               const std::string& kind, const std::string& type) {
  v1::ModuleImport* import = module->add_imports();
  import->set_module(from);
  import->set_name(name);
  import->set_kind(kind);
  import->set_type(type);
}

TEST(HostBindings, WhatNothingGivesIsBoundByName) {
  v1::Module module;
  AddImport(&module, "env", "f", "function", "() -> ()");
  AddImport(&module, "env", "f", "function", "() -> ()");
  AddImport(&module, "env", "bound", "function", "() -> ()");
  AddImport(&module, "env", "base", "global", "i32");
  AddImport(&module, "js", "log", "function", "() -> ()");
  AddImport(&module, "lib", "g", "function", "() -> ()");
  AddImport(&module, "wasi_snapshot_preview1", "proc_exit", "function", "(i32) -> ()");
  v1::Job job;
  job.add_linked()->set_name("lib");
  job.add_bindings()->set_import("env.bound");
  job.add_bindings()->set_import("js.*");
  EXPECT_FALSE(BindsToHost(job));
  BindRestToHost({module}, &job);
  ASSERT_EQ(job.bindings_size(), 3);
  EXPECT_EQ(job.bindings(2).import(), "env.f");
  EXPECT_TRUE(job.bindings(2).has_host());
  EXPECT_TRUE(BindsToHost(job));
}

TEST(HostBindings, TypesOfResultsAreReadFromTheImports) {
  v1::Module module, other;
  AddImport(&module, "env", "none", "function", "(i32, i64) -> ()");
  AddImport(&module, "env", "one", "function", "(i32) -> i64");
  AddImport(&module, "env", "two", "function", "() -> (f32, v128)");
  AddImport(&module, "env", "odd", "function", "() -> exnref");
  AddImport(&module, "env", "both", "function", "() -> i32");
  AddImport(&other, "env", "both", "function", "() -> i64");
  AddImport(&other, "env", "one", "function", "(f64) -> i64");
  const ResultTypes types = ResultTypesOf({module, other});
  EXPECT_EQ(types.size(), 3u);
  EXPECT_TRUE(types.at("env.none").empty());
  EXPECT_EQ(types.at("env.one"), std::vector<v1::ValueType>{v1::I64});
  EXPECT_EQ(types.at("env.two"), (std::vector<v1::ValueType>{v1::F32, v1::V128}));
}

}  // namespace
}  // namespace wb::cli
