#include "daemon/store/durable/job_record_text.h"

#include <gtest/gtest.h>

#include "daemon/store/durable/instance_text.h"

namespace wb {
namespace {

TEST(JobRecordText, ReadsWhatWasWritten) {
  DurableRecord record;
  record.info.state = JobState::kRunning;
  record.info.device = "cuda0";
  record.info.placement_reason = "It is \"free\".";
  record.info.history = {{JobState::kQueued, 5}, {JobState::kRunning, 7}};
  record.info.usage.fuel = UINT64_MAX;
  record.info.version = 9;
  record.totals.counts.finished = 12;
  record.totals.counts.by_end[static_cast<int>(End::kTrapped)] = 4;
  record.totals.fuel = 77;
  record.body = Sha256(AsBytes("body"));
  record.request_id = "one";
  record.attempt = 3;
  record.first_turn_unix_ns = 7;
  const Result<DurableRecord> read = DecodeRecord(EncodeRecord(record));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(EncodeRecord(*read), EncodeRecord(record));
  EXPECT_EQ(read->info.state, JobState::kRunning);
  EXPECT_EQ(read->info.history.size(), 2u);
  EXPECT_EQ(read->info.usage.fuel, UINT64_MAX);
  EXPECT_EQ(read->totals.counts.by_end[static_cast<int>(End::kTrapped)], 4u);
  EXPECT_EQ(read->body, record.body);
  EXPECT_EQ(read->attempt, 3u);
}

TEST(JobRecordText, ACheckpointedJobAndItsNewPlacement) {
  DurableRecord record;
  record.info.state = JobState::kCheckpointed;
  record.info.usage.lost_states = 12;
  record.placement = Placement::kInterpreter;
  const Result<DurableRecord> read = DecodeRecord(EncodeRecord(record));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->info.state, JobState::kCheckpointed);
  EXPECT_EQ(read->info.usage.lost_states, 12u);
  EXPECT_EQ(read->placement, Placement::kInterpreter);
  EXPECT_FALSE(DecodeRecord(EncodeRecord({}))->placement.has_value());
}

TEST(JobRecordText, DamagedTextsAreRefused) {
  const std::string text = EncodeRecord({});
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(DecodeRecord(text.substr(0, size)).ok());
  }
  EXPECT_FALSE(DecodeRecord("{}").ok());
  EXPECT_FALSE(DecodeRecord("[1, 2]").ok());
  std::string other = text;
  other.replace(other.find("QUEUED"), 6, "WAITED");
  EXPECT_FALSE(DecodeRecord(other).ok());
}

TEST(InstanceText, ReadsWhatWasWritten) {
  const std::vector<InstanceRange> ranges = {
      {100, 5}, {3, 1}, {uint64_t{1} << 40, uint64_t{1} << 39}, {50, 50}};
  InstanceSet set;
  ASSERT_TRUE(AddInstances(EncodeInstances(ranges), &set).ok());
  EXPECT_EQ(set.ranges(),
            (std::vector<InstanceRange>{{3, 1}, {50, 55}, {uint64_t{1} << 40, uint64_t{1} << 39}}));
  EXPECT_FALSE(AddInstances(EncodeInstances({{300, 5}}).substr(0, 1), &set).ok());
  EXPECT_TRUE(AddInstances("", &set).ok());
}

}  // namespace
}  // namespace wb
