// Programs over the wire.

#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "tests/daemon/services/daemon_fixture.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr const char* kProgram = R"((module
  (import "wasi_snapshot_preview1" "proc_exit" (func (param i32)))
  (memory (export "memory") 1)
  (func (export "_start")))
)";

class DaemonProgramsTest : public DaemonTest {
 protected:
  v1::CreateJobRequest Program(uint64_t instances) {
    const std::string wasm = cli::AssembleWat(kProgram, "program.wat").value();
    v1::CreateJobRequest request;
    request.mutable_job()->set_module(PushModule(*client_, wasm).value().name());
    request.mutable_job()->set_instances(instances);
    return request;
  }
  std::vector<v1::InstanceResult> ResultsOf(const v1::CreateJobRequest& request, v1::Job* ended) {
    Result<v1::Job> job = CreateJob(*client_, request);
    EXPECT_TRUE(job.ok()) << job.status().message();
    v1::ReadResultsRequest read;
    read.set_name(job->name());
    read.set_follow(true);
    std::vector<v1::InstanceResult> results;
    EXPECT_TRUE(ReadResults(*client_, read, [&](const v1::ReadResultsResponse& part) {
                  for (const auto& result : part.results()) {
                    results.push_back(result);
                  }
                  if (part.has_job()) *ended = part.job();
                  return true;
                }).ok());
    return results;
  }
};

TEST_F(DaemonProgramsTest, AProgramHasArgumentsInputAndAnExitCode) {
  Start();
  v1::CreateJobRequest request = Program(2);
  v1::Command* command = request.mutable_job()->mutable_command();
  for (const char* arg : {"prog", "hello"}) command->add_args()->set_constant(arg);
  command->mutable_standard_input()->set_column(0);
  command->add_environment()->set_column(1);
  v1::Job* job = request.mutable_job();
  for (const char* text : {"a", "b"}) {
    if (job->columns_size() == 0) job->add_columns();
    job->mutable_columns(0)->mutable_bytes()->add_values(text);
  }
  job->add_columns();
  for (const char* text : {"EXIT=0", "EXIT=7"}) {
    job->mutable_columns(1)->mutable_bytes()->add_values(text);
  }
  v1::Job ended;
  const std::vector<v1::InstanceResult> results = ResultsOf(request, &ended);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[1].end(), v1::EXITED);
  EXPECT_EQ(results[1].exit_code(), 7u);
  ASSERT_EQ(results[1].outputs_size(), 1);
  EXPECT_EQ(results[1].outputs(0).name(), "stdout");
  EXPECT_EQ(results[1].outputs(0).data(), "hello\nb");
  EXPECT_EQ(ended.counts().exited(), 2u);
}

TEST_F(DaemonProgramsTest, AModuleThatImportsWasiRunsWithoutACommand) {
  Start();
  v1::Job ended;
  const std::vector<v1::InstanceResult> results = ResultsOf(Program(1), &ended);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].end(), v1::RETURNED);
  EXPECT_EQ(results[0].outputs_size(), 0);
  EXPECT_EQ(ended.state(), v1::Job::SUCCEEDED);
}

TEST_F(DaemonProgramsTest, TheStepsOfTheSystemLayerAreNotShown) {
  Start();
  v1::CreateJobRequest request = Program(1);
  v1::Job ended;
  EXPECT_EQ(ResultsOf(request, &ended)[0].steps_size(), 1);
  const v1::Job job = GetJob(*client_, ended.name()).value();
  ASSERT_EQ(job.steps_size(), 1);
  EXPECT_EQ(job.steps(0).call().function(), "_start");
}

TEST_F(DaemonProgramsTest, OutputFilesAreOutputsByTheirPaths) {
  Start();
  v1::CreateJobRequest request = Program(1);
  request.mutable_job()->mutable_command()->add_output_files("out/result.bin");
  v1::Job ended;
  const std::vector<v1::InstanceResult> results = ResultsOf(request, &ended);
  ASSERT_EQ(results[0].outputs_size(), 1);
  EXPECT_EQ(results[0].outputs(0).name(), "out/result.bin");
  EXPECT_EQ(results[0].outputs(0).data(), "file of 0");
}

TEST_F(DaemonProgramsTest, AnImportThatTheSystemLayerLacksIsNamed) {
  Start();
  v1::CreateJobRequest request = Program(1);
  const std::string wasm = cli::AssembleWat(
                               "(module (import \"wasi_snapshot_preview1\" \"fd_fly\" (func)) "
                               "(memory (export \"memory\") 1) (func (export \"_start\")))",
                               "other.wat")
                               .value();
  request.mutable_job()->set_module(PushModule(*client_, wasm).value().name());
  const Status status = CreateJob(*client_, request).status();
  EXPECT_EQ(status.reason(), Reason::kImportNotProvided);
  EXPECT_NE(status.message().find("fd_fly"), std::string::npos) << status.message();
}

TEST_F(DaemonProgramsTest, AProgramWithoutAStartIsRefusedByName) {
  Start();
  v1::CreateJobRequest request = Program(1);
  const std::string wasm =
      cli::AssembleWat("(module (memory (export \"memory\") 1))", "other.wat").value();
  request.mutable_job()->set_module(PushModule(*client_, wasm).value().name());
  request.mutable_job()->mutable_command();
  const Status status = CreateJob(*client_, request).status();
  EXPECT_EQ(status.reason(), Reason::kEntryPointNotFound);
  EXPECT_NE(status.message().find("[_start]"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace wb
