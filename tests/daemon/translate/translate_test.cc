#include <gtest/gtest.h>

#include "daemon/config/default_config.h"
#include "daemon/translate/translate_job.h"
#include "daemon/translate/translate_result.h"
#include "daemon/translate/translate_value.h"
#include "daemon/translate/translate_view.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

v1::Job SmallJob() {
  v1::Job job;
  job.set_instances(3);
  v1::CallStep* call = job.add_steps()->mutable_call();
  call->set_function("f");
  call->add_args()->mutable_constant()->set_f32_bits(0x7fc12345);
  v1::Operand* second = call->add_args();
  second->set_column(0);
  second->mutable_add()->set_i64(-5);
  v1::ValueList* list = job.add_columns()->mutable_list();
  list->set_type(v1::I64);
  for (uint64_t bits : {1, 2, 3}) list->add_bits64(bits);
  v1::ReadStep* read = job.add_steps()->mutable_read();
  read->mutable_pointer()->mutable_result()->set_step(0);
  read->mutable_length()->mutable_constant()->set_i32(8);
  read->set_output("out");
  read->set_until_zero(true);
  read->set_text(v1::UTF_16);
  v1::StoreStep* store = job.add_steps()->mutable_store();
  store->mutable_pointer()->mutable_constant()->set_i32(64);
  store->mutable_value()->mutable_result()->set_step(0);
  v1::WriteStep* write = job.add_steps()->mutable_write();
  write->mutable_pointer()->mutable_constant()->set_i32(0);
  write->set_column(1);
  job.add_columns()->mutable_bytes()->add_values("abc");
  return job;
}

Status RefusalOf(const v1::Job& job) {
  Result<ParsedJob> parsed = JobFromProto(job, DefaultConfig());
  EXPECT_FALSE(parsed.ok());
  return parsed.status();
}

std::string FieldOf(const Status& status) {
  for (const Detail& detail : status.details()) {
    if (detail.key == "field") return detail.value;
  }
  return "";
}

TEST(TranslateJob, TenantAndPriorityAreLabels) {
  v1::Job job = SmallJob();
  EXPECT_EQ(JobFromProto(job, DefaultConfig())->request.tenant, "");
  (*job.mutable_labels())["tenant"] = "render";
  (*job.mutable_labels())["priority"] = "-8";
  const ParsedJob parsed = JobFromProto(job, DefaultConfig()).value();
  EXPECT_EQ(parsed.request.tenant, "render");
  EXPECT_EQ(parsed.request.priority, -8);
  for (const char* wrong : {"", "9", "-9", "1.5", "high", "1 "}) {
    (*job.mutable_labels())["priority"] = wrong;
    EXPECT_EQ(FieldOf(RefusalOf(job)), "job.labels[priority]") << wrong;
  }
}

TEST(TranslateJob, LimitsOfTheWholeJobComeBack) {
  v1::Job job = SmallJob();
  EXPECT_FALSE(JobFromProto(job, DefaultConfig())->request.limits.max_total_fuel.has_value());
  job.mutable_limits()->set_max_total_fuel(5000);
  job.mutable_limits()->set_max_results_bytes(600);
  job.mutable_limits()->mutable_max_total_time()->set_seconds(7);
  JobInfo info;
  info.request =
      std::make_shared<const JobRequest>(JobFromProto(job, DefaultConfig()).value().request);
  info.usage.limit = "limits.max_total_fuel: all is used.";
  info.counts.by_end[static_cast<int>(End::kJobOutOfFuel)] = 2;
  info.counts.by_end[static_cast<int>(End::kResultsLimit)] = 3;
  info.counts.by_end[static_cast<int>(End::kExpired)] = 4;
  v1::Job shown;
  JobToProto(info, false, &shown);
  EXPECT_EQ(shown.limits().max_total_fuel(), 5000u);
  EXPECT_EQ(shown.limits().max_results_bytes(), 600u);
  EXPECT_EQ(shown.limits().max_total_time().seconds(), 7);
  EXPECT_EQ(shown.limit_reached(), info.usage.limit);
  EXPECT_EQ(shown.counts().job_out_of_fuel(), 2u);
  EXPECT_EQ(shown.counts().results_limit(), 3u);
  EXPECT_EQ(shown.counts().expired(), 4u);
  job.mutable_limits()->mutable_max_total_time()->set_seconds(-1);
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.limits.max_total_time");
}

TEST(TranslateJob, UsageHasTheTimesOfBothBuilds) {
  JobInfo info;
  info.request =
      std::make_shared<const JobRequest>(JobFromProto(SmallJob(), DefaultConfig()).value().request);
  info.usage.quick_compile_time = std::chrono::milliseconds(500);
  info.usage.full_compile_time = std::chrono::seconds(3);
  v1::Job shown;
  JobToProto(info, false, &shown);
  EXPECT_EQ(shown.usage().quick_compile_time().nanos(), 500'000'000);
  EXPECT_EQ(shown.usage().full_compile_time().seconds(), 3);
  EXPECT_EQ(shown.usage().compile_time().seconds(), 3);
  EXPECT_EQ(shown.usage().compile_time().nanos(), 500'000'000);
}

TEST(TranslateJob, ARunningJobHasAForecastAsFarAsItIsKnown) {
  JobInfo info;
  info.request =
      std::make_shared<const JobRequest>(JobFromProto(SmallJob(), DefaultConfig()).value().request);
  info.usage.fuel_running = 77;
  info.state = JobState::kRunning;
  v1::Job shown;
  JobToProto(info, false, &shown);
  EXPECT_EQ(shown.usage().fuel_running(), 77u);
  EXPECT_FALSE(shown.has_forecast());
  EXPECT_FALSE(shown.usage().has_joules());
  info.instructions_per_second = 5e9;
  info.eta = {2'000'000'000, 3'500'000'000};
  info.usage.joules = 0.5;
  JobToProto(info, false, &shown);
  EXPECT_EQ(shown.forecast().instructions_per_second(), 5e9);
  EXPECT_EQ(shown.forecast().earliest_end().seconds(), 2);
  EXPECT_EQ(shown.forecast().latest_end().nanos(), 500'000'000);
  EXPECT_EQ(shown.usage().joules(), 0.5);
  v1::ReadResultsResponse part;
  ProgressToProto(info, &part);
  EXPECT_TRUE(part.has_counts());
  EXPECT_TRUE(part.forecast().has_latest_end());
  info.state = JobState::kQueued;  // its device was lost: what was said is out of date
  v1::Job waiting;
  JobToProto(info, false, &waiting);
  EXPECT_FALSE(waiting.has_forecast());
}

TEST(TranslateJob, ItsDivergenceIsUsefulLanesOverResidentOnes) {
  JobInfo info;
  info.request =
      std::make_shared<const JobRequest>(JobFromProto(SmallJob(), DefaultConfig()).value().request);
  v1::Job shown;
  JobToProto(info, false, &shown);
  EXPECT_FALSE(shown.has_divergence());  // nothing measured it
  info.usage.lane_fuel = {.useful = 300, .resident = 400};
  JobToProto(info, false, &shown);
  EXPECT_EQ(shown.divergence().useful_lanes(), 0.75);
  EXPECT_EQ(shown.divergence().useful_fuel(), 300u);
  EXPECT_EQ(shown.divergence().resident_fuel(), 400u);
  info.usage.lane_fuel = {.useful = 500, .resident = 400};  // of an engine that lies
  JobToProto(info, false, &shown);
  EXPECT_EQ(shown.divergence().useful_lanes(), 1);
}

TEST(TranslateJob, HintsAreKnownByName) {
  const auto read = [](std::vector<std::string> hints) {
    v1::Job job = SmallJob();
    for (std::string& hint : hints) job.add_hints(std::move(hint));
    return JobFromProto(job, DefaultConfig());
  };
  EXPECT_EQ(read({})->request.hint, LaneHint::kNone);
  EXPECT_EQ(read({"uniform"})->request.hint, LaneHint::kUniform);
  EXPECT_EQ(read({"divergent", "divergent"})->request.hint, LaneHint::kDivergent);
  EXPECT_EQ(FieldOf(read({"divergent", "uniform"}).status()), "job.hints[1]");
  EXPECT_EQ(FieldOf(read({"hot"}).status()), "job.hints[0]");
  EXPECT_EQ(FieldOf(read({""}).status()), "job.hints[0]");
  JobInfo info;
  info.request = std::make_shared<const JobRequest>(read({"uniform"}).value().request);
  v1::Job shown;
  JobToProto(info, false, &shown);
  ASSERT_EQ(shown.hints_size(), 1);
  EXPECT_EQ(shown.hints(0), "uniform");
  shown.set_module("modules/sha256:" + std::string(64, 'a'));
  EXPECT_EQ(ShownJobFromProto(shown)->hint, LaneHint::kUniform);
}

TEST(TranslateJob, ItsTierIsHowItsInstancesCameToRun) {
  const auto tier = [](uint64_t instances, uint64_t bursts, uint64_t carried,
                       const std::string& session = {}) {
    JobInfo info;
    JobRequest request = JobFromProto(SmallJob(), DefaultConfig()).value().request;
    request.instances = instances;
    request.session = session;
    info.request = std::make_shared<const JobRequest>(std::move(request));
    info.usage.bursts = bursts;
    info.usage.carried = carried;
    v1::Job shown;
    JobToProto(info, false, &shown);
    EXPECT_EQ(shown.tier_reason().empty(), shown.tier() == v1::Job::TIER_UNSPECIFIED);
    return shown.tier();
  };
  EXPECT_EQ(tier(8, 0, 0), v1::Job::TIER_UNSPECIFIED);
  EXPECT_EQ(tier(8, 1, 0), v1::Job::PARALLEL);
  EXPECT_EQ(tier(8, 2, 1), v1::Job::CHUNKED);
  EXPECT_EQ(tier(1, 2, 1), v1::Job::SEQUENTIAL);
  EXPECT_EQ(tier(8, 1, 0, "sessions/a"), v1::Job::HYBRID);
}

TEST(TranslateJob, RoundTripKeepsEveryBit) {
  Result<ParsedJob> parsed = JobFromProto(SmallJob(), DefaultConfig());
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_EQ(parsed->columns.size(), 2u);
  EXPECT_EQ(parsed->columns[0].At(2).bits(), 3u);
  EXPECT_EQ(parsed->columns[1].BytesAt(2).size(), 3u);
  JobInfo info;
  info.request = std::make_shared<const JobRequest>(parsed->request);
  v1::Job shown;
  JobToProto(info, true, &shown);
  v1::Job sent = SmallJob();
  ASSERT_EQ(shown.steps_size(), sent.steps_size());
  for (int i = 0; i < sent.steps_size(); ++i) {
    EXPECT_EQ(shown.steps(i).DebugString(), sent.steps(i).DebugString());
  }
  EXPECT_EQ(shown.limits().max_stack(), 32768u);
  EXPECT_EQ(shown.placement(), v1::AUTO);
}

TEST(TranslateJob, FloatsAreExactUnlessTheJobSaysElse) {
  for (const v1::Floats asked : {v1::FLOATS_UNSPECIFIED, v1::EXACT, v1::FAST32}) {
    v1::Job job = SmallJob();
    job.set_floats(asked);
    const Result<ParsedJob> parsed = JobFromProto(job, DefaultConfig());
    ASSERT_TRUE(parsed.ok()) << parsed.status().message();
    EXPECT_EQ(parsed->request.fast32, asked == v1::FAST32);
    JobInfo info;
    info.request = std::make_shared<const JobRequest>(parsed->request);
    v1::Job shown;
    JobToProto(info, true, &shown);
    EXPECT_EQ(shown.floats(), asked == v1::FAST32 ? v1::FAST32 : v1::EXACT);
  }
  v1::Job job = SmallJob();
  job.set_floats(static_cast<v1::Floats>(7));
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.floats");
}

TEST(TranslateJob, ValuesKeepTheirBits) {
  for (uint64_t bits :
       {uint64_t{0}, uint64_t{1} << 63, ~uint64_t{0}, uint64_t{0x7ff0000000000001}}) {
    v1::Value value;
    value.set_f64_bits(bits);
    Value parsed = ValueFromProto(value, "x").value();
    v1::Value again;
    ValueToProto(parsed, &again);
    EXPECT_EQ(again.f64_bits(), bits);
    EXPECT_EQ(again.kind_case(), v1::Value::kF64Bits);
  }
  v1::Value v128;
  v128.set_v128("0123456789abcdef");
  v1::Value again;
  ValueToProto(ValueFromProto(v128, "x").value(), &again);
  EXPECT_EQ(again.v128(), v128.v128());
  v128.set_v128("short");
  EXPECT_FALSE(ValueFromProto(v128, "x").ok());
}

TEST(TranslateJob, WrongFieldsAreNamed) {
  v1::Job job = SmallJob();
  job.set_instances(0);
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.instances");
  job = SmallJob();
  job.clear_steps();
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.steps");
  job = SmallJob();
  job.add_steps();
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.steps[4]");
  job = SmallJob();
  job.mutable_steps(0)->mutable_call()->mutable_args(1)->clear_source();
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.steps[0].call.args[1]");
  job = SmallJob();
  job.mutable_columns(0)->mutable_list()->add_bits64(1);
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.columns[0].list");
  job = SmallJob();
  job.mutable_columns(0)->mutable_list()->add_bits32(1);
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.columns[0].list");
  job = SmallJob();
  job.mutable_columns(1)->mutable_bytes()->add_values("two for three");
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.columns[1].bytes");
  job = SmallJob();
  job.mutable_limits()->mutable_max_time()->set_seconds(-1);
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.limits.max_time");
  job = SmallJob();
  job.mutable_columns(0)->mutable_range()->mutable_start()->set_i32(0);
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.columns[0].range.step");
  job.mutable_columns(0)->mutable_range()->mutable_step()->set_i64(0);
  EXPECT_EQ(FieldOf(RefusalOf(job)), "job.columns[0].range");
}

TEST(TranslateJob, AbsurdNumbersAreTooHigh) {
  v1::Job job = SmallJob();
  job.set_instances(~uint64_t{0});
  EXPECT_EQ(RefusalOf(job).reason(), Reason::kLimitTooHigh);
  job = SmallJob();
  job.mutable_limits()->set_max_memory_bytes(~uint64_t{0});
  EXPECT_EQ(RefusalOf(job).reason(), Reason::kLimitTooHigh);
  job = SmallJob();
  job.mutable_limits()->set_max_output_bytes(0xffffffff);
  EXPECT_EQ(RefusalOf(job).reason(), Reason::kLimitTooHigh);
  job = SmallJob();
  job.mutable_limits()->set_max_stack(0xffffffff);
  EXPECT_EQ(RefusalOf(job).reason(), Reason::kLimitTooHigh);
}

TEST(TranslateResult, StepsThatAreNotShownAreLeftOut) {
  InstanceResult result;
  result.end = End::kExited;
  result.exit_code = 9;
  result.steps.resize(3);
  result.step = 3;
  v1::InstanceResult proto;
  ResultToProto(result, 1, &proto);
  EXPECT_EQ(proto.steps_size(), 1);
  EXPECT_EQ(proto.step(), 1u);
  EXPECT_EQ(proto.exit_code(), 9u);
}

// As GeneratedModule writes them, and what an instance that forges them may write.
TEST(TranslateResult, RecordedCallsAreValuesUntilWhatIsNoRecord) {
  const std::vector<RecordedImport> recorded = {
      {"env.mark", {}}, {"env.print", {ValueType::kI32, ValueType::kF64, ValueType::kV128}}};
  const uint64_t words[] = {1, 0xffffffff, 0x3fe0000000000000, 1, 2, 0, 2, 0};
  InstanceResult result;
  const auto* bytes = reinterpret_cast<const uint8_t*>(words);
  result.outputs = {{"stream 1", {7}}, {"stream 254", Bytes(bytes, bytes + sizeof words)}};
  v1::InstanceResult proto;
  ResultToProto(result, 1, &proto, recorded);
  ASSERT_EQ(proto.outputs_size(), 1);
  EXPECT_EQ(proto.outputs(0).name(), "stream 1");
  ASSERT_EQ(proto.calls_size(), 2);
  EXPECT_EQ(proto.calls(0).import(), "env.print");
  EXPECT_EQ(proto.calls(0).args(0).i32(), -1);
  EXPECT_EQ(proto.calls(0).args(1).f64_bits(), 0x3fe0000000000000u);
  EXPECT_EQ(proto.calls(0).args(2).v128()[8], 2);
  EXPECT_EQ(proto.calls(1).import(), "env.mark");
  proto.Clear();
  result.outputs[1].bytes.resize(20);  // ends within an argument
  ResultToProto(result, 1, &proto, recorded);
  EXPECT_EQ(proto.calls_size(), 0);
}

TEST(TranslateResult, KeepsTrapsValuesAndOutputs) {
  InstanceResult result;
  result.instance = ~uint64_t{0};
  result.end = End::kTrapped;
  result.trap = Trap::kDivideByZero;
  result.trap_function = 3;
  result.trap_offset = 99;
  result.fuel = uint64_t{1} << 60;
  StepResult step;
  step.values = {Value::I32(0xffffffff), Value::I64(~uint64_t{1})};
  result.steps = {step};
  result.outputs = {{"o", Bytes{0, 255}}};
  v1::InstanceResult proto;
  ResultToProto(result, SIZE_MAX, &proto);
  EXPECT_EQ(proto.end(), v1::TRAPPED);
  EXPECT_EQ(proto.trap().code(), "DIVIDE_BY_ZERO");
  EXPECT_EQ(proto.trap().message(), "integer divide by zero");
  EXPECT_EQ(proto.trap().offset(), 99u);
  EXPECT_EQ(proto.steps(0).values(0).i32(), -1);
  EXPECT_EQ(proto.steps(0).values(1).i64(), -2);
  EXPECT_EQ(proto.outputs(0).data(), std::string("\0\xff", 2));
  EXPECT_EQ(proto.fuel(), uint64_t{1} << 60);
  EXPECT_FALSE(proto.fast32());
  EXPECT_EQ(proto.build(), v1::BUILD_UNSPECIFIED);
  result.fast32 = true;
  result.build = KernelBuild::kQuick;
  ResultToProto(result, SIZE_MAX, &proto);
  EXPECT_TRUE(proto.fast32());
  EXPECT_EQ(proto.build(), v1::QUICK);
}

TEST(TranslateResult, KeepsTheCallsOfATrap) {
  InstanceResult result;
  result.end = End::kTrapped;
  result.trap = Trap::kUnreachable;
  result.backtrace = {{3, 99, "env"}, {7, 120, ""}};
  v1::InstanceResult proto;
  ResultToProto(result, SIZE_MAX, &proto);
  ASSERT_EQ(proto.backtrace_size(), 2);
  EXPECT_EQ(proto.backtrace(0).function(), 3u);
  EXPECT_EQ(proto.backtrace(0).offset(), 99u);
  EXPECT_EQ(proto.backtrace(0).module(), "env");
  EXPECT_EQ(proto.backtrace(1).function(), 7u);
  EXPECT_EQ(proto.backtrace_error(), "");
  result.backtrace_error = "The process ended.";
  ResultToProto(result, SIZE_MAX, &proto);
  EXPECT_EQ(proto.backtrace_error(), "The process ended.");
}

}  // namespace
}  // namespace wb
