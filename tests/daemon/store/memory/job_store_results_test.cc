// Results of jobs: how they are read, and what makes room for them.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "daemon/store/names.h"
#include "tests/daemon/store/memory/job_store_fixture.h"

namespace wb {
namespace {

class JobStoreResultsTest : public JobStoreTest {};

TEST_F(JobStoreResultsTest, ReadsFromEveryPosition) {
  std::string id = NewJob();
  for (uint64_t i = 0; i < 10; i += 3) {
    store_.SinkOf(id)->OnResults(Results(i, std::min<uint64_t>(3, 10 - i)));
  }
  for (uint64_t from = 0; from <= 10; ++from) {
    std::vector<uint64_t> seen;
    uint64_t position = from;
    while (true) {
      Result<ResultRow> row = store_.Read(id, position, 1);
      ASSERT_TRUE(row.ok());
      if (row->slices.empty()) break;
      EXPECT_EQ(row->next, position + 1);  // one at least, one at most
      for (uint64_t instance : InstancesOf(*row)) seen.push_back(instance);
      position = row->next;
    }
    ASSERT_EQ(seen.size(), 10 - from);
    for (size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], from + i);
  }
  EXPECT_EQ(InstancesOf(store_.Read(id, 0, 1 << 20).value()).size(), 10u);
  EXPECT_EQ(store_.Read(id, 11, 1).status().reason(), Reason::kInvalidArgument);
  EXPECT_FALSE(store_.Read(id, 10, 1).value().last);
  store_.SinkOf(id)->OnEnd({}, false, {});
  EXPECT_TRUE(store_.Read(id, 10, 1).value().last);
  EXPECT_FALSE(store_.Read(id, 0, 1).value().last);
}

TEST_F(JobStoreResultsTest, OnlyInstancesThatWriteMuchTakeRoomForMuch) {
  JobRequest request = Request();
  request.most_result_bytes = 60'000;
  request.most_part_bytes = 500;
  const std::string id = store_.Publish(store_.Create(std::move(request))->job.id).id;
  EXPECT_EQ(store_.SinkOf(id)->Reserve(100), 100u) << "of 60,000 there is room for one";
  EXPECT_EQ(store_.SinkOf(id)->WholeRoom(), 1u);
  EXPECT_EQ(store_.SinkOf(id)->Widen(100), 1u);
  EXPECT_EQ(store_.SinkOf(id)->WholeRoom(), 0u);
  store_.SinkOf(id)->OnResults(Results(0, 1, 55'000));
  store_.SinkOf(id)->Narrow(1);
  EXPECT_EQ(store_.SinkOf(id)->WholeRoom(), 0u);
  EXPECT_TRUE(store_.Acknowledge(id, 1).value()) << "there is more room than before";
  EXPECT_EQ(store_.SinkOf(id)->WholeRoom(), 1u);
  store_.SinkOf(id)->Widen(1);
  store_.SinkOf(id)->OnEnd({}, false, {});
  store_.SinkOf(id)->Narrow(1);  // it comes late, and has no effect
}

TEST_F(JobStoreResultsTest, AFullJobWaitsForAcknowledgementAndDropsOldResults) {
  std::string id = NewJob();
  uint64_t made = 0;
  while (store_.SinkOf(id)->Room() > 0) store_.SinkOf(id)->OnResults(Results(made++, 1, 5000));
  EXPECT_GT(made, 15u);
  EXPECT_LT(made, 25u);
  EXPECT_TRUE(store_.Read(id, 0, 1).ok());
  EXPECT_TRUE(store_.Acknowledge(id, made).value());
  EXPECT_GT(store_.SinkOf(id)->Room(), 0u);
  // They stay as long as nothing else wants the room.
  EXPECT_TRUE(store_.Read(id, 0, 1).ok());
  for (int i = 0; i < 10; ++i) store_.SinkOf(id)->OnResults(Results(made++, 1, 5000));
  Result<ResultRow> old = store_.Read(id, 0, 1);
  ASSERT_EQ(old.status().reason(), Reason::kCursorExpired);
  EXPECT_TRUE(store_.Read(id, made - 10, 1).ok());
  EXPECT_LE(store_.Figures().result_bytes, limits_.results.max_job_bytes);
  EXPECT_EQ(store_.Acknowledge(id, made + 1).status().reason(), Reason::kInvalidArgument);
}

TEST_F(JobStoreResultsTest, AcknowledgedResultsNeverHoldUpAnotherJob) {
  // Two running jobs fill the tenant's half with results that were read.
  limits_ = {100, {400'000, 0, 100'000}, 1000};
  MemoryJobStore store(limits_, [this] { return now_; });
  auto new_job = [&] { return store.Publish(store.Create(Request()).value().job.id).id; };
  std::vector<std::string> read = {new_job(), new_job()};
  for (const std::string& id : read) {
    for (int i = 0; i < 18; ++i) store.SinkOf(id)->OnResults(Results(0, 1, 5000));
    EXPECT_TRUE(store.Acknowledge(id, 18).ok());
  }
  const std::string third = new_job();
  for (int i = 0; i < 15; ++i) {
    ASSERT_EQ(store.SinkOf(third)->Reserve(1), 1u) << i;
    store.SinkOf(third)->OnResults(Results(0, 1, 5000));
  }
  EXPECT_LE(store.Figures().result_bytes, 205'000u);
  EXPECT_EQ(store.Get(third)->held_by_results, "");
}

TEST_F(JobStoreResultsTest, InstancesThatEndedWithoutALaunchTakeNoRoom) {
  const std::string id = NewJob();
  store_.SinkOf(id)->OnResults(Results(0, 2));
  store_.SinkOf(id)->OnEnded({2, uint64_t{1} << 40, 3, End::kExpired});
  store_.SinkOf(id)->OnResults(Results(7, 1));
  EXPECT_LT(store_.Figures().result_bytes, 2000u);
  EXPECT_EQ(store_.Get(id)->counts.finished, (uint64_t{1} << 40) + 3);
  EXPECT_EQ(store_.Get(id)->counts.by_end[static_cast<size_t>(End::kExpired)], uint64_t{1} << 40);
  const ResultRow row = store_.Read(id, 1000, 10 * sizeof(InstanceResult)).value();
  ASSERT_EQ(InstancesOf(row).size(), 10u);
  EXPECT_EQ(InstancesOf(row)[0], 1000u);
  EXPECT_EQ(row.slices[0].batch->At(9).attempt, 3u);
  EXPECT_EQ(row.slices[0].batch->At(9).end, End::kExpired);
  EXPECT_EQ(row.available, (uint64_t{1} << 40) + 3 - 1010);
  const ResultRow last = store_.Read(id, (uint64_t{1} << 40) + 1, 1 << 20).value();
  EXPECT_EQ(InstancesOf(last), (std::vector<uint64_t>{(uint64_t{1} << 40) + 1, 7}));
}

TEST_F(JobStoreResultsTest, AJobThatIsHeldSaysWhichResultsHoldIt) {
  JobRequest request = Request();
  request.instances = 1000;
  request.tenant = "a";
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(store_.Publish(store_.Create(request)->job.id).id);
  JobProgress progress;
  progress.phase = JobPhase::kRunning;
  progress.waiting_for = "its turn";
  store_.SinkOf(ids[0])->OnProgress(progress);
  EXPECT_EQ(store_.Get(ids[0])->waiting_for, "its turn");
  while (store_.SinkOf(ids[0])->Room() > 0) store_.SinkOf(ids[0])->OnResults(Results(0, 1, 5000));
  EXPECT_NE(store_.Get(ids[0])->waiting_for.find("its reader: ["), std::string::npos);
  EXPECT_NE(store_.List({}, "", 3).jobs[2].waiting_for.find("results.max_job_bytes"),
            std::string::npos);
  // Others of the tenant, and of other tenants, go on.
  EXPECT_GT(store_.SinkOf(ids[1])->Room(), 0u);
  EXPECT_GT(store_.SinkOf(NewJob())->Room(), 0u);
}

TEST_F(JobStoreResultsTest, AResultLargerThanAJobsBoundStillComes) {
  JobRequest request = Request();
  request.most_result_bytes = 200'000;  // the bound is 100,000
  const std::string id = store_.Publish(store_.Create(request)->job.id).id;
  EXPECT_EQ(store_.SinkOf(id)->Reserve(5), 1u);
  EXPECT_EQ(store_.SinkOf(id)->Room(), 0u);
  // It runs, so it does not wait for its reader.
  EXPECT_EQ(store_.Get(id)->held_by_results, "");
}

TEST_F(JobStoreResultsTest, JobsThatHoldTheRoomAreNamed) {
  limits_ = {100, {400'000, 0, 100'000}, 1000};
  MemoryJobStore store(limits_, [this] { return now_; });
  JobRequest request = Request();
  request.tenant = "a";
  request.instances = 1000;
  auto new_job = [&] { return store.Publish(store.Create(request).value().job.id).id; };
  std::vector<std::string> unread;
  std::string last;
  while (store.SinkOf(last = new_job())->Room() > 0) {
    unread.push_back(last);
    while (store.SinkOf(last)->Reserve(1) > 0) store.SinkOf(last)->OnResults(Results(0, 1, 5000));
  }
  const JobInfo held = store.Get(last).value();
  EXPECT_TRUE(held.held_by_others);
  EXPECT_NE(held.held_by_results.find("results of the tenant [a]"), std::string::npos);
  EXPECT_NE(held.held_by_results.find("[" + JobName(unread[0]) + "]"), std::string::npos);
}

TEST_F(JobStoreResultsTest, ResultsThatNoClientReadsNeverStopASmallJob) {
  limits_ = {100, {1 << 20, 0, 100'000}, 1000};
  MemoryJobStore store(limits_, [this] { return now_; });
  auto new_job = [&](const std::string& tenant) {
    JobRequest request = Request();
    request.instances = 1000;
    request.tenant = tenant;
    return store.Publish(store.Create(request)->job.id).id;
  };
  for (const char* hog : {"a", "b", "c", "d"}) {
    for (int job = 0; job < 10; ++job) {
      const std::string id = new_job(hog);
      for (int i = 0; i < 100 && store.SinkOf(id)->Room() > 0; ++i) {
        store.SinkOf(id)->OnResults(Results(0, 1, 1000));
      }
    }
  }
  EXPECT_LE(store.Figures().result_bytes, limits_.results.max_bytes);
  EXPECT_GE(store.SinkOf(new_job("small"))->Room(), 5u);
}

TEST_F(JobStoreResultsTest, EndedJobsNeverKeepOthersFromRunning) {
  limits_ = {100, {1 << 20, 0, 300'000}, 1000};
  MemoryJobStore store(limits_, [this] { return now_; });
  // As the tour's command, for ever: nothing is read, nothing is deleted.
  for (int round = 0; round < 50; ++round) {
    const std::string id = store.Publish(store.Create(Request()).value().job.id).id;
    for (int i = 0; i < 40; ++i) {
      ASSERT_GT(store.SinkOf(id)->Room(), 0u) << round << " " << i;
      store.SinkOf(id)->OnResults(Results(0, 1, 5000));
    }
    store.SinkOf(id)->OnEnd({}, false, {});
    EXPECT_LE(store.Figures().result_bytes, limits_.results.max_bytes);
  }
}

TEST_F(JobStoreResultsTest, ResultsThatAClientReadsAreKeptForIt) {
  limits_ = {100, {400'000, 400'000, 150'000}, 1000};
  MemoryJobStore store(limits_, [this] { return now_; });
  auto new_job = [&] { return store.Publish(store.Create(Request()).value().job.id).id; };
  auto others = [&] {
    for (int round = 0; round < 10; ++round) {
      const std::string other = new_job();
      for (int i = 0; i < 20; ++i) store.SinkOf(other)->OnResults(Results(0, 1, 5000));
      store.SinkOf(other)->OnEnd({}, false, {});
    }
  };
  const std::string read = new_job();
  for (int i = 0; i < 20; ++i) store.SinkOf(read)->OnResults(Results(0, 1, 5000));
  std::shared_ptr<void> reader = store.Subscribe(read, [] {}).value();
  store.SinkOf(read)->OnEnd({}, false, {});
  others();
  EXPECT_TRUE(store.Read(read, 0, 1).ok());
  reader.reset();
  store.Expire();
  others();
  EXPECT_EQ(store.Read(read, 0, 1).status().reason(), Reason::kCursorExpired);
  EXPECT_EQ(store.Get(read)->results_dropped, 20u);
}

TEST_F(JobStoreResultsTest, EndedJobsGiveUpAcknowledgedResultsFirst) {
  limits_ = {5, {200'000, 200'000, 150'000}, 1000};
  MemoryJobStore store(limits_, [this] { return now_; });
  auto new_job = [&] { return store.Publish(store.Create(Request()).value().job.id).id; };
  std::string read = new_job();
  std::string unread = new_job();
  std::string running = new_job();
  for (const std::string& id : {read, unread}) {
    for (int i = 0; i < 13; ++i) store.SinkOf(id)->OnResults(Results(0, 1, 5000));
    store.SinkOf(id)->OnEnd({}, false, {});
  }
  EXPECT_FALSE(store.Acknowledge(read, 13).value());
  for (int i = 0; i < 14; ++i) store.SinkOf(running)->OnResults(Results(0, 1, 5000));
  EXPECT_GT(store.SinkOf(running)->Room(), 0u);
  EXPECT_EQ(store.Read(read, 0, 1).status().reason(), Reason::kCursorExpired);
  EXPECT_TRUE(store.Read(read, 13, 1).value().last);
  EXPECT_TRUE(store.Read(unread, 0, 1).ok());
}

}  // namespace
}  // namespace wb
