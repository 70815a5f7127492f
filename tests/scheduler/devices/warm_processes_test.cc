// A process that waits for its words: who gets it, and what is done without it.

#include "scheduler/devices/compile/warm_processes.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "tests/scheduler/base/temporary_folder.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class WarmProcessesTest : public ::testing::Test {
 protected:
  // A program of the shell. `wait` is what it does as the one that waits; else it writes "new" to
  // the file "made".
  std::shared_ptr<WarmProcesses> Start(const std::string& wait) {
    program_ = folder_.path() + "/program";
    std::ofstream(program_) << "#!/bin/sh\nif [ \"$1\" != wait ]; then echo new >made; exit 0; fi\n"
                            << wait << "\n";
    chmod(program_.c_str(), 0700);
    return WarmProcesses::Create(Plan({program_, "wait"}));
  }
  WarmPlan Plan(std::vector<std::string> argv) const {
    return {std::move(argv), folder_.path(), limits_, most_, patience_, beside_};
  }
  std::vector<std::string> Argv() const { return {program_, "build", words_}; }
  // What a compile made. `ready`: by a process that waits, which is awaited.
  std::string Made(WarmProcesses& warm, bool ready) {
    std::optional<OneCompile> compile(warm.Begin().value());
    while (ready && !IsWarm(*compile)) {
      std::this_thread::sleep_for(5ms);
      compile.reset();
      compile.emplace(warm.Begin().value());
    }
    report_ = compile->Run(Argv(), limits_).value();
    const auto made = compile->folder().Read("made");
    return made.ok() ? std::string(made->begin(), made->end()) : "";
  }
  static OneCompile AwaitWarm(WarmProcesses& warm) {
    for (;;) {
      OneCompile compile = warm.Begin().value();
      if (IsWarm(compile)) return compile;
      std::this_thread::sleep_for(5ms);
    }
  }
  static bool IsWarm(const OneCompile& compile) {
    return access((compile.folder().path() + "/" + WarmProcesses::kWords).c_str(), F_OK) == 0;
  }

  TemporaryFolder folder_;
  ChildLimits limits_{.max_time = 20s};
  size_t most_ = 1;
  std::chrono::seconds patience_{600};
  size_t beside_ = 0;
  std::string program_;
  std::string words_ = "two words";
  ChildReport report_;
};

constexpr const char* kDoes = "words=$(tr '\\0' '|' <words); echo \"$words\" >made";

TEST_F(WarmProcessesTest, TheOneThatWaitsGetsTheWords) {
  const auto warm = Start(kDoes);
  EXPECT_EQ(Made(*warm, true), "build|two words|\n");
  EXPECT_EQ(report_.exit_code, 0);
  EXPECT_EQ(Made(*warm, true), "build|two words|\n");  // another waits
}

TEST_F(WarmProcessesTest, OneThatIsNotReadyIsNotWaitedFor) {
  const auto warm = Start("sleep 100; " + std::string(kDoes));
  EXPECT_EQ(Made(*warm, false), "new\n");
  EXPECT_EQ(Made(*warm, false), "new\n");
}

TEST_F(WarmProcessesTest, WhereItEndsBadlyANewOneDoesIt) {
  const auto warm = Start("cat words >/dev/null; echo bad; exit 3");
  EXPECT_EQ(Made(*warm, true), "new\n");
  EXPECT_EQ(report_.exit_code, 0);
  EXPECT_EQ(report_.message, "");
}

// A text that is wrong, or takes too much, is so the second time too.
TEST_F(WarmProcessesTest, WhatItSaysOfTheTextStands) {
  const auto wrong = Start("cat words >/dev/null; echo wrong; exit 1");
  EXPECT_EQ(Made(*wrong, true), "");
  EXPECT_EQ(report_.exit_code, 1);
  EXPECT_EQ(report_.message, "wrong\n");
  const auto crash = Start("cat words >/dev/null; kill -SEGV $$");
  EXPECT_EQ(Made(*crash, true), "");
  EXPECT_EQ(report_.signal, SIGSEGV);
}

TEST_F(WarmProcessesTest, WhereItDiesWithoutReadingANewOneDoesIt) {
  const auto warm = Start("exec 3<words; kill -KILL $$");
  EXPECT_EQ(Made(*warm, true), "new\n");
  EXPECT_EQ(report_.exit_code, 0);
}

TEST_F(WarmProcessesTest, MoreWordsThanAPipeHoldsGoToANewOne) {
  words_ = std::string(size_t{100} << 10, 'x');  // a pipe holds 64 KiB, an argument 128
  const auto warm = Start("cat words >/dev/null; echo waited >made");
  EXPECT_EQ(Made(*warm, true), "new\n");
}

TEST_F(WarmProcessesTest, OneThatHasEndedIsReplaced) {
  const auto warm = Start("[ -e ../once ] || { : >../once; exit 0; }; " + std::string(kDoes));
  while (access((folder_.path() + "/once").c_str(), F_OK) != 0) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(Made(*warm, false), "new\n");
  while (Made(*warm, false) == "new\n") std::this_thread::sleep_for(5ms);
}

TEST_F(WarmProcessesTest, TheTimeOfBothIsThatOfOne) {
  limits_.max_time = 500ms;
  const auto warm = Start("cat words >/dev/null; sleep 100");
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(Made(*warm, true), "");
  EXPECT_TRUE(report_.timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 50s);
}

int AwaitPid(const std::string& file) {
  int pid = 0;
  while (pid == 0) {
    std::ifstream(file) >> pid;
    std::this_thread::sleep_for(5ms);
  }
  return pid;
}

TEST_F(WarmProcessesTest, WhenPatienceIsOverNoneWaitsUntilTheNextCompile) {
  patience_ = 1s;
  const auto warm = Start("echo $$ >../pid; " + std::string(kDoes));
  const int pid = AwaitPid(folder_.path() + "/pid");
  while (kill(pid, 0) == 0) std::this_thread::sleep_for(5ms);  // it is reaped, too
  EXPECT_EQ(Made(*warm, false), "new\n");
  EXPECT_EQ(Made(*warm, true), "build|two words|\n");
}

TEST_F(WarmProcessesTest, NoneIsLeft) {
  auto warm = Start("echo $$ >../pid; sleep 100");
  const int pid = AwaitPid(folder_.path() + "/pid");
  EXPECT_EQ(kill(pid, 0), 0);
  warm.reset();
  EXPECT_NE(kill(pid, 0), 0);
}

// Each that has begun to wait has left a file with its number.
size_t Begun(const std::string& folder) {
  const std::filesystem::directory_iterator files(folder);
  return static_cast<size_t>(std::count_if(begin(files), end(files), [](const auto& file) {
    return file.path().extension() == ".begun";
  }));
}

TEST_F(WarmProcessesTest, AsManyWaitAsAskedAndNoneBeginsBesideACompile) {
  most_ = 3;
  const auto warm = Start(": >../$$.begun; " + std::string(kDoes));
  const auto await = [&](size_t begun) {
    while (Begun(folder_.path()) < begun) std::this_thread::sleep_for(5ms);
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(Begun(folder_.path()), begun);
  };
  await(3);
  {
    OneCompile longer = warm->Begin().value();
    EXPECT_TRUE(IsWarm(longer));
    EXPECT_EQ(Made(*warm, false), "build|two words|\n");
    EXPECT_EQ(Made(*warm, false), "build|two words|\n");
    EXPECT_EQ(Made(*warm, false), "new\n");
    await(3);
  }
  await(6);
}

TEST_F(WarmProcessesTest, OthersBeginBesideSoManyCompiles) {
  beside_ = 1;
  const auto warm = Start(": >../$$.begun; " + std::string(kDoes));
  const OneCompile longer = AwaitWarm(*warm);
  EXPECT_EQ(Made(*warm, false), "new\n");
  while (Begun(folder_.path()) < 2) std::this_thread::sleep_for(5ms);
}

// A full build begins as the quick one ends, and needs the processors.
TEST_F(WarmProcessesTest, NoneBeginsBesideACompileThatFollows) {
  const auto warm = Start(": >../$$.begun; " + std::string(kDoes));
  std::optional<OneCompile> compile(AwaitWarm(*warm));
  compile.reset();
  compile.emplace(warm->Begin().value());
  std::this_thread::sleep_for(200ms);
  EXPECT_EQ(Begun(folder_.path()), 1u);
  compile.reset();
  while (Begun(folder_.path()) < 2) std::this_thread::sleep_for(5ms);
}

#ifdef __linux__
TEST_F(WarmProcessesTest, TheMemoryIsThatOfTheCompile) {
  const auto warm = Start("cat words >/dev/null; ulimit -v >made");
  limits_.max_memory_bytes = uint64_t{1} << 30;
  EXPECT_EQ(Made(*warm, true), "1048576\n");
}
#endif

TEST_F(WarmProcessesTest, AProgramThatIsNotThereIsAnErrorOfTheCompile) {
  const auto warm = WarmProcesses::Create(Plan({folder_.path() + "/none"}));
  auto compile = warm->Begin();
  EXPECT_FALSE(compile->Run({folder_.path() + "/none"}, limits_).ok());
}

}  // namespace
}  // namespace wb::test
