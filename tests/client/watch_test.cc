#include "client/cli/invocation/watch.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "wasmburst/v1/jobs.pb.h"

namespace wb::cli {
namespace {

TEST(ChangedMessages, OnlyWhatIsNewOrHasChangedIsALine) {
  ChangedMessages changed;
  wasmburst::v1::Job job;
  job.set_name("jobs/1");
  const auto first = nlohmann::json::parse(changed.LineOf("jobs/1", job, 5));
  EXPECT_EQ(first["time_unix_ms"], 5);
  EXPECT_EQ(first["name"], "jobs/1");
  EXPECT_EQ(changed.LineOf("jobs/1", job, 6), "");
  job.set_device("cpu0");
  EXPECT_EQ(nlohmann::json::parse(changed.LineOf("jobs/1", job, 7))["device"], "cpu0");
  EXPECT_EQ(changed.LineOf("jobs/2", job, 8).find(R"({"time_unix_ms":8,)"), 0u);
  EXPECT_EQ(changed.LineOf("jobs/3", wasmburst::v1::Job(), 9).find(R"({"time_unix_ms":9)"), 0u);
}

}  // namespace
}  // namespace wb::cli
