#include "daemon/services/restore.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/checkpoints/checkpoints.h"
#include "daemon/store/durable/job_record_text.h"
#include "daemon/store/names.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

// Ended jobs, of which it tells only as many as it is asked to before it does not answer.
class BrokenOffStore : public DurableStore {
 public:
  explicit BrokenOffStore(const size_t* told) : told_(*told) {}
  Status Commit(const StoreChange& /*change*/) override { return {}; }
  Status LoadJobs(const std::function<Status(JobRow, std::vector<BlockHead>)>& visit) override {
    const std::vector<std::string> ids = {"a", "b", "c"};
    for (size_t i = 0; i < ids.size(); ++i) {
      if (i == told_) return Status(Reason::kMachineFault, "It does not answer.");
      WB_TRY(visit(Ended(ids[i]), {}));
    }
    return {};
  }
  Result<BlockRow> ReadBlock(const std::string& /*job*/, uint64_t /*position*/) override {
    return Status(Reason::kNotFound, "There is none.");
  }
  Result<std::string> ReadRequest(const std::string& /*job*/) override { return std::string(); }
  void Tidy() override {}

 private:
  static JobRow Ended(const std::string& id) {
    wasmburst::v1::Job shown;
    shown.set_instances(1);
    shown.set_module(ModuleName(Sha256(AsBytes("module"))));
    DurableRecord record;
    record.info.state = JobState::kSucceeded;
    record.info.history = {{JobState::kQueued, 1}, {JobState::kSucceeded, 2}};
    return {id, "", shown.SerializeAsString(), EncodeRecord(record), true};
  }
  const size_t& told_;
};

TEST(RestoreJobsTest, WhatARestoreThatBrokeOffHasRestoredIsThereOnceAfterTheNext) {
  size_t told = 2;
  DurableJobStore::Limits limits;
  limits.jobs = {100, {uint64_t{1} << 30, 0, uint64_t{1} << 30}, 1'000'000'000};
  limits.max_memory_bytes = 1 << 20;
  const auto store = std::make_shared<DurableJobStore>(std::make_unique<BrokenOffStore>(&told),
                                                       limits, [] { return int64_t{3}; });
  ServiceContext context;
  Checkpoints::Parts keeping;
  keeping.files = StateFiles::Open("", {1000, 1000}).value();
  keeping.store = store;
  context.checkpoints = std::make_shared<Checkpoints>(std::move(keeping));

  EXPECT_EQ(RestoreJobs(context, store.get()).reason(), Reason::kMachineFault);
  EXPECT_EQ(store->List({}, "", 100).jobs.size(), 2u);
  told = 3;
  EXPECT_EQ(RestoreJobs(context, store.get()).message(), "");
  const std::vector<JobInfo> jobs = store->List({}, "", 100).jobs;
  ASSERT_EQ(jobs.size(), 3u);
  for (const JobInfo& job : jobs) EXPECT_EQ(job.state, JobState::kSucceeded) << job.id;
  EXPECT_EQ(store->Figures().jobs, 3u);
}

}  // namespace
}  // namespace wb
