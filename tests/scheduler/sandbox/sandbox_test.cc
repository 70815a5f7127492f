// What a process that entered a sandbox can still do: each attempt in a child of its own, under
// each policy.

#include "scheduler/sandbox/sandbox.h"

#include <gtest/gtest.h>
#ifdef __linux__
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <functional>
#include <thread>

#include "scheduler/devices/compile/private_folder.h"
#include "scheduler/pipelines/cache_key.h"
#include "scheduler/sandbox/landlock.h"

namespace wb::test {
namespace {

constexpr int kFine = 0;    // else an errno
constexpr int kEnded = -1;  // by SIGSYS
constexpr int kStrange = -2;

int ErrnoUnless(bool fine) { return fine ? kFine : errno; }
int ErrnoOf(long call) { return ErrnoUnless(call >= 0); }
int OpenTo(const std::string& path, int flags) {
  const UniqueFd file(::open(path.c_str(), flags | O_CLOEXEC, 0600));
  return ErrnoUnless(file.ok());
}
int Start(const std::string& path) {
  char* const words[] = {const_cast<char*>(path.c_str()), nullptr};
  ::execv(path.c_str(), words);
  return errno;
}

class SandboxTest : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef WB_SANITIZED
    GTEST_SKIP() << "builds with a sanitizer are not isolated";
#endif
    if (Sandbox::Prepare({.isolation = Isolation::kRequired}).ok()) return;
    GTEST_SKIP() << "this kernel: "
                 << Sandbox::Prepare({.isolation = Isolation::kRequired}).status().message();
  }

  std::string Own(const std::string& name) const { return own_.path() + "/" + name; }
  std::string Other(const std::string& name) const { return other_.path() + "/" + name; }

  int Attempt(SandboxPolicy policy, const std::function<int()>& act) const {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(InChild(policy, act));
    int status = 0;
    if (::waitpid(child, &status, 0) != child) return kStrange;
    if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGSYS ? kEnded : kStrange;
    return WEXITSTATUS(status);
  }
  int InChild(SandboxPolicy policy, const std::function<int()>& act) const {
    constexpr int kNotEntered = 255;
    SandboxPlan plan;
    plan.policy = policy;
    plan.isolation = Isolation::kRequired;
    const bool compiles = policy == SandboxPolicy::kCompiler || policy == SandboxPolicy::kBuilder;
    if (compiles) plan.own_folder = own_.path();
    const auto sandbox = Sandbox::Prepare(plan);
    if (!sandbox.ok() || sandbox->Enter() != 0) return kNotEntered;
    return act();
  }

  // In the order of the policies: compiler, engine, builder, gpu.
  void Expect(const std::array<int, kPolicies>& ends, const std::function<int()>& act) const {
    for (size_t i = 0; i < kPolicies; ++i) {
      const auto policy = static_cast<SandboxPolicy>(i);
      EXPECT_EQ(Attempt(policy, act), ends[i]) << SandboxPolicyName(policy);
    }
  }
  void ExpectEverywhere(int end, const std::function<int()>& act) const {
    Expect({end, end, end, end}, act);
  }

  const PrivateFolder own_ = PrivateFolder::Create("").value();
  const PrivateFolder other_ = PrivateFolder::Create("").value();
};

TEST_F(SandboxTest, NobodyMakesASocketOfTheNetwork) {
  ExpectEverywhere(EPERM, [] { return ErrnoOf(::socket(AF_INET, SOCK_STREAM, 0)); });
  ExpectEverywhere(EPERM, [] { return ErrnoOf(::socket(AF_NETLINK, SOCK_RAW, 0)); });
}

TEST_F(SandboxTest, OneThatIsThereConnectsToNothing) {
  if (LandlockVersion() < 4) GTEST_SKIP() << "Landlock " << LandlockVersion();
  const UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Expect({EPERM, EPERM, EPERM, EACCES}, [&socket] {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(9);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ErrnoOf(
        ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&place), sizeof(place)));
  });
}

TEST_F(SandboxTest, OnlyADriverMakesALocalSocket) {
  Expect({EPERM, EPERM, EPERM, kFine}, [] { return ErrnoOf(::socket(AF_UNIX, SOCK_STREAM, 0)); });
}

TEST_F(SandboxTest, NobodyReadsWhatIsNotForIt) {
  ExpectEverywhere(EACCES, [] { return OpenTo("/etc/passwd", O_RDONLY); });
  ExpectEverywhere(EACCES, [this] { return OpenTo(Other(".lock"), O_RDONLY); });
  const std::string parent = "/proc/" + std::to_string(::getpid());
  ExpectEverywhere(EACCES, [&parent] { return OpenTo(parent + "/environ", O_RDONLY); });
  ExpectEverywhere(EACCES, [&parent] { return OpenTo(parent + "/mem", O_RDWR); });
}

// The key of the pipeline cache: who runs a stranger's code must not sign what hosts run next.
TEST_F(SandboxTest, NobodyOpensTheKeyOfCompiledKernels) {
  (void)CacheKey::OfFolder(Other("state"),
                           [](const std::string& words) { ADD_FAILURE() << words; });
  ASSERT_EQ(OpenTo(Other("state/cache.key"), O_RDONLY), kFine);  // of this process
  ExpectEverywhere(EACCES, [this] { return OpenTo(Other("state/cache.key"), O_RDONLY); });
  ExpectEverywhere(EACCES, [this] { return OpenTo(Other("state/cache.key"), O_RDWR); });
  // Neither by another name of the file, nor by making another file of its name.
  Expect({EXDEV, EPERM, EXDEV, EPERM},
         [this] { return ErrnoOf(::link(Other("state/cache.key").c_str(), Own("key").c_str())); });
  Expect({EACCES, EPERM, EACCES, EPERM}, [this] {
    return ErrnoOf(::rename(Other("state/cache.key").c_str(), Own("key").c_str()));
  });
}

TEST_F(SandboxTest, EverybodyReadsLibrariesAndItsProcessors) {
  ExpectEverywhere(kFine, [] { return OpenTo("/usr/lib", O_RDONLY | O_DIRECTORY); });
  ExpectEverywhere(kFine, [] { return OpenTo("/proc/stat", O_RDONLY); });
  Expect({EACCES, kFine, kFine, kFine}, [] { return OpenTo("/proc/self/maps", O_RDONLY); });
}

TEST_F(SandboxTest, NobodyWritesOutsideItsFolder) {
  ExpectEverywhere(EACCES, [this] { return OpenTo(Other("new"), O_WRONLY | O_CREAT); });
  ExpectEverywhere(EACCES, [this] { return OpenTo(Other(".lock"), O_WRONLY | O_TRUNC); });
  ExpectEverywhere(EACCES, [] { return OpenTo("/tmp/wasmburst-new", O_WRONLY | O_CREAT); });
  Expect({EACCES, EPERM, EACCES, EACCES},
         [this] { return ErrnoOf(::unlink(Other(".lock").c_str())); });
}

// As NVIDIA's driver asks before it binds an abstract socket.
TEST_F(SandboxTest, AGpusHostHearsThatAFileWithoutANameIsNotThere) {
  Expect({ENOENT, EPERM, ENOENT, ENOENT}, [] { return ErrnoOf(::unlink("")); });
}

TEST_F(SandboxTest, WhoCompilesWritesItsFolder) {
  Expect({kFine, EACCES, kFine, EACCES},
         [this] { return OpenTo(Own("new"), O_RDWR | O_CREAT | O_TRUNC); });
  Expect({kFine, EPERM, kFine, EPERM}, [this] {
    if (::mkdir(Own("folder").c_str(), 0700) != 0) return errno;
    return ErrnoOf(::rmdir(Own("folder").c_str()));
  });
}

TEST_F(SandboxTest, WhoCompilesStartsPrograms) {
  Expect({kFine, EPERM, kFine, EPERM}, [] { return Start("/bin/true"); });
  Expect({kFine, EPERM, kFine, EPERM}, [] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    return ErrnoOf(child);
  });
}

TEST_F(SandboxTest, NobodyStartsWhatItWrote) {
  std::ofstream(Own("script")) << "#!/bin/sh\nexit 0\n";
  ::chmod(Own("script").c_str(), 0700);
  Expect({EACCES, EPERM, EACCES, EPERM}, [this] { return Start(Own("script")); });
}

// A GPU's driver alone has devices, and what it starts where their files are missing it cannot.
TEST_F(SandboxTest, ADriverHasItsDevicesAndStartsNothingForThem) {
  Expect({EACCES, EACCES, EACCES, kFine}, [] { return OpenTo("/dev/full", O_RDWR); });
  Expect({kFine, EPERM, kFine, EPERM}, [] {
    const pid_t child = ::vfork();
    if (child == 0) ::_exit(0);
    return ErrnoOf(child);
  });
  ExpectEverywhere(EPERM, [] { return ErrnoOf(::setuid(::getuid())); });
}

TEST_F(SandboxTest, WhatNobodyNeedsEndsTheProcess) {
  ExpectEverywhere(kEnded, [] { return ErrnoOf(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); });
  ExpectEverywhere(kEnded, [] { return ErrnoOf(::mount("none", "/mnt", "tmpfs", 0, "")); });
  ExpectEverywhere(kEnded, [] { return ErrnoOf(::syscall(SYS_bpf, 0, nullptr, 0)); });
  ExpectEverywhere(kEnded, [] { return ErrnoOf(::syscall(SYS_keyctl, 0, 0)); });
  ExpectEverywhere(kEnded, [] { return ErrnoOf(::syscall(SYS_userfaultfd, 0)); });
  ExpectEverywhere(kEnded, [] { return ErrnoOf(::syscall(SYS_finit_module, 0, "", 0)); });
  ExpectEverywhere(kEnded, [parent = ::getpid()] {
    return ErrnoOf(::syscall(SYS_process_vm_readv, parent, nullptr, 0, nullptr, 0, 0));
  });
}

TEST_F(SandboxTest, WhatLibrariesProbeIsRefused) {
  ExpectEverywhere(EPERM, [] { return ErrnoOf(::syscall(SYS_io_uring_setup, 1, nullptr)); });
  ExpectEverywhere(EPERM,
                   [] { return ErrnoOf(::syscall(SYS_perf_event_open, nullptr, 0, 0, 0, 0)); });
  constexpr int kNewer = 999;
  ExpectEverywhere(ENOSYS, [] { return ErrnoOf(::syscall(kNewer)); });
}

TEST_F(SandboxTest, NobodyHasNamespacesOfItsOwn) {
  ExpectEverywhere(EPERM, [] { return ErrnoOf(::unshare(CLONE_NEWUSER)); });
  ExpectEverywhere(EPERM, [] {
    return ErrnoOf(::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, 0));
  });
}

TEST_F(SandboxTest, NobodySignalsWhoIsOutside) {
  if (LandlockVersion() < 6) GTEST_SKIP() << "Landlock " << LandlockVersion();
  ExpectEverywhere(EPERM, [parent = ::getpid()] { return ErrnoOf(::kill(parent, SIGCONT)); });
}

TEST_F(SandboxTest, NobodyLiftsItsLimits) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  ExpectEverywhere(EPERM, [&before] {
    rlimit more = before;
    ++more.rlim_max;
    return ErrnoOf(::prlimit(0, RLIMIT_NOFILE, &more, nullptr));
  });
  // A host bounds its compilers, and so may look at others of its user.
  Expect({EPERM, EPERM, kFine, EPERM}, [parent = ::getpid()] {
    rlimit seen{};
    return ErrnoOf(::prlimit(parent, RLIMIT_NOFILE, nullptr, &seen));
  });
}

TEST_F(SandboxTest, NobodyHasCapabilities) {
  ExpectEverywhere(0, [] {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3] = {};
    if (::syscall(SYS_capget, &header, held) != 0) return errno;
    return held[0].effective + held[0].permitted + held[1].effective + held[1].permitted == 0 ? 0
                                                                                              : 1;
  });
}

TEST_F(SandboxTest, HostsMapKernelsFromMemory) {
  Expect({EPERM, kFine, kFine, kFine}, [] {
    const int file = ::memfd_create("kernel", MFD_CLOEXEC);
    if (file < 0 || ::ftruncate(file, 4096) != 0) return errno;
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    const int again = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);  // as dlopen does
    if (again < 0) return errno;
    return ErrnoUnless(::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, again, 0) !=
                       MAP_FAILED);
  });
}

TEST_F(SandboxTest, OnlyADriverHasMemoryThatIsWrittenAndRun) {
  Expect({EPERM, EPERM, EPERM, kFine}, [] {
    constexpr int kBoth = PROT_READ | PROT_WRITE | PROT_EXEC;
    return ErrnoUnless(::mmap(nullptr, 4096, kBoth, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
                       MAP_FAILED);
  });
}

TEST_F(SandboxTest, EverybodyHasThreads) {
  ExpectEverywhere(7, [] {
    int seen = 0;
    std::thread([&seen] { seen = 7; }).join();
    return seen;
  });
}

TEST_F(SandboxTest, OneWithinAnotherHasWhatBothAllow) {
  EXPECT_EQ(Attempt(SandboxPolicy::kBuilder,
                    [this] {
                      SandboxPlan plan;
                      plan.own_folder = other_.path();
                      const auto inner = Sandbox::Prepare(plan);
                      if (!inner.ok() || inner->Enter() != 0) return 100;
                      const int own = OpenTo(Own("file"), O_WRONLY | O_CREAT);
                      const int other = OpenTo(Other("file"), O_WRONLY | O_CREAT);
                      return own == EACCES && other == EACCES ? kFine : 101;
                    }),
            kFine);
}

TEST(SandboxOff, RestrictsNothing) {
  const auto sandbox = Sandbox::Prepare({.isolation = Isolation::kOff});
  ASSERT_TRUE(sandbox.ok());
  EXPECT_FALSE(sandbox->restricts());
  EXPECT_EQ(sandbox->in_force(), "nothing");
}

}  // namespace
}  // namespace wb::test
#endif
