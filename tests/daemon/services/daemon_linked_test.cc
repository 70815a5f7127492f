// Jobs of several modules over the wire.

#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "tests/daemon/services/daemon_fixture.h"

#include <algorithm>
#include <string_view>

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr std::string_view kLibrary = R"((module (memory (export "memory") 1)
  (func (export "twice") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))))";
constexpr std::string_view kMain = R"((module
  (import "env" "twice" (func $twice (param i32) (result i32)))
  (func (export "identity") (param i32) (result i32) (call $twice (local.get 0)))))";

class DaemonLinkedTest : public DaemonTest {
 protected:
  std::string PushText(std::string_view wat) {
    return PushModule(*client_, cli::AssembleWat(std::string(wat), "linked.wat").value())
        .value()
        .name();
  }
  v1::CreateJobRequest Linked(const std::string& name, std::string_view library,
                              std::string_view main) {
    v1::CreateJobRequest request = Request("identity", 5);
    request.mutable_job()->set_module(PushText(main));
    v1::LinkedModule* linked = request.mutable_job()->add_linked();
    linked->set_name(name);
    linked->set_module(PushText(library));
    return request;
  }
};

TEST_F(DaemonLinkedTest, ModulesAreLinkedByName) {
  Start();
  const v1::CreateJobRequest request = Linked("env", kLibrary, kMain);
  const v1::Job job = CreateJob(*client_, request).value();
  ASSERT_EQ(job.linked_size(), 1);
  EXPECT_EQ(job.linked(0).name(), "env");
  EXPECT_EQ(job.linked(0).module(), request.job().linked(0).module());
  EXPECT_EQ(job.module(), request.job().module());
}

TEST_F(DaemonLinkedTest, AStepNamesTheModuleThatItCalls) {
  Start();
  v1::CreateJobRequest request = Linked("env", kLibrary, kMain);
  v1::CallStep* call = request.mutable_job()->mutable_steps(0)->mutable_call();
  call->set_function("twice");
  request.set_validate_only(true);
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kEntryPointNotFound);
  call->set_module("env");
  EXPECT_TRUE(CreateJob(*client_, request).ok());
  call->set_module("nobody");
  const Status status = CreateJob(*client_, request).status();
  EXPECT_EQ(status.reason(), Reason::kEntryPointNotFound);
  EXPECT_NE(status.message().find("[nobody]"), std::string::npos) << status.message();
}

TEST_F(DaemonLinkedTest, WhatCannotBeLinkedIsRefusedByName) {
  Start();
  v1::CreateJobRequest request = Linked("other", kLibrary, kMain);
  Status status = CreateJob(*client_, request).status();
  EXPECT_EQ(status.reason(), Reason::kImportNotProvided);
  EXPECT_NE(status.message().find("[env.twice]"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("unknown import"), std::string::npos) << status.message();
  request = Linked("env", R"((module (func (export "twice"))))", kMain);
  status = CreateJob(*client_, request).status();
  EXPECT_NE(status.message().find("incompatible import type"), std::string::npos)
      << status.message();
  EXPECT_EQ(ListJobs(*client_, {}).value().jobs_size(), 0);
}

TEST_F(DaemonLinkedTest, BadNamesAreRefused) {
  Start();
  v1::CreateJobRequest request = Linked("", kLibrary, kMain);
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kInvalidArgument);
  request = Linked("env", kLibrary, kMain);
  *request.mutable_job()->add_linked() = request.job().linked(0);
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kInvalidArgument);
  request = Linked("env", kLibrary, kMain);
  request.mutable_job()->mutable_linked(0)->set_module("modules/sha256:" + std::string(64, '0'));
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kModuleMissing);
  request = Linked("env", kLibrary, kMain);
  request.mutable_job()->clear_linked();
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kImportNotProvided);
}

TEST_F(DaemonLinkedTest, AllModulesTogetherAreBounded) {
  uint64_t most = 0;
  // Room for each of them, and for no two.
  for (std::string_view wat : {kLibrary, kMain, std::string_view(kFakeModule)}) {
    const std::string wasm = cli::AssembleWat(std::string(wat), "linked.wat").value();
    config_.max_module_bytes = std::max<uint64_t>(most, wasm.size());
    most = config_.max_module_bytes;
  }
  Start();
  const v1::CreateJobRequest request = Linked("env", kLibrary, kMain);
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kLimitTooHigh);
}

}  // namespace
}  // namespace wb
