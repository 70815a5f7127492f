#include "client/cli/output/print.h"
#include "client/cli/output/forecast_text.h"
#include "client/cli/output/result_json.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "client/cli/encoding/base64.h"
#include "client/cli/output/outputs.h"
#include "client/cli/output/progress.h"
#include "client/cli/profile/pipeline_table.h"
#include "client/cli/program/duration.h"
#include "client/cli/program/files.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

v1::InstanceResult WithOutput(uint64_t instance, const std::string& bytes) {
  v1::InstanceResult result;
  result.set_instance(instance);
  result.set_end(v1::RETURNED);
  v1::Output* output = result.add_outputs();
  output->set_name("row");
  output->set_data(bytes);
  return result;
}

class OutputsTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_out_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
};

TEST_F(OutputsTest, ConcatenatesInInstanceOrder) {
  OutputFiles files;
  ASSERT_TRUE(files.Open("", {"row=" + folder_ + "/all"}).ok());
  for (uint64_t instance : {2, 0, 3, 1}) {
    ASSERT_TRUE(files.Add(WithOutput(instance, std::to_string(instance))).ok());
  }
  ASSERT_TRUE(files.Finish().ok());
  EXPECT_EQ(ReadFile(folder_ + "/all").value(), "0123");
  EXPECT_EQ(files.missing(), 0u);
}

TEST_F(OutputsTest, CountsWhatIsMissing) {
  OutputFiles files;
  ASSERT_TRUE(files.Open("", {"row=" + folder_ + "/all"}).ok());
  v1::InstanceResult trapped;
  trapped.set_instance(1);
  trapped.set_end(v1::TRAPPED);
  for (const v1::InstanceResult& result : {WithOutput(0, "a"), trapped, WithOutput(4, "e")}) {
    ASSERT_TRUE(files.Add(result).ok());
  }
  v1::InstanceResult without;
  without.set_end(v1::RETURNED);
  without.set_instance(5);
  EXPECT_EQ(files.Add(without).reason(), Reason::kNotFound);
  ASSERT_TRUE(files.Finish().ok());
  EXPECT_EQ(ReadFile(folder_ + "/all").value(), "ae");
  EXPECT_EQ(files.missing(), 3u);
}

TEST_F(OutputsTest, WritesAFileForEachAndNoOther) {
  OutputFiles files;
  ASSERT_TRUE(files.Open(folder_ + "/a/b", {}).ok());
  ASSERT_TRUE(files.Add(WithOutput(7, "seven")).ok());
  v1::InstanceResult sly = WithOutput(8, "x");
  sly.mutable_outputs(0)->set_name("../../etc/passwd");
  ASSERT_TRUE(files.Add(sly).ok());
  EXPECT_EQ(ReadFile(folder_ + "/a/b/7.row").value(), "seven");
  EXPECT_EQ(ReadFile(folder_ + "/a/b/8..._.._etc_passwd").value(), "x");
}

TEST_F(OutputsTest, AColumnNamesTheFiles) {
  OutputFiles files;
  ASSERT_TRUE(files.Open(folder_, {}).ok());
  files.NameBy({"file", {"in/a.txt", "in/b.txt"}, std::nullopt, /*paths=*/true});
  ASSERT_TRUE(files.Add(WithOutput(1, "second")).ok());
  EXPECT_EQ(ReadFile(folder_ + "/b.txt.row").value(), "second");
}

TEST_F(OutputsTest, BadPlacesAreErrors) {
  OutputFiles files;
  EXPECT_FALSE(files.Open("", {"row"}).ok());
  EXPECT_FALSE(files.Open("", {"=x"}).ok());
  OutputFiles nowhere;
  EXPECT_EQ(nowhere.Open("", {"row=/nowhere/at/all"}).reason(), Reason::kIoError);
}

TEST(Print, ResultsAsJson) {
  v1::InstanceResult result = WithOutput(3, "abcd");
  v1::StepResult* step = result.add_steps();
  step->add_values()->set_i32(-1);
  step->add_values()->set_f64_bits(0x7ff8000000000000);
  step->add_values()->set_f64_bits(0x3fb999999999999a);
  result.set_fuel(12);
  EXPECT_EQ(ResultJson(result, {OutputForm::kBase64, {}}),
            R"({"instance":3,"end":"RETURNED","values":[-1,"nan",0.1],)"
            R"("outputs":{"row":{"size":4,"base64":"YWJjZA=="}},"step":0,"fuel":12,)"
            R"("memory_pages":0,"attempt":0,"device":""})");
}

TEST(Print, AResultWithEveryPartIsAnObjectOfJson) {
  v1::InstanceResult result = WithOutput(~uint64_t{0}, "\xff\"");
  result.set_end(v1::EXITED);
  result.set_exit_code(7);
  v1::Trap* trap = result.add_steps()->mutable_trap();
  trap->set_message("at \"a\"\n");
  *result.mutable_trap() = *trap;
  v1::StepResult* step = result.add_steps();
  step->add_values()->set_i64(std::numeric_limits<int64_t>::min());
  step->add_values()->set_f32_bits(0x7f800000);
  result.add_backtrace()->set_function(3);
  result.set_backtrace_error("none \\ kept");
  result.add_calls()->set_import("a.b\t");
  result.set_device("gpu \"0\"");
  result.set_build(v1::FULL);
  result.set_fast32(true);
  const std::string text = ResultJson(result, {OutputForm::kText, {}});
  const auto json = nlohmann::ordered_json::parse(text);
  EXPECT_EQ(json.dump(), text);
  EXPECT_EQ(json["instance"], ~uint64_t{0});
  EXPECT_EQ(json["values"][0], std::numeric_limits<int64_t>::min());
  EXPECT_EQ(json["steps"].size(), 2u);
  EXPECT_EQ(json["trap"]["message"], "at \"a\"\n");
  EXPECT_EQ(json["backtrace"].size(), 1u);
  EXPECT_EQ(json["calls"][0]["import"], "a.b\t");
  EXPECT_EQ(json["device"], "gpu \"0\"");
  EXPECT_EQ(json["fast32"], true);
}

TEST(Print, AResultAsJsonSaysWhichBuildFinishedIt) {
  v1::InstanceResult result;
  EXPECT_EQ(ResultJson(result, {}).find("build"), std::string::npos);  // nothing ran it
  result.set_build(v1::INTERPRETED);
  EXPECT_NE(ResultJson(result, {}).find(R"("build":"interpreted")"), std::string::npos);
  result.set_build(v1::QUICK);
  EXPECT_NE(ResultJson(result, {}).find(R"("build":"quick")"), std::string::npos);
  result.set_build(v1::FULL);
  EXPECT_NE(ResultJson(result, {}).find(R"("build":"full")"), std::string::npos);
}

TEST(Print, HowLongBuildsTook) {
  v1::Usage usage;
  EXPECT_EQ(CompileText(usage), "0.000000 s");
  usage.set_pipeline_cached(true);
  EXPECT_EQ(CompileText(usage), "0 s, from the cache");
  usage.mutable_full_compile_time()->set_seconds(3);
  EXPECT_EQ(CompileText(usage), "3.000000 s in full");
  usage.set_pipeline_cached(false);
  usage.mutable_quick_compile_time()->set_nanos(500'000'000);
  EXPECT_EQ(CompileText(usage), "0.500000 s quickly, 3.000000 s in full");
}

TEST(Print, OutputsAreShownAsAsked) {
  const v1::InstanceResult result = WithOutput(3, std::string("a\x1b\0", 3));
  EXPECT_NE(ResultRow(result, {}).find("row: 3 bytes"), std::string::npos);
  EXPECT_NE(ResultRow(result, {OutputForm::kHex, {}}).find("row: 611b00"), std::string::npos);
  // A terminal obeys none of it.
  EXPECT_NE(ResultRow(result, {OutputForm::kText, {}}).find("row: a\\x1b\\x00"), std::string::npos);
  EXPECT_NE(ResultJson(result, {OutputForm::kHex, {}}).find(R"("row":{"size":3,"hex":"611b00"})"),
            std::string::npos);
  EXPECT_NE(ResultJson(WithOutput(0, "hi"), {OutputForm::kText, {}})
                .find(R"("row":{"size":2,"text":"hi"})"),
            std::string::npos);
}

// As AssemblyScript has "hé" in memory, and half a pair behind it.
TEST(Print, DeclaredTextsAreTextInEveryForm) {
  v1::Job job;
  job.add_steps()->mutable_read()->set_output("row");
  job.mutable_steps(0)->mutable_read()->set_text(v1::UTF_16);
  ResultShown shown{OutputForm::kHex, {}, OutputTexts(job)};
  const v1::InstanceResult good = WithOutput(0, std::string("h\0\xe9\0", 4));
  EXPECT_NE(ResultRow(good, shown).find("row: h\xc3\xa9"), std::string::npos);
  EXPECT_NE(ResultJson(good, shown).find("\"row\":{\"size\":4,\"text\":\"h\xc3\xa9\"}"),
            std::string::npos);
  EXPECT_EQ(OutputText(good.outputs(0), shown), "h\xc3\xa9");
  const v1::InstanceResult bad = WithOutput(1, std::string("h\0\x3e\xd8", 4));
  EXPECT_NE(ResultRow(bad, shown).find("row: h\xef\xbf\xbd (2 bytes are not UTF-16)"),
            std::string::npos);
  EXPECT_NE(ResultJson(bad, shown).find("\"text\":\"h\xef\xbf\xbd\",\"undecodable_bytes\":2}"),
            std::string::npos);
  WrongTexts wrong;
  wrong.Add(good, shown.texts);
  EXPECT_EQ(wrong.Text(), "");
  wrong.Add(bad, shown.texts);
  EXPECT_NE(wrong.Text().find("1 output holds bytes that are not UTF-16; U+FFFD"),
            std::string::npos);
  EXPECT_EQ(shown.texts.Decoded(good).outputs(0).data(), "h\xc3\xa9");
}

TEST(Print, InputsStandBesideResults) {
  const ResultShown shown{
      OutputForm::kSize,
      {{"n", {"1", "007"}, std::nullopt, false}, {"k", {"x y"}, std::nullopt, false}}};
  EXPECT_NE(ResultJson(WithOutput(0, ""), shown).find(R"("inputs":{"n":1,"k":"x y"})"),
            std::string::npos);
  EXPECT_NE(ResultJson(WithOutput(1, ""), shown).find(R"("n":"007")"), std::string::npos);
  EXPECT_NE(ResultHeader(shown).find("DEVICE        N             K             RESULT"),
            std::string::npos);
  EXPECT_NE(ResultRow(WithOutput(1, ""), shown).find("007           x y           row: 0 bytes"),
            std::string::npos);
}

TEST(Print, TrapsSayWhere) {
  v1::InstanceResult result;
  result.set_end(v1::TRAPPED);
  result.mutable_trap()->set_message("integer divide by zero");
  result.mutable_trap()->set_function(3);
  result.mutable_trap()->set_offset(99);
  EXPECT_NE(ResultRow(result, {}).find("integer divide by zero (function 3, offset 0x63)"),
            std::string::npos);
}

TEST(Print, Numbers) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("a"), "YQ==");
  EXPECT_EQ(Base64("ab"), "YWI=");
  EXPECT_EQ(Base64("abc"), "YWJj");
  EXPECT_EQ(SizeText(0), "0 B");
  EXPECT_EQ(SizeText(1536), "1.5 KiB");
  EXPECT_EQ(CountText(1.28e9), "1.28 G");
  EXPECT_EQ(Table({{"A", "B"}, {"long", "x"}}), "A     B\nlong  x\n");
}

TEST(Print, Progress) {
  v1::Counts counts;
  counts.set_instances(100);
  EXPECT_EQ(ProgressText(counts, 1), "0/100 instances");
  counts.set_finished(50);
  EXPECT_EQ(ProgressText(counts, 5), "50/100 instances, 10/s");
  counts.set_finished(100);
  EXPECT_EQ(ProgressText(counts, 10), "100/100 instances, 10/s");
}

v1::Forecast ForecastOf(int64_t earliest, int64_t latest) {
  v1::Forecast forecast;
  forecast.mutable_earliest_end()->set_seconds(earliest);
  forecast.mutable_latest_end()->set_seconds(latest);
  return forecast;
}

TEST(Print, WhatIsLeftIsARange) {
  constexpr int64_t kNow = 1'000'000'000'000;  // second 1,000
  EXPECT_EQ(LeftText({}, kNow), "");
  EXPECT_EQ(LeftText(ForecastOf(1002, 1003), kNow), "2 to 3 s left");
  EXPECT_EQ(LeftText(ForecastOf(1002, 1002), kNow + 1'600'000'000), "about 0 s left");
  EXPECT_EQ(LeftText(ForecastOf(900, 1099), kNow), "0 to 99 s left");
  EXPECT_EQ(LeftText(ForecastOf(1050, 1180), kNow), "50 s to 3 min left");
  EXPECT_EQ(LeftText(ForecastOf(1000 + 3600, 1000 + 86400), kNow), "60 min to 24 h left");
  EXPECT_EQ(LeftText(ForecastOf(1000 + 10800, 1000 + 4 * 86400), kNow), "3 h to 4 days left");
  EXPECT_EQ(LeftText(ForecastOf(990, 999), kNow), "later than was expected");
  v1::Forecast forecast = ForecastOf(1002, 1003);
  EXPECT_EQ(ForecastText(forecast, kNow), "2 to 3 s left");
  forecast.set_instructions_per_second(1.28e9);
  EXPECT_EQ(ForecastText(forecast, kNow), "1.28 G instructions/s, 2 to 3 s left");
  forecast.clear_latest_end();
  EXPECT_EQ(ForecastText(forecast, kNow), "1.28 G instructions/s");
  EXPECT_EQ(ForecastText({}, kNow), "");
}

TEST(Print, EnergyIsSaidWhereItWasMeasured) {
  v1::Usage usage;
  EXPECT_EQ(EnergyText(usage, 10), "");
  usage.set_joules(0);
  EXPECT_EQ(EnergyText(usage, 10), "0 J, 0 J an instance");
  usage.set_joules(25);
  EXPECT_EQ(EnergyText(usage, 0), "25 J");
  EXPECT_EQ(EnergyText(usage, 10), "25 J, 2.5 J an instance");
  EXPECT_EQ(EnergyText(usage, 10'000), "25 J, 2.5 mJ an instance");
  usage.set_joules(1234);
  EXPECT_EQ(EnergyText(usage, 100'000'000), "1.23 kJ, 12.3 uJ an instance");
  v1::Job job;
  job.mutable_counts()->set_finished(10);
  EXPECT_EQ(JobSummary(job).find("instance,"), std::string::npos);
  job.mutable_usage()->set_joules(25);
  EXPECT_NE(JobSummary(job).find(", 25 J, 2.5 J an instance"), std::string::npos);
}

TEST(Duration, Forms) {
  EXPECT_EQ(ParseDuration("500ms").value(), 500'000'000);
  EXPECT_EQ(ParseDuration("1.5h").value(), 5'400'000'000'000);
  EXPECT_EQ(ParseDuration("30d").value(), 2'592'000'000'000'000);
  for (const char* bad : {"", "5", "0s", "-1s", "1y", "s"}) {
    EXPECT_FALSE(ParseDuration(bad).ok()) << bad;
  }
}

TEST(Print, TimesAreInUtc) {
  google::protobuf::Timestamp time;
  EXPECT_EQ(TimeText(time), "1970-01-01 00:00:00 UTC");
  time.set_seconds(951782399);
  EXPECT_EQ(TimeText(time), "2000-02-28 23:59:59 UTC");
}

TEST(Print, ASummarySaysWhichLimitEndedTheJob) {
  v1::Job job;
  job.mutable_counts()->set_job_out_of_fuel(3);
  job.set_limit_reached("limits.max_total_fuel: [10] instructions, [12] used.");
  const std::string text = JobSummary(job);
  EXPECT_NE(text.find("3 ended when the job's fuel was used up"), std::string::npos) << text;
  EXPECT_NE(text.find("max_total_fuel: [10]"), std::string::npos) << text;
}

TEST(PipelineTable, HasAColumnForEachAndADashForWhatIsNotKnown) {
  EXPECT_EQ(PipelineTable({}), "");
  v1::ListPipelinesResponse response;
  v1::Pipeline& gpu = *response.add_pipelines();
  gpu.set_tier("full");
  gpu.set_code_bytes(2048);
  gpu.set_registers(96);
  gpu.set_block_threads(128);
  gpu.set_lanes_per_processor(640);
  gpu.set_processors(132);
  gpu.mutable_occupancy()->set_lanes_per_processor(256);
  gpu.mutable_occupancy()->set_few_registers(true);
  gpu.mutable_occupancy()->set_tiled(true);
  gpu.set_launches(3);
  gpu.set_fuel(9000);
  gpu.set_instructions_per_second(4.5e6);
  gpu.set_useful_lanes(0.6128);
  response.add_pipelines()->set_tier("interpreter");
  const std::string table = PipelineTable(response);
  const auto has_line = [&table](const std::string& first, const std::string& second,
                                 const std::string& third) {
    const size_t at = table.find("\n" + first + " ");
    const std::string line = table.substr(at + 1, table.find('\n', at + 1) - at - 1);
    return at != std::string::npos && line.find(" " + second + " ") != std::string::npos &&
           line.ends_with(" " + third);
  };
  EXPECT_TRUE(table.starts_with("TIER ")) << table;
  EXPECT_TRUE(has_line("code", "2 KiB", "-")) << table;
  EXPECT_TRUE(has_line("registers of a lane", "96", "-")) << table;
  EXPECT_TRUE(has_line("local memory of a lane", "0 bytes", "-")) << table;
  EXPECT_TRUE(has_line("lanes that fit a processor", "640 in blocks of 128", "-")) << table;
  EXPECT_TRUE(has_line("launches settled on, a processor",
                       "256 lanes, few registers, memory in tiles", "-"))
      << table;
  EXPECT_TRUE(has_line("useful lanes", "61.3 %", "-")) << table;
}

TEST(PipelineTable, AJobsDivergenceIsASentence) {
  v1::Divergence divergence;
  divergence.set_useful_lanes(0.5);
  divergence.set_useful_fuel(1000);
  divergence.set_resident_fuel(2000);
  EXPECT_TRUE(DivergenceText(divergence).starts_with("50.0 % of lanes were useful, "));
}

}  // namespace
}  // namespace wb::cli
