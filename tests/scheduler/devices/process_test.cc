#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "scheduler/devices/compile/compile_process.h"
#include "scheduler/devices/compile/compile_report.h"
#include "scheduler/devices/compile/private_folder.h"
#include "tests/scheduler/base/few_descriptors.h"

namespace wb::test {
namespace {

ChildReport RunShell(const std::string& script, const ChildLimits& limits = {}) {
  const auto folder = PrivateFolder::Create("");
  const auto report = RunChild({"/bin/sh", "-c", script}, folder->path(), limits);
  EXPECT_TRUE(report.ok()) << report.status().ToString();
  return report.ok() ? *report : ChildReport{};
}

TEST(CompileProcess, ReportsHowTheChildEnded) {
  EXPECT_EQ(RunShell("exit 3").exit_code, 3);
  EXPECT_EQ(RunShell("kill -9 $$").signal, 9);
  EXPECT_EQ(RunShell("echo out; echo err >&2").message, "out\nerr\n");
}

TEST(CompileProcess, CountsTheProcessorTimeOfAllThatItStarted) {
  const auto time = RunShell("sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; exit 0");
  EXPECT_GT(time.processor_time, std::chrono::milliseconds(10));
}

TEST(CompileProcess, KeepsOnlyTheBeginningOfWhatIsSaid) {
  ChildLimits limits;
  limits.max_message_bytes = 10;
  EXPECT_EQ(RunShell("yes | head -c 100000", limits).message, "y\ny\ny\ny\ny\n");
}

TEST(CompileProcess, StopsWhatTakesTooLongAndAllItStarted) {
  const auto folder = PrivateFolder::Create("");
  ChildLimits limits;
  limits.max_time = std::chrono::milliseconds(50);
  // The grandchild would write the file if it outlived its parent's group.
  const auto report =
      RunChild({"/bin/sh", "-c", "(sleep 1000; touch late) & wait"}, folder->path(), limits);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->timed_out);
  EXPECT_FALSE(std::filesystem::exists(folder->path() + "/late"));
}

TEST(CompileProcess, ChildrenInheritNothingButTheirStreams) {
  EXPECT_EQ(RunShell("ls /proc/self/fd | wc -l").message, "4\n");  // 0 1 2 and ls's own
  EXPECT_EQ(RunShell("env | cut -d= -f1 | grep -vE '^(PWD|OLDPWD|SHLVL|LD_LIBRARY_PATH|_)$' | sort "
                     "| tr '\\n' ' '")
                .message,
            "HOME LC_ALL PATH TMPDIR ");
}

TEST(CompileProcess, FilesAreBounded) {
  ChildLimits limits;
  limits.max_file_bytes = 1000;
  const auto folder = PrivateFolder::Create("");
  const auto report =
      RunChild({"/bin/sh", "-c", "head -c 5000 /dev/zero > big"}, folder->path(), limits);
  ASSERT_TRUE(report.ok());
  EXPECT_LE(std::filesystem::file_size(folder->path() + "/big"), 1000u);
}

TEST(CompileProcess, AProgramThatIsNotThereIsAnError) {
  const auto folder = PrivateFolder::Create("");
  EXPECT_EQ(RunChild({"/nonexistent"}, folder->path(), {}).status().reason(), Reason::kIoError);
}

TEST(CompileProcess, AFileThatIsNoProgramIsAnErrorThatSaysWhy) {
  const auto folder = PrivateFolder::Create("");
  ASSERT_TRUE(folder->Write("text", "no program").ok());
  const std::string path = folder->path() + "/text";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  const Status status = RunChild({path}, folder->path(), {}).status();
  EXPECT_EQ(status.reason(), Reason::kIoError);
  EXPECT_NE(status.message().find("Exec format error"), std::string::npos) << status.message();
}

ChildReport EndedBy(int signal) {
  ChildReport report;
  report.signal = signal;
  return report;
}

ChildReport Said(const std::string& message) {
  ChildReport report;
  report.exit_code = 1;
  report.message = message;
  return report;
}

TEST(CompileReport, WhatEndedACompilerFromOutsideIsNoFaultOfTheModule) {
  const auto reason_of = [](const ChildReport& report) {
    return StatusOf(report, "clang", 100, {}).reason();
  };
  for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGHUP}) {
    EXPECT_EQ(reason_of(EndedBy(signal)), Reason::kMachineFault) << signal;
  }
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGXFSZ}) {
    EXPECT_EQ(reason_of(EndedBy(signal)), Reason::kCompileFailed) << signal;
  }
  for (const char* words :
       {"clang: error: unable to execute command: Killed\nclang: error: clang frontend command "
        "failed due to signal",
        "g++: fatal error: Killed signal terminated program cc1plus",
        "error: unable to open output file '/tmp/x.o': 'No space left on device'",
        "cannot create /tmp/x.o: Too many open files"}) {
    EXPECT_EQ(reason_of(Said(words)), Reason::kMachineFault) << words;
  }
  for (const char* words : {"clang: error: unable to execute command: Segmentation fault",
                            "kernel.metal:3: error: expected ';'", ""}) {
    EXPECT_EQ(reason_of(Said(words)), Reason::kCompileFailed) << words;
  }
  ChildReport full = Said("");
  full.disk_full = true;
  EXPECT_EQ(reason_of(full), Reason::kMachineFault);
  ChildReport late = EndedBy(SIGKILL);
  late.timed_out = true;
  EXPECT_EQ(reason_of(late), Reason::kCompileTimeout);
  ChildReport busy = EndedBy(SIGKILL);  // by the system, at the bound of processor time
  busy.processor_time = ChildLimits().max_time;
  EXPECT_EQ(reason_of(busy), Reason::kCompileTimeout);
  EXPECT_TRUE(StatusOf({}, "clang", 100, {}).ok());
}

TEST(PrivateFolderTest, ADiskThatIsFullIsAFaultOfTheMachine) {
  const auto folder = PrivateFolder::Create("");
  const Status status = folder->Write("../../../../../../dev/full", "text");
  EXPECT_EQ(status.reason(), Reason::kMachineFault);
  EXPECT_NE(status.message().find("No space left on device"), std::string::npos);
}

TEST(PrivateFolderTest, SoIsAWantOfDescriptors) {
  const auto folder = PrivateFolder::Create("");
  const FewDescriptors few;
  EXPECT_EQ(PrivateFolder::Create("").status().reason(), Reason::kMachineFault);
  EXPECT_EQ(folder->Write("file", "text").reason(), Reason::kMachineFault);
  EXPECT_EQ(folder->Read("file").status().reason(), Reason::kMachineFault);
  EXPECT_EQ(RunChild({"/bin/true"}, folder->path(), {}).status().reason(), Reason::kMachineFault);
}

TEST(PrivateFolderTest, IsPrivateAndRemoved) {
  std::string path;
  {
    const auto folder = PrivateFolder::Create("");
    ASSERT_TRUE(folder.ok());
    path = folder->path();
    ASSERT_TRUE(folder->Write("file", "text").ok());
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
    EXPECT_EQ(folder->Read("file")->size(), 4u);
    EXPECT_EQ(folder->Read("other").status().reason(), Reason::kIoError);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace wb::test
