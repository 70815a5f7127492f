// Jobs' states alone: each move in each state, what it says where it is refused, and what is kept
// of it.

#include "daemon/store/memory/job_states.h"

#include <gtest/gtest.h>

#include <string>

#include "daemon/store/memory/job_book.h"

namespace wb {
namespace {

constexpr int64_t kCreated = 1'700'000'000'000'000'000;

class JobStatesTest : public testing::Test {
 protected:
  // A new job in this state.
  std::string In(JobState state) {
    JobRequest request;
    request.instances = 10;
    JobRecord& record = table_.Insert(table_.NewInfo(std::move(request)));
    record.published = true;
    record.leaving = state == JobState::kCheckpointed;
    table_.SetState(&record, state, now_);
    return record.info.id;
  }
  JobState StateOf(const std::string& id) { return table_.Find(id)->info.state; }

  int64_t now_ = kCreated;
  JobTable table_{[this] { return now_; }};
  JobStates states_{&table_, [this] { return now_; }, nullptr};
};

constexpr JobState kOpen[] = {JobState::kQueued, JobState::kCompiling, JobState::kRunning};
constexpr JobState kEnded[] = {JobState::kSucceeded, JobState::kFailed, JobState::kCancelled};

TEST_F(JobStatesTest, WhatHasNotEndedMayBeCancelled) {
  for (const JobState state : kOpen) {
    const std::string id = In(state);
    EXPECT_EQ(states_.Cancel(id)->state, JobState::kCancelling) << JobStateName(state);
    EXPECT_EQ(states_.Cancel(id)->state, JobState::kCancelling) << JobStateName(state);
  }
  const std::string left = In(JobState::kCheckpointed);
  EXPECT_EQ(states_.Cancel(left)->state, JobState::kCancelling);
  EXPECT_FALSE(states_.IsLeaving(left));
  for (const JobState state : kEnded) {
    EXPECT_EQ(states_.Cancel(In(state)).status().reason(), Reason::kJobTerminal);
  }
}

TEST_F(JobStatesTest, OnlyWhatGoesOnMayLeaveAndOnlyOnce) {
  for (const JobState state : kOpen) {
    const std::string id = In(state);
    ASSERT_TRUE(states_.Leave(id).ok()) << JobStateName(state);
    EXPECT_EQ(states_.Leave(id).reason(), Reason::kInvalidArgument);
    EXPECT_EQ(StateOf(id), state) << "its scheduler has not stopped it";
    states_.StayOn(id);
    EXPECT_TRUE(states_.Leave(id).ok());
  }
  EXPECT_EQ(states_.Leave(In(JobState::kCheckpointed)).reason(), Reason::kInvalidArgument);
  EXPECT_EQ(states_.Leave(In(JobState::kCancelling)).reason(), Reason::kJobTerminal);
  for (const JobState state : kEnded) {
    EXPECT_EQ(states_.Leave(In(state)).reason(), Reason::kJobTerminal);
  }
}

TEST_F(JobStatesTest, OnlyACheckpointedJobIsResumed) {
  const std::string left = In(JobState::kCheckpointed);
  EXPECT_EQ(states_.Resume(left, {})->state, JobState::kQueued);
  EXPECT_FALSE(states_.IsLeaving(left));
  for (int state = 0; state < static_cast<int>(JobState::kCheckpointed); ++state) {
    const std::string id = In(static_cast<JobState>(state));
    EXPECT_EQ(states_.Resume(id, {}).status().reason(), Reason::kInvalidArgument) << state;
  }
}

TEST_F(JobStatesTest, OnlyWhatHasEndedIsDeleted) {
  for (int state = 0; state <= static_cast<int>(JobState::kCheckpointed); ++state) {
    const auto its = static_cast<JobState>(state);
    const Result<JobRecord*> record = states_.Deletable(In(its));
    EXPECT_EQ(record.ok(), IsTerminal(its)) << JobStateName(its);
    EXPECT_EQ(record.status().reason(), record.ok() ? Reason::kOk : Reason::kJobRunning);
  }
}

TEST_F(JobStatesTest, ProgressMovesOnlyWhatGoesOn) {
  JobProgress progress;
  progress.phase = JobPhase::kRunning;
  progress.device = "gpu0";
  for (const JobState state : kOpen) {
    const std::string id = In(state);
    states_.SetProgress(id, progress);
    EXPECT_EQ(StateOf(id), JobState::kRunning) << JobStateName(state);
  }
  for (const JobState state : {JobState::kCancelling, JobState::kCheckpointed}) {
    const std::string id = In(state);
    states_.SetProgress(id, progress);
    EXPECT_EQ(StateOf(id), state);
    EXPECT_EQ(table_.Find(id)->info.device, "gpu0") << "the rest of it is shown";
  }
  for (const JobState state : kEnded) {
    const std::string id = In(state);
    states_.SetProgress(id, progress);
    EXPECT_EQ(table_.Find(id)->info.device, "");
  }
}

TEST_F(JobStatesTest, EachStateIsInTheHistoryOnceWithItsTime) {
  const std::string id = In(JobState::kQueued);
  JobProgress progress;
  progress.phase = JobPhase::kRunning;
  now_ += 5;
  states_.SetProgress(id, progress);
  now_ += 5;
  states_.SetProgress(id, progress);
  states_.Stop(table_.Find(id), {JobState::kSucceeded, {}}, {}, kCreated + 20);
  const std::vector<JobStateChange>& history = table_.Find(id)->info.history;
  ASSERT_EQ(history.size(), 3u);
  EXPECT_EQ(history[1].state, JobState::kRunning);
  EXPECT_EQ(history[1].unix_ns, kCreated + 5);
  EXPECT_EQ(history[2].state, JobState::kSucceeded);
  EXPECT_EQ(history[2].unix_ns, kCreated + 20);
  EXPECT_EQ(table_.by_state()[static_cast<size_t>(JobState::kRunning)], 0u);
}

// A store on disk hears of what is gone, and of results that were dropped.
TEST(JobBookTest, ItsObserverHearsWhatIsForgotten) {
  JobBook book(
      {2, {1 << 20, 0, 100'000}, 1000}, [] { return kCreated; }, nullptr);
  std::vector<std::string> forgotten;
  JobBook::Observer observer;
  observer.forgotten = [&](const std::string& id) { forgotten.push_back(id); };
  book.Observe(std::move(observer));
  JobRequest request;
  request.instances = 1;
  const std::string first = book.Create(request)->job.id;
  const std::string second = book.Create(request)->job.id;
  book.states().Publish(first);
  EXPECT_EQ(book.Create(request).status().reason(), Reason::kQueueFull);
  book.End(first, {}, false, {}, kCreated);
  EXPECT_TRUE(book.Create(request).ok()) << "the one that has ended goes";
  EXPECT_EQ(forgotten, std::vector<std::string>{first});
  book.Discard(second);
  EXPECT_EQ(forgotten, (std::vector<std::string>{first, second}));
}

}  // namespace
}  // namespace wb
