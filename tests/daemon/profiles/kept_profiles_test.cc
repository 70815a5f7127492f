#include "daemon/profiles/kept_profiles.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "daemon/profiles/job_profiles.h"
#include "daemon/profiles/profile_view.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

v1::Profile ProfileNamed(const std::string& job, size_t bytes = 0) {
  v1::Profile profile;
  profile.set_job(job);
  profile.set_note(std::string(bytes, 'x'));
  return profile;
}

class KeptProfilesTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_profiles_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
};

TEST_F(KeptProfilesTest, TheyStayUntilTheirJobsGo) {
  for (const std::string& folder : {std::string(), folder_ + "/profiles"}) {
    const auto kept = KeptProfiles::Open(folder).value();
    ASSERT_TRUE(kept->Put(ProfileNamed("jobs/a")).ok());
    ASSERT_TRUE(kept->Put(ProfileNamed("jobs/b")).ok());
    EXPECT_EQ(kept->Get("jobs/a")->job(), "jobs/a");
    kept->Forget([](const std::string& job) { return job == "jobs/b"; });
    EXPECT_FALSE(kept->Get("jobs/a"));
    EXPECT_TRUE(kept->Get("jobs/b"));
  }
  const auto again = KeptProfiles::Open(folder_ + "/profiles").value();
  EXPECT_FALSE(again->Get("jobs/a"));
  EXPECT_TRUE(again->Get("jobs/b"));
}

TEST_F(KeptProfilesTest, TheOldestMakeRoom) {
  const auto kept = KeptProfiles::Open("").value();
  for (int i = 0; i < 5; ++i) {
    const std::string job = "jobs/" + std::to_string(i);
    ASSERT_TRUE(kept->Put(ProfileNamed(job, KeptProfiles::kMostBytes / 3)).ok());
  }
  EXPECT_FALSE(kept->Get("jobs/2"));
  EXPECT_TRUE(kept->Get("jobs/3"));
  EXPECT_TRUE(kept->Get("jobs/4"));
}

TEST(ProfileViewTest, LoopsArePartsOfTheirFunctions) {
  v1::Profile profile;
  profile.set_loops(true);
  for (const uint32_t loop : {0u, 16u}) {
    v1::ProfileFrame* frame = profile.add_frames();
    frame->set_function(7);
    frame->set_loop(loop);
  }
  profile.add_frames()->set_function(8);
  const auto add = [&profile](uint32_t parent, uint32_t frame, uint64_t calls, uint64_t fuel) {
    v1::ProfileNode* node = profile.add_nodes();
    node->set_parent(parent);
    node->set_frame(frame);
    node->set_calls(calls);
    node->set_fuel(fuel);
  };
  // A function that calls another one, in a loop and outside of it.
  add(0, 0, 0, 1);
  add(0, 0, 1, 10);
  add(1, 1, 5, 100);
  add(1, 2, 2, 1000);
  add(2, 2, 3, 10000);
  const v1::Profile view = WithoutLoops(profile);
  EXPECT_FALSE(view.loops());
  ASSERT_EQ(view.nodes_size(), 3);
  EXPECT_EQ(view.nodes(0).fuel(), 1u);
  EXPECT_EQ(view.nodes(1).fuel(), 110u);
  EXPECT_EQ(view.nodes(1).calls(), 1u);
  EXPECT_EQ(view.nodes(2).parent(), 1u);
  EXPECT_EQ(view.nodes(2).frame(), 2u);
  EXPECT_EQ(view.nodes(2).fuel(), 11000u);
  EXPECT_EQ(view.nodes(2).calls(), 5u);
}

TEST(JobProfilesTest, AProfileTakesAPartOfItsJobsTime) {
  ProfileLimits limits;
  JobUsage usage;
  usage.device_time = std::chrono::seconds(2);
  EXPECT_EQ(TimeOfProfile(usage, limits), std::chrono::milliseconds(140));
  usage.device_time = std::chrono::hours(2);
  EXPECT_EQ(TimeOfProfile(usage, limits), limits.time);
  limits.share_percent = 50;
  usage.device_time = std::chrono::seconds(2);
  EXPECT_EQ(TimeOfProfile(usage, limits), std::chrono::milliseconds(700));
}

}  // namespace
}  // namespace wb
