#include "client/cli/perf/measurement.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace wb::cli {
namespace {

TEST(Measurement, ItsMiddleIsTheMedian) {
  EXPECT_EQ(Summarize({3, 1, 100}).median, 3);
  EXPECT_EQ(Summarize({4, 1, 2, 100}).median, 3);
  EXPECT_EQ(Summarize({7}).median, 7);
  EXPECT_EQ(Summarize({3, 1, 100}).least, 1);
  EXPECT_EQ(Summarize({3, 1, 100}).most, 100);
  EXPECT_EQ(Summarize({}).median, 0);
}

TEST(Measurement, WithoutARunOrWithAFailureItHasFailed) {
  Measurement measurement{"round_trip", "round trip", "ms", "", {1, 2, 3}, {}};
  EXPECT_FALSE(HasFailed(measurement));
  measurement.failure = Status(Reason::kQueueFull, "It is full.");
  EXPECT_TRUE(HasFailed(measurement));
  EXPECT_TRUE(HasFailed({"round_trip", "round trip", "ms", "", {}, {}}));
}

TEST(Measurement, IsShownToPeopleAndPrograms) {
  const Measurement good{"instructions", "wasm instructions", "/s", "cpu0", {2e9, 1e9, 3e9}, {}};
  const Measurement bad{"compile", "compiles", "s",
                        "cpu0",    {},         Status(Reason::kCompileFailed, "No compiler.")};
  const std::string table = MeasurementTable({good, bad});
  EXPECT_NE(table.find("2 G/s"), std::string::npos) << table;
  EXPECT_NE(table.find("FAILED: No compiler."), std::string::npos) << table;
  const auto json = nlohmann::json::parse(MeasurementsJson({good, bad}));
  EXPECT_FALSE(json["ok"]);
  EXPECT_EQ(json["measurements"][0]["median"], 2e9);
  EXPECT_EQ(json["measurements"][0]["runs"], 3);
  EXPECT_EQ(json["measurements"][0]["device"], "cpu0");
  EXPECT_EQ(json["measurements"][1]["error"]["reason"], "COMPILE_FAILED");
  EXPECT_FALSE(json["measurements"][1].contains("median"));
  EXPECT_TRUE(nlohmann::json::parse(MeasurementsJson({good}))["ok"]);
  EXPECT_EQ(MeasurementJson(good).find('\n'), std::string::npos);
}

}  // namespace
}  // namespace wb::cli
