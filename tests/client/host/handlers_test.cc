// Real processes of --host: what they answer, and how they end.

#include "client/cli/host/handlers.h"

#include <gtest/gtest.h>

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "client/cli/program/files.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr auto kPatience = std::chrono::seconds(20);

// Answers 7 to every call, by sed.
constexpr const char* kSeven = R"(sed -u 's/"import".*/"results":[7]}/')";

class HandlersTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_host_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
  }
  void TearDown() override {
    handlers_.reset();
    std::filesystem::remove_all(folder_);
  }
  void Start(const std::string& command, size_t count = 1) {
    options_.command = command;
    handlers_ = Handlers::Start(options_, count, {{"env.f", {v1::I32}}},
                                [this](const std::string& sentence) {
                                  MutexLock lock(mutex_);
                                  warnings_ += sentence + "\n";
                                })
                    .value();
  }
  void Call(uint64_t instance, uint64_t number = 0, const std::string& bytes = "") {
    v1::HostCall call;
    call.set_instance(instance);
    call.set_number(number);
    call.set_import("env.f");
    call.add_bytes(bytes);
    handlers_->Take(call, instance, [this](v1::HostAnswer answer) {
      MutexLock lock(mutex_);
      answers_.push_back(std::move(answer));
      changed_.NotifyAll();
    });
  }
  // By instance.
  std::vector<v1::HostAnswer> Wait(size_t count) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    MutexLock lock(mutex_);
    while (answers_.size() < count && changed_.WaitUntil(mutex_, until)) {
    }
    EXPECT_EQ(answers_.size(), count);
    std::vector<v1::HostAnswer> answers = answers_;
    answers.resize(count);
    std::sort(answers.begin(), answers.end(),
              [](const auto& a, const auto& b) { return a.instance() < b.instance(); });
    return answers;
  }
  std::string Warnings() {
    MutexLock lock(mutex_);
    return warnings_;
  }

  std::string folder_;
  HandlerOptions options_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<v1::HostAnswer> answers_ WB_GUARDED_BY(mutex_);
  std::string warnings_ WB_GUARDED_BY(mutex_);
  std::unique_ptr<Handlers> handlers_;
};

TEST_F(HandlersTest, CallsAreAnsweredByTheirInstanceAndNumber) {
  Start(kSeven);
  for (uint64_t instance = 0; instance < 500; ++instance) Call(instance, 2 * instance);
  for (const v1::HostAnswer& answer : Wait(500)) {
    EXPECT_EQ(answer.number(), 2 * answer.instance());
    ASSERT_EQ(answer.results_size(), 1) << answer.error();
    EXPECT_EQ(answer.results(0).i32(), 7);
  }
  handlers_->Finish();
  EXPECT_EQ(Warnings(), "");
}

TEST_F(HandlersTest, MoreThanAPipeHoldsGoesBothWays) {
  Start(R"(sed -u 's/"import".*"bytes"/"results":[7],"bytes"/')");
  for (uint64_t instance = 0; instance < 3; ++instance) {
    Call(instance, 0, std::string(100'000, 'x'));
  }
  for (const v1::HostAnswer& answer : Wait(3)) EXPECT_EQ(answer.results_size(), 1);
}

TEST_F(HandlersTest, InstancesAreDealtToProcesses) {
  Start(R"(while read -r line; do echo "$$ $line" >>)" + folder_ +
            R"(/$$; echo "$line" | sed 's/"import".*/"results":[7]}/'; done)",
        2);
  for (uint64_t instance = 0; instance < 4; ++instance) Call(instance);
  Wait(4);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    files.push_back(ReadFile(entry.path().string()).value());
  }
  ASSERT_EQ(files.size(), 2u);
  for (const std::string& file : files) {
    EXPECT_EQ(std::count(file.begin(), file.end(), '\n'), 2);
    const bool is_even = file.find("\"instance\":0") != std::string::npos;
    EXPECT_NE(file.find(is_even ? "\"instance\":2" : "\"instance\":3"), std::string::npos);
  }
}

TEST_F(HandlersTest, CallsOfAProcessThatExitsFailWithItsStatus) {
  Start("read line; exit 3");
  Call(0);
  EXPECT_NE(Wait(1)[0].error().find("exited with status [3]"), std::string::npos);
  Call(1);
  EXPECT_NE(Wait(2)[1].error().find("exited with status [3]"), std::string::npos);
  EXPECT_NE(Warnings().find("Its calls fail from now on"), std::string::npos);
}

TEST_F(HandlersTest, CallsOfAProcessThatASignalEndsFailWithTheSignal) {
  Start("read line; kill -KILL $$");
  Call(0);
  EXPECT_NE(Wait(1)[0].error().find("ended by signal [9]"), std::string::npos);
}

TEST_F(HandlersTest, AProcessThatAnswersAndExitsHasAnswered) {
  Start(R"(read line; echo '{"instance":0,"call":0,"results":[7]}')");
  Call(0);
  EXPECT_EQ(Wait(1)[0].results_size(), 1);
}

TEST_F(HandlersTest, ACommandThatIsNotThereIsToldByTheShellsStatus) {
  Start("exec /nowhere/handler 2>/dev/null");
  Call(0);
  EXPECT_NE(Wait(1)[0].error().find("exited with status [127]"), std::string::npos);
}

TEST_F(HandlersTest, NonsenseFailsTheCallThatItNamesAndIsElseCounted) {
  Start(R"(read line; echo oops; echo '{"instance":0,"call":5}'
           echo '{"instance":0,"call":0,"results":["x"]}'; cat >/dev/null)");
  Call(0);
  EXPECT_NE(Wait(1)[0].error().find("[x]"), std::string::npos);
  handlers_->Finish();
  EXPECT_NE(Warnings().find("It is [\"oops\"]."), std::string::npos) << Warnings();
  EXPECT_NE(Warnings().find("[2] lines of the program"), std::string::npos) << Warnings();
}

TEST_F(HandlersTest, NonsenseIsShownTenTimesAtMost) {
  Start("read line; yes | head -n 5000; exit 0");
  Call(0);
  Wait(1);
  handlers_->Finish();
  const std::string warnings = Warnings();
  EXPECT_LT(std::count(warnings.begin(), warnings.end(), '\n'), 14);
  EXPECT_NE(warnings.find("[5000] lines"), std::string::npos);
}

TEST_F(HandlersTest, ALineWithoutEndEndsTheProcess) {
  options_.longest_line = 100'000;
  options_.grace = std::chrono::milliseconds(20);
  Start("read line; yes | tr -d '\\n'");
  Call(0);
  EXPECT_NE(Wait(1)[0].error().find("a line of more than [100000] bytes"), std::string::npos);
}

TEST_F(HandlersTest, AProcessThatIgnoresItsEndIsKilled) {
  options_.grace = std::chrono::milliseconds(20);
  Start("trap '' TERM; echo $$ >" + folder_ + "/pid; read line; echo " +
        R"('{"instance":0,"call":0,"results":[7]}'; while :; do sleep 1000; done)");
  Call(0);
  Wait(1);
  handlers_->Finish();
  const int pid = std::stoi(ReadFile(folder_ + "/pid").value());
  EXPECT_NE(kill(pid, 0), 0);
}

TEST_F(HandlersTest, AProcessThatReadsNothingDoesNotHoldTheEndUp) {
  options_.grace = std::chrono::milliseconds(20);
  Start("exec sleep 1000");
  Call(0, 0, std::string(1 << 20, 'x'));
  handlers_->Finish();
}

TEST_F(HandlersTest, TheEndOfItsInputEndsAProcessByItself) {
  Start("cat >/dev/null; echo done >" + folder_ + "/done");
  handlers_->Finish();
  EXPECT_EQ(ReadFile(folder_ + "/done").value(), "done\n");
}

}  // namespace
}  // namespace wb::cli
