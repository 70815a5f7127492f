#include "scheduler/sandbox/system_calls.h"

#include <gtest/gtest.h>
#ifdef __linux__
#include <sys/syscall.h>

namespace wb::test {
namespace {

constexpr uint32_t kNumbers = 500;  // more than there are calls

TEST(SystemCalls, WhatACompilerMayItsHostMay) {
  for (uint32_t number = 0; number < kNumbers; ++number) {
    const Verdict compiler = VerdictOf(SandboxPolicy::kCompiler, number);
    const Verdict host = VerdictOf(SandboxPolicy::kBuilder, number);
    EXPECT_TRUE(host == compiler || host == Verdict::kAllow || compiler == Verdict::kRefuse)
        << number;
  }
}

TEST(SystemCalls, NobodyDoesWhatEndsAProcessElsewhere) {
  for (uint32_t number = 0; number < kNumbers; ++number) {
    const bool ends = VerdictOf(SandboxPolicy::kCompiler, number) == Verdict::kEnd;
    for (const SandboxPolicy policy :
         {SandboxPolicy::kEngine, SandboxPolicy::kBuilder, SandboxPolicy::kGpu}) {
      EXPECT_EQ(VerdictOf(policy, number) == Verdict::kEnd, ends) << number;
    }
  }
}

TEST(SystemCalls, AnEngineMakesNoFilesProcessesOrSockets) {
  for (const uint32_t number : {SYS_unlinkat, SYS_mkdirat, SYS_renameat2, SYS_execve, SYS_wait4,
                                SYS_kill, SYS_socket, SYS_socketpair, SYS_connect, SYS_ioctl}) {
    EXPECT_EQ(VerdictOf(SandboxPolicy::kEngine, number), Verdict::kRefuse) << number;
  }
}

TEST(SystemCalls, NeitherDoesAGpusHost) {
  for (const uint32_t number : {SYS_symlinkat, SYS_mkdirat,
                                SYS_renameat2, SYS_linkat,
                                SYS_mknodat,   SYS_fchmodat,
                                SYS_execve,    SYS_execveat,
                                SYS_wait4,     SYS_kill,
                                SYS_setsid,    SYS_setpgid,
                                SYS_seccomp,   SYS_landlock_create_ruleset,
                                SYS_capset,    SYS_setuid,
                                SYS_setresuid, SYS_setgroups,
                                SYS_fchownat,  SYS_setxattr,
                                SYS_msgget,    SYS_semget,
                                SYS_mq_open,   SYS_io_setup}) {
    EXPECT_EQ(VerdictOf(SandboxPolicy::kGpu, number), Verdict::kRefuse) << number;
  }
  EXPECT_EQ(VerdictOf(SandboxPolicy::kGpu, SYS_clone), Verdict::kThread);
  EXPECT_EQ(VerdictOf(SandboxPolicy::kGpu, SYS_prlimit64), Verdict::kSelf);
}

TEST(SystemCalls, OnlyADriverHasDevicesAndPlacesForMemory) {
  for (const uint32_t number : {SYS_ioctl, SYS_connect, SYS_mbind, SYS_mlock, SYS_epoll_ctl}) {
    EXPECT_EQ(VerdictOf(SandboxPolicy::kGpu, number), Verdict::kAllow) << number;
    EXPECT_EQ(VerdictOf(SandboxPolicy::kEngine, number), Verdict::kRefuse) << number;
    EXPECT_EQ(VerdictOf(SandboxPolicy::kBuilder, number), Verdict::kRefuse) << number;
  }
  for (const uint32_t number : {SYS_vmsplice, SYS_memfd_secret, SYS_fanotify_mark}) {
    EXPECT_EQ(VerdictOf(SandboxPolicy::kGpu, number), Verdict::kRefuse) << "not in the table";
  }
}

TEST(SystemCalls, NewOnesAreUnknown) {
  EXPECT_EQ(VerdictOf(SandboxPolicy::kCompiler, kNumbers), Verdict::kUnknown);
  EXPECT_EQ(VerdictOf(SandboxPolicy::kGpu, kNumbers), Verdict::kUnknown);
}

TEST(SystemCalls, AFilterIsShortEnoughForTheKernel) {
  constexpr size_t kMostSteps = 4096;
  for (size_t i = 0; i < kPolicies; ++i) {
    const auto filter = FilterOf(static_cast<SandboxPolicy>(i));
    EXPECT_FALSE(filter.empty());
    EXPECT_LT(filter.size(), kMostSteps);
  }
}

TEST(Policies, HaveNames) {
  for (size_t i = 0; i < kPolicies; ++i) {
    const auto policy = static_cast<SandboxPolicy>(i);
    EXPECT_EQ(SandboxPolicyOf(SandboxPolicyName(policy)), policy);
  }
  EXPECT_EQ(SandboxPolicyOf("none"), std::nullopt);
  EXPECT_EQ(IsolationOf("required"), Isolation::kRequired);
  EXPECT_EQ(IsolationOf("perhaps"), std::nullopt);
  EXPECT_EQ(IsolationOf(3u), std::nullopt);
}

}  // namespace
}  // namespace wb::test
#endif
