// Bursts as rows of a table and of CSV.

#include "client/cli/output/burst_rows.h"

#include <gtest/gtest.h>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

v1::Burst ABurst() {
  v1::Burst burst;
  burst.set_device("devices/cpu0");
  burst.set_number(7);
  burst.mutable_start_time()->set_seconds(1'800'000'000);
  burst.mutable_start_time()->set_nanos(250'000'000);
  burst.mutable_duration()->set_nanos(500'000'000);
  burst.mutable_busy()->set_nanos(499'000'000);
  burst.set_launches(5);
  burst.set_instances(320);
  burst.set_fuel(1'280'000'000);
  burst.mutable_rest_before()->set_seconds(1);
  burst.set_rest_before_cause("cooldown");
  burst.set_end("full");
  burst.set_job_count(2);
  burst.set_lanes_resident(64);
  burst.set_lanes_useful(48.25);
  burst.set_celsius(61);
  v1::BurstJob* job = burst.add_jobs();
  job->set_job("jobs/01A");
  job->set_instances(300);
  job->set_fuel(12);
  job->set_build(v1::FULL);
  burst.add_jobs()->set_instances(20);
  return burst;
}

TEST(BurstRows, ATableForPeople) {
  v1::Burst burst = ABurst();
  const std::string row = BurstRow(burst);
  EXPECT_EQ(row.find("cpu0 "), 0u) << row;
  EXPECT_NE(row.find(" 08:00:00.250 "), std::string::npos) << row;
  EXPECT_NE(row.find(" 500.0 ms "), std::string::npos) << row;
  EXPECT_NE(row.find(" 1000.0 ms cooldown "), std::string::npos) << row;
  EXPECT_NE(row.find(" 48/64 "), std::string::npos) << row;
  EXPECT_NE(row.find(" 61 C "), std::string::npos) << row;
  EXPECT_EQ(row.find(" full "), BurstHeader().find(" END ")) << row;
  EXPECT_EQ(row.substr(row.size() - 2), " 2") << row;
  burst.mutable_rest_after()->set_seconds(2);
  burst.set_rest_after_cause("hot");
  burst.set_job_count(1);
  burst.mutable_jobs()->RemoveLast();
  const std::string other = BurstRow(burst);
  EXPECT_NE(other.find(" full, hot 2000.0 ms "), std::string::npos) << other;
  EXPECT_EQ(other.substr(other.size() - 4), " 01A") << other;
}

TEST(BurstRows, CsvForPrograms) {
  EXPECT_EQ(BurstCsvHeader(),
            "device,number,start,duration,busy,rest_before,rest_before_cause,rest_after,"
            "rest_after_cause,end,launches,instances,fuel,lanes_resident,lanes_useful,celsius,"
            "watts,job_count,jobs\n");
  EXPECT_EQ(BurstCsvRow(ABurst()),
            "devices/cpu0,7,1800000000.250000,0.500000000,0.499000000,1.000000000,cooldown,,,full,"
            "5,320,1280000000,64.0,48.2,61.0,,2,"
            "jobs/01A 300 12 FULL; - 20 0 BUILD_UNSPECIFIED\n");
}

}  // namespace
}  // namespace wb::cli
