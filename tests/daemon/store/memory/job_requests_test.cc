// What requests hold: of jobs that have not ended, and of those that have.

#include <gtest/gtest.h>

#include "daemon/store/job_holds.h"
#include "daemon/store/memory/memory_job_store.h"

namespace wb {
namespace {

class JobRequestsTest : public testing::Test {
 protected:
  static JobStoreLimits Limits() {
    JobStoreLimits limits;
    limits.max_jobs = 100;
    limits.ttl_ns = 1'000'000'000;
    limits.max_request_bytes = 100'000;
    limits.max_input_bytes = 1000;
    return limits;
  }
  static JobRequest Request(uint64_t bytes, const std::string& tenant = "a") {
    JobRequest request;
    request.instances = 1;
    request.tenant = tenant;
    request.holds.bytes = bytes;
    return request;
  }
  Result<std::string> Create(JobRequest request) {
    WB_ASSIGN(const JobStore::Created created, store_.Create(std::move(request)));
    store_.Publish(created.job.id);
    return created.job.id;
  }
  void End(const std::string& id) { store_.SinkOf(id)->OnEnd({}, false, {}); }

  MemoryJobStore store_{Limits(), [] { return int64_t{1'700'000'000'000'000'000}; }};
};

TEST_F(JobRequestsTest, AreBoundedUntilTheirJobsHaveEnded) {
  const std::string first = Create(Request(40'000)).value();
  const Status refused = Create(Request(20'000)).status();
  EXPECT_EQ(refused.code(), Code::kResourceExhausted);
  EXPECT_NE(refused.message().find("jobs.max_request_bytes [100000]"), std::string::npos)
      << refused.message();
  EXPECT_TRUE(Create(Request(20'000, "b")).ok());
  End(first);
  EXPECT_TRUE(Create(Request(20'000)).ok());
}

TEST_F(JobRequestsTest, ARefusedOrForgottenOneHoldsNothing) {
  for (int i = 0; i < 10; ++i) {
    const JobStore::Created created = store_.Create(Request(40'000)).value();
    store_.Discard(created.job.id);
  }
  EXPECT_EQ(store_.Figures().request_bytes, 0u);
  const std::string id = Create(Request(40'000)).value();
  End(id);
  EXPECT_LT(store_.Figures().request_bytes, 2'000u);
  EXPECT_TRUE(store_.Delete(id).ok());
  EXPECT_EQ(store_.Figures().request_bytes, 0u);
}

TEST_F(JobRequestsTest, InputsThatATenantsJobsUseAreBoundedToo) {
  JobRequest request = Request(1);
  request.inputs.shared = {{Sha256(AsBytes("input")), 400}};
  EXPECT_TRUE(Create(request).ok());
  EXPECT_TRUE(Create(request).ok());
  request.inputs.shared = {{Sha256(AsBytes("other")), 400}};
  const Status refused = Create(request).status();
  EXPECT_EQ(refused.code(), Code::kResourceExhausted);
  EXPECT_NE(refused.message().find("inputs.max_total_bytes [1000]"), std::string::npos)
      << refused.message();
  EXPECT_EQ(store_.Figures().request_bytes, 2u) << "the refused one holds nothing";
}

TEST_F(JobRequestsTest, WhatOperandsPointToIsCounted) {
  Operand global{Operand::Source::kGlobal};
  global.global = std::make_shared<GlobalName>(GlobalName{std::string(1000, 'g'), "module"});
  Operand load{Operand::Source::kLoad32};
  load.pointer = std::make_shared<Operand>(global);
  const uint64_t named = 1006 + sizeof(GlobalName);
  const uint64_t bare = StepBytes({CallStep{"f", {Operand{}}}});
  EXPECT_EQ(StepBytes({CallStep{"f", {global}}}), bare + named);
  EXPECT_EQ(StepBytes({CallStep{"f", {load}}}), bare + named + sizeof(Operand));
  EXPECT_EQ(StepBytes({WriteStep{load, 0}}), sizeof(Step) + named + sizeof(Operand));
  EXPECT_EQ(StepBytes({ReadStep{global, load, "out"}}),
            sizeof(Step) + 3 + 2 * named + sizeof(Operand));
}

TEST_F(JobRequestsTest, AnEndedJobShowsShortStepsAndDropsLongOnes) {
  JobRequest request = Request(1);
  request.steps = {CallStep{"f", {}, false}};
  const std::string brief = Create(request).value();
  request.steps.assign(1000, CallStep{"a_function_with_quite_a_long_name", {}, false});
  const std::string long_one = Create(request).value();
  EXPECT_EQ(store_.Get(long_one)->request->steps.size(), 1000u);
  End(brief);
  End(long_one);
  EXPECT_EQ(store_.Get(brief)->request->steps.size(), 1u);
  EXPECT_TRUE(store_.Get(long_one)->request->steps.empty());
  EXPECT_EQ(store_.Get(long_one)->request->instances, 1u);
}

TEST_F(JobRequestsTest, EndedJobsAreForgottenWhereTheirLabelsHoldTooMuch) {
  JobRequest request = Request(1);
  request.labels["name"] = std::string(1000, 'x');
  std::vector<std::string> ids;
  for (int i = 0; i < 30; ++i) {
    ids.push_back(Create(request).value());
    End(ids.back());
  }
  EXPECT_LE(store_.Figures().request_bytes, 100'000u / 8);
  EXPECT_EQ(store_.Get(ids.front()).status().reason(), Reason::kNotFound);
  EXPECT_TRUE(store_.Get(ids.back()).ok());
}

}  // namespace
}  // namespace wb
