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
    for (const SandboxPolicy host : {SandboxPolicy::kBuilder, SandboxPolicy::kGpu}) {
      const Verdict wider = VerdictOf(host, number);
      EXPECT_TRUE(wider == compiler || wider == Verdict::kAllow || compiler == Verdict::kRefuse)
          << number << " " << SandboxPolicyName(host);
    }
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
