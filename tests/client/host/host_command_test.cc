// --host as it is typed, over a service that makes one call of each instance.

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>

#include "client/cli/commands/commands.h"
#include "client/cli/output/exit_code.h"
#include "client/cli/program/files.h"
#include "tests/client/fake_host_jobs.h"
#include "wasmburst/v1/modules.grpc.pb.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using Words = std::vector<std::string>;

constexpr const char* kModule = R"((module
  (import "env" "f" (func (param i32) (result i32)))
  (import "env" "g" (func))
  (memory (export "memory") 1)
  (func (export "_start"))
  (func (export "run"))))";

class FakeModules : public v1::Modules::Service {
 public:
  grpc::Status CreateModule(grpc::ServerContext*, const v1::CreateModuleRequest*,
                            v1::Module* module) override {
    *module = TheModule();
    return {};
  }
  grpc::Status GetModule(grpc::ServerContext*, const v1::GetModuleRequest*,
                         v1::Module* module) override {
    *module = TheModule();
    return {};
  }

 private:
  static v1::Module TheModule() {
    v1::Module module;
    module.set_name("modules/one");
    for (const auto& [name, type] : {std::pair("f", "(i32) -> i32"), std::pair("g", "() -> ()")}) {
      v1::ModuleImport* import = module.add_imports();
      import->set_module("env");
      import->set_name(name);
      import->set_kind("function");
      import->set_type(type);
    }
    for (const char* name : {"run", "_start"}) {
      module.add_exports()->set_name(name);
      module.mutable_exports(module.exports_size() - 1)->set_kind("function");
    }
    return module;
  }
};

// A job ends once its instances have their answers; each result has its answer's value.
class CallingJobs : public v1::Jobs::Service {
 public:
  grpc::Status CreateJob(grpc::ServerContext*, const v1::CreateJobRequest* request,
                         v1::Job* job) override {
    std::lock_guard<std::mutex> lock(mutex_);
    const std::string name = "jobs/" + std::to_string(jobs_.size());
    jobs_.push_back(request->job());
    jobs_.back().set_name(name);
    answers_[name];
    *job = jobs_.back();
    return {};
  }
  grpc::Status GetJob(grpc::ServerContext*, const v1::GetJobRequest* request,
                      v1::Job* job) override {
    *job = Named(request->name());
    return {};
  }
  grpc::Status ServeHostCalls(grpc::ServerContext*, HostCallStream* stream) override {
    v1::ServeHostCallsRequest first;
    stream->Read(&first);
    const v1::Job job = Named(first.job());
    std::vector<v1::HostCall> calls;
    for (uint64_t i = 0; i < job.instances(); ++i) calls.push_back(HostCallOf(i, 0));
    SendCalls(stream, calls);
    const std::vector<v1::HostAnswer> answers = ReadAnswers(stream, calls.size());
    std::lock_guard<std::mutex> lock(mutex_);
    answers_[job.name()] = answers;
    changed_.notify_all();
    return {};
  }
  grpc::Status ReadResults(grpc::ServerContext*, const v1::ReadResultsRequest* request,
                           grpc::ServerWriter<v1::ReadResultsResponse>* writer) override {
    if (on_read) {
      on_read();
      return grpc::Status::CANCELLED;
    }
    v1::ReadResultsResponse response;
    *response.mutable_job() = Named(request->name());
    response.mutable_job()->set_state(v1::Job::SUCCEEDED);
    std::unique_lock<std::mutex> lock(mutex_);
    const std::vector<v1::HostAnswer>& answers = answers_[request->name()];
    const bool ended = changed_.wait_for(lock, std::chrono::seconds(20), [&] {
      return answers.size() == response.job().instances();
    });
    for (const v1::HostAnswer& answer : answers) {
      v1::InstanceResult* result = response.add_results();
      result->set_instance(answer.instance());
      result->set_end(answer.error().empty() ? v1::RETURNED : v1::TRAPPED);
      result->mutable_trap()->set_host_error(answer.error());
      if (answer.error().empty()) *result->add_steps()->mutable_values() = answer.results();
      if (answer.error().empty()) result->clear_trap();
    }
    if (!ended) return {grpc::StatusCode::INTERNAL, "No answers came."};
    writer->Write(response);
    return {};
  }
  std::function<void()> on_read;  // instead of results

  std::vector<v1::Job> jobs() {
    std::lock_guard<std::mutex> lock(mutex_);
    return jobs_;
  }

 private:
  v1::Job Named(const std::string& name) {
    std::lock_guard<std::mutex> lock(mutex_);
    return jobs_.at(std::stoul(name.substr(5)));
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<v1::Job> jobs_;
  std::map<std::string, std::vector<v1::HostAnswer>> answers_;
};

struct CommandRun {
  int code = -1;
  Status status;
  std::string output, errors;
};

class HostCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_host_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    file_ = folder_ + "/module.wat";
    ASSERT_TRUE(WriteFile(file_, kModule).ok());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Answers 7, and keeps what it reads.
  std::string Handler() const {
    return "tee " + folder_ + R"(/read | sed -u 's/"import".*/"results":[7]}/')";
  }
  CommandRun Run(Words words, Format format = Format::kTable) {
    GlobalFlags flags;
    flags.format = format;
    CLI::App app;
    Command chosen;
    AddRunCommand(&app, &chosen);
    AddJobCommands(&app, &chosen);
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
    client_ = server_.NewClient();
    Invocation invocation(flags, client_, std::make_shared<std::atomic<bool>>(false));
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const Result<int> code = chosen.run(invocation);
    CommandRun ran;
    ran.errors = testing::internal::GetCapturedStderr();
    ran.output = testing::internal::GetCapturedStdout();
    ran.status = code.ok() ? Status() : code.status();
    ran.code = code.ok() ? *code : -1;
    return ran;
  }

  std::string folder_, file_;
  FakeModules modules_;
  CallingJobs jobs_;
  std::shared_ptr<Client> client_;  // of the command that runs
  FakeServer server_{{&modules_, &jobs_}};
};

TEST_F(HostCommandTest, JobRunAnswersTheCallsOfWhatNothingGives) {
  const CommandRun ran =
      Run({"job", "run", file_, "--call", "run", "--instances", "3", "--bind",
           "env.f=host:bytes(0,=4)", "--host", Handler(), "--host-timeout", "1500ms"},
          Format::kJsonl);
  EXPECT_EQ(ran.code, 0) << ran.status.message() << ran.errors;
  for (const char* result : {"\"instance\":0", "\"instance\":1", "\"instance\":2"}) {
    EXPECT_NE(ran.output.find(result), std::string::npos) << ran.output;
  }
  EXPECT_NE(ran.output.find("\"values\":[7]"), std::string::npos) << ran.output;
  const v1::Job job = jobs_.jobs().at(0);
  ASSERT_EQ(job.bindings_size(), 2);
  EXPECT_EQ(job.bindings(0).host().bytes_size(), 1);
  EXPECT_EQ(job.bindings(1).import(), "env.g");
  EXPECT_TRUE(job.bindings(1).has_host());
  EXPECT_EQ(job.host_call_timeout().seconds(), 1);
  EXPECT_EQ(job.host_call_timeout().nanos(), 500'000'000);
}

TEST_F(HostCommandTest, InstancesOfAllJobsOfARunHaveNumbersOfTheirOwn) {
  const CommandRun ran = Run({"run", file_, "-n", "3", "--job-items", "2", "--host", Handler()});
  EXPECT_EQ(ran.code, 0) << ran.status.message() << ran.errors;
  EXPECT_EQ(jobs_.jobs().size(), 2u);
  const std::string read = ReadFile(folder_ + "/read").value();
  for (const char* line : {R"({"instance":0,"call":0,"import":"env.f","args":[0],"bytes":[]})",
                           R"({"instance":1,"call":0,"import":"env.f","args":[1],"bytes":[]})",
                           R"({"instance":2,"call":0,"import":"env.f","args":[0],"bytes":[]})"}) {
    EXPECT_NE(read.find(line), std::string::npos) << read;
  }
}

TEST_F(HostCommandTest, AHostThatExitsFailsTheCallsAndSaysWhy) {
  const CommandRun ran = Run({"job", "run", file_, "--call", "run", "--host", "exit 5"});
  EXPECT_EQ(ran.code, 0) << ran.status.message();  // traps are results
  EXPECT_NE(ran.output.find("exited with status [5]"), std::string::npos) << ran.output;
  EXPECT_NE(ran.errors.find("exited with status [5]. Its calls fail"), std::string::npos)
      << ran.errors;
}

TEST_F(HostCommandTest, AJobThatWasSubmittedIsServedByAnotherCommand) {
  const CommandRun submitted =
      Run({"job", "submit", file_, "--call", "run", "--bind", "env.*=host"});
  EXPECT_EQ(submitted.output, "jobs/0\n") << submitted.status.message();
  EXPECT_EQ(Run({"job", "serve", "0", "--host", Handler()}).code, 0);
  EXPECT_NE(Run({"job", "results", "0"}, Format::kJsonl).output.find("\"values\":[7]"),
            std::string::npos);
}

TEST_F(HostCommandTest, AnInterruptSaysHowTheJobIsServedOn) {
  jobs_.on_read = [this] { client_->Interrupt(); };
  const CommandRun ran = Run({"job", "run", file_, "--call", "run", "--host", "cat >'/dev/null' #",
                              "--host-workers", "2"});
  EXPECT_EQ(ran.code, kInterrupted) << ran.status.message();
  const std::string command =
      R"(wasmburstctl job serve jobs/0 --host 'cat >'\''/dev/null'\'' #' --host-workers 2)";
  EXPECT_NE(ran.errors.find(command), std::string::npos) << ran.errors;
}

TEST_F(HostCommandTest, AHostAndWhatIsBoundToItNeedEachOther) {
  EXPECT_NE(Run({"job", "run", file_, "--call", "run", "--bind", "env.*=host"})
                .status.message()
                .find("give --host COMMAND"),
            std::string::npos);
  EXPECT_NE(Run({"run", file_, "-n", "1", "--bind", "env.*=trap", "--host", "cat"})
                .status.message()
                .find("imports no function that --host"),
            std::string::npos);
  EXPECT_TRUE(jobs_.jobs().empty());
}

TEST_F(HostCommandTest, AJobThatIsOnlyCheckedStartsNoHost) {
  const CommandRun ran = Run({"job", "run", file_, "--call", "run", "--validate-only", "--host",
                              "echo started >" + folder_ + "/started"});
  EXPECT_EQ(ran.code, 0) << ran.status.message();
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/started"));
}

}  // namespace
}  // namespace wb::cli
