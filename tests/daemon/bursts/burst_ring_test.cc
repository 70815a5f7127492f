// What readers of the ring of bursts get.

#include "daemon/bursts/burst_ring.h"

#include <gtest/gtest.h>

#include "daemon/bursts/burst_log.h"
#include "daemon/bursts/burst_token.h"

namespace wb {
namespace {

class BurstRingTest : public testing::Test {
 protected:
  void Add(const std::string& device, int count = 1) {
    for (int i = 0; i < count; ++i) {
      BurstRecord burst;
      burst.device = device;
      burst.number = ++numbers_[device];
      ring_.Add(0, burst);
    }
  }
  // "cpu0:1 cuda0:1", from the place on, which goes on.
  std::string Read(BurstPlace* place, const std::string& device = "", size_t most = 100) {
    BurstRing::Page page = ring_.Read(*place, device, most);
    *place = page.place;
    missed_ += page.missed;
    std::string text;
    for (const KeptBurstRef& burst : page.bursts) {
      text += (text.empty() ? "" : " ") + burst->burst.device + ":" +
              std::to_string(burst->burst.number);
    }
    return text;
  }

  std::map<std::string, uint64_t> numbers_;
  BurstRing ring_{3};
  uint64_t missed_ = 0;
};

TEST_F(BurstRingTest, BurstsComeInTheOrderInWhichTheyEnded) {
  Add("cuda0");
  Add("cpu0", 2);
  Add("cuda0");
  BurstPlace place = ring_.Begin();
  EXPECT_EQ(Read(&place, "", 3), "cuda0:1 cpu0:1 cpu0:2");
  EXPECT_EQ(Read(&place, "", 3), "cuda0:2");
  EXPECT_EQ(Read(&place), "");
  Add("cpu0");
  EXPECT_EQ(Read(&place), "cpu0:3");
  EXPECT_EQ(missed_, 0u);
}

TEST_F(BurstRingTest, OneDeviceAlone) {
  Add("cuda0");
  Add("cpu0");
  BurstPlace place;
  EXPECT_EQ(Read(&place, "cpu0"), "cpu0:1");
  EXPECT_EQ(Read(&place, "gone"), "");
  EXPECT_EQ(Read(&place), "cuda0:1") << "of the others nothing was read";
}

TEST_F(BurstRingTest, WhoComesLateMissesNothingAndWhoIsSlowIsToldOnce) {
  Add("cpu0", 5);
  BurstPlace late = ring_.Begin();
  EXPECT_EQ(Read(&late), "cpu0:3 cpu0:4 cpu0:5");
  EXPECT_EQ(missed_, 0u);
  BurstPlace slow = late;
  Add("cpu0", 7);
  Add("cuda0", 4);  // came after the place was taken
  EXPECT_EQ(Read(&slow, "", 1), "cpu0:10");
  EXPECT_EQ(missed_, 4u + 1);
  EXPECT_EQ(Read(&slow), "cpu0:11 cpu0:12 cuda0:2 cuda0:3 cuda0:4");
  EXPECT_EQ(missed_, 4u + 1);
}

TEST(BurstToken, APlaceAsTextAndBack) {
  const BurstToken token{1234567890123456789, {{"cpu0", 7}, {"cuda0", 0}}};
  const Result<BurstToken> read = ParseBurstToken(MakeBurstToken(token));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->daemon, token.daemon);
  EXPECT_EQ(read->place, token.place);
  EXPECT_TRUE(ParseBurstToken("12").ok());
  for (const char* bad : {"x", ";", "1;cpu0", "1;cpu0:", "1;:3", "1;cpu0:-1", "1;cpu0:1x"}) {
    EXPECT_EQ(ParseBurstToken(bad).status().reason(), Reason::kInvalidArgument) << bad;
  }
  EXPECT_FALSE(ParseBurstToken("1;" + std::string(10000, 'a') + ":1").ok());
}

TEST(BurstLog, AStartIsReckonedBackFromNowAndListenersAreCalledUntilTheyGo) {
  BurstLog log([] { return int64_t{1'000'000}; }, 2);
  int calls = 0;
  std::shared_ptr<void> handle = log.Subscribe([&calls] { ++calls; });
  BurstRecord burst;
  burst.device = "cpu0";
  burst.number = 1;
  burst.since_start = std::chrono::nanoseconds(400'000);
  log.OnBurst(burst);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(log.Read({}, "", 10).bursts.at(0)->start_unix_ns, 600'000);
  handle.reset();
  log.OnBurst(burst);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace wb
