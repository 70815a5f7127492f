#include "scheduler/devices/gpu_search.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wb {
namespace {

Status NoSuchGpu() { return Status(Reason::kConfigInvalid, "no such GPU", {{"gpus", "2"}}); }
Status NoDriver() { return Status(Reason::kConfigInvalid, "no driver"); }
Status Broken() { return Status(Reason::kDeviceLost, "broken"); }
Status NoHost() { return Status(Reason::kIoError, "no host"); }

// What each GPU's start says, by ordinal; what is not here does not exist, of `gpus` counted.
struct Machine {
  uint32_t gpus = 0;
  std::vector<Status> says;
};
struct Found {
  std::vector<uint32_t> tried;
  Status end;
  std::vector<std::string> words;
  uint32_t rounds = 0;
};

Found SearchIn(const Machine& machine, GpuChoice choice) {
  GpuSearch search(std::move(choice));
  Found found;
  for (auto next = search.Next(); !next.empty(); next = search.Next()) {
    ++found.rounds;
    for (const uint32_t ordinal : next) {
      found.tried.push_back(ordinal);
      const Status says = ordinal < machine.says.size() ? machine.says[ordinal] : NoSuchGpu();
      if (says.ok()) {
        search.Opened(machine.gpus);
      } else {
        search.Failed(ordinal, says);
      }
    }
  }
  found.end = search.End();
  found.words = search.Words();
  return found;
}

using Ordinals = std::vector<uint32_t>;

TEST(GpuSearchTest, AllAreAsManyAsTheDriverCounts) {
  const Found found = SearchIn({3, {{}, {}, {}}}, {{}, true});
  EXPECT_EQ(found.tried, Ordinals({0, 1, 2}));
  EXPECT_TRUE(found.end.ok());
  EXPECT_TRUE(found.words.empty());
  EXPECT_EQ(found.rounds, 2u);  // the first alone, the others together
}

TEST(GpuSearchTest, WithoutADriverThereIsOneMessage) {
  for (const Ordinals& listed : {Ordinals{}, Ordinals{0, 1, 2}}) {
    const Found found = SearchIn({3, {NoDriver(), NoDriver(), NoDriver()}}, {listed, false});
    EXPECT_EQ(found.tried.size(), 1u);
    EXPECT_TRUE(found.end.ok());
    EXPECT_EQ(found.words, std::vector<std::string>({"There is no GPU: no driver"}));
    EXPECT_EQ(SearchIn({3, {NoDriver()}}, {listed, true}).end.message(), "no driver");
  }
}

TEST(GpuSearchTest, ABrokenOneIsLeftOutByName) {
  const Found found = SearchIn({3, {{}, Broken(), {}}}, {{}, true});
  EXPECT_EQ(found.tried, Ordinals({0, 1, 2}));
  EXPECT_TRUE(found.end.ok());
  ASSERT_EQ(found.words.size(), 1u);
  EXPECT_EQ(found.words[0], "The GPU [1] is left out: broken");
}

TEST(GpuSearchTest, TheFirstBrokenOneDoesNotHideTheOthers) {
  const Found found = SearchIn({2, {Broken(), {}}}, {{}, false});
  EXPECT_EQ(found.tried, Ordinals({0, 1}));
  EXPECT_TRUE(found.end.ok());
  EXPECT_EQ(found.words.size(), 1u);
}

TEST(GpuSearchTest, WhereAllAreBrokenThereIsNoScheduler) {
  const Found found = SearchIn({2, {Broken(), Broken()}}, {{}, false});
  EXPECT_EQ(found.tried, Ordinals({0, 1, 2}));
  EXPECT_EQ(found.end.message(), "broken");
}

TEST(GpuSearchTest, AnEngineHostThatDoesNotStartIsNotAskedTwice) {
  const Found found = SearchIn({2, {NoHost(), {}}}, {{}, false});
  EXPECT_EQ(found.tried, Ordinals({0}));
  EXPECT_EQ(found.end.reason(), Reason::kIoError);
}

TEST(GpuSearchTest, AListMayNameOneThatThereIsNot) {
  const Found found = SearchIn({2, {{}, {}}}, {{5, 1}, false});
  EXPECT_EQ(found.tried, Ordinals({5, 1}));
  EXPECT_TRUE(found.end.ok());
  EXPECT_EQ(found.words, std::vector<std::string>({"The GPU [5] is left out: no such GPU"}));
  EXPECT_EQ(SearchIn({2, {{}, {}}}, {{5, 1}, true}).end.message(), "no such GPU");
  EXPECT_EQ(SearchIn({2, {{}, {}}}, {{5}, false}).words,
            std::vector<std::string>({"There is no GPU: no such GPU"}));
}

TEST(GpuSearchTest, ADriverThatCountsForEverIsBounded) {
  const Machine machine{1u << 30, std::vector<Status>(1000)};
  EXPECT_EQ(SearchIn(machine, {{}, false}).tried.size(), GpuSearch::kMostGpus);
}

TEST(GpuOrdinalsTest, AreAllOrAList) {
  EXPECT_TRUE(ParseGpuOrdinals("all")->empty());
  EXPECT_EQ(*ParseGpuOrdinals("2,0,63"), Ordinals({2, 0, 63}));
  for (const char* bad : {"", ",", "0,", "64", "0,0", " 0", "0-2", "all,0", "999999999999"}) {
    const Status status = ParseGpuOrdinals(bad).status();
    EXPECT_EQ(status.reason(), Reason::kConfigInvalid) << bad;
    EXPECT_NE(status.message().find("[" + std::string(bad) + "]"), std::string::npos);
  }
}

}  // namespace
}  // namespace wb
