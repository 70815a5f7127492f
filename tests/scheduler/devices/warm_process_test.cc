// A process that waits for its words: who gets it, and what is done without it.

#include "scheduler/devices/compile/warm_process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "tests/scheduler/base/temporary_folder.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class WarmProcessTest : public ::testing::Test {
 protected:
  // A program of the shell. `wait` is what it does as the one that waits; else it writes "new" to
  // the file "made".
  std::shared_ptr<WarmProcess> Start(const std::string& wait) {
    program_ = folder_.path() + "/program";
    std::ofstream(program_) << "#!/bin/sh\nif [ \"$1\" != wait ]; then echo new >made; exit 0; fi\n"
                            << wait << "\n";
    chmod(program_.c_str(), 0700);
    return WarmProcess::Create({program_, "wait"}, folder_.path(), limits_);
  }
  std::vector<std::string> Argv() const { return {program_, "build", "two words"}; }
  // What a compile made. `ready`: by a process that waits, which is awaited.
  std::string Made(WarmProcess& warm, bool ready) {
    std::optional<OneCompile> compile(warm.Begin().value());
    while (ready && !IsWarm(*compile)) {
      std::this_thread::sleep_for(5ms);
      compile.reset();
      compile.emplace(warm.Begin().value());
    }
    report_ = compile->Run(Argv(), limits_.max_time).value();
    const auto made = compile->folder().Read("made");
    return made.ok() ? std::string(made->begin(), made->end()) : "";
  }
  static bool IsWarm(const OneCompile& compile) {
    return access((compile.folder().path() + "/" + WarmProcess::kWords).c_str(), F_OK) == 0;
  }

  TemporaryFolder folder_;
  ChildLimits limits_{.max_time = 20s};
  std::string program_;
  ChildReport report_;
};

constexpr const char* kDoes = "words=$(tr '\\0' '|' <words); echo \"$words\" >made";

TEST_F(WarmProcessTest, TheOneThatWaitsGetsTheWords) {
  const auto warm = Start(kDoes);
  EXPECT_EQ(Made(*warm, true), "build|two words|\n");
  EXPECT_EQ(report_.exit_code, 0);
  EXPECT_EQ(Made(*warm, true), "build|two words|\n");  // another waits
}

TEST_F(WarmProcessTest, OneThatIsNotReadyIsNotWaitedFor) {
  const auto warm = Start("sleep 100; " + std::string(kDoes));
  EXPECT_EQ(Made(*warm, false), "new\n");
  EXPECT_EQ(Made(*warm, false), "new\n");
}

TEST_F(WarmProcessTest, WhereItEndsBadlyANewOneDoesIt) {
  const auto warm = Start("cat words >/dev/null; echo bad; exit 3");
  EXPECT_EQ(Made(*warm, true), "new\n");
  EXPECT_EQ(report_.exit_code, 0);
  EXPECT_EQ(report_.message, "");
}

TEST_F(WarmProcessTest, OneThatHasEndedIsReplaced) {
  const auto warm = Start("[ -e ../once ] || { : >../once; exit 0; }; " + std::string(kDoes));
  while (access((folder_.path() + "/once").c_str(), F_OK) != 0) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(Made(*warm, false), "new\n");
  while (Made(*warm, false) == "new\n") std::this_thread::sleep_for(5ms);
}

TEST_F(WarmProcessTest, TheTimeOfBothIsThatOfOne) {
  limits_.max_time = 500ms;
  const auto warm = Start("cat words >/dev/null; sleep 100");
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(Made(*warm, true), "");
  EXPECT_TRUE(report_.timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 50s);
}

TEST_F(WarmProcessTest, NoneIsLeft) {
  auto warm = Start("echo $$ >../pid; sleep 100");
  int pid = 0;
  while (pid == 0) {
    std::ifstream(folder_.path() + "/pid") >> pid;
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_EQ(kill(pid, 0), 0);
  warm.reset();
  EXPECT_NE(kill(pid, 0), 0);
}

TEST_F(WarmProcessTest, AProgramThatIsNotThereIsAnErrorOfTheCompile) {
  const auto warm = WarmProcess::Create({folder_.path() + "/none"}, folder_.path(), limits_);
  auto compile = warm->Begin();
  EXPECT_FALSE(compile->Run({folder_.path() + "/none"}, 1s).ok());
}

}  // namespace
}  // namespace wb::test
