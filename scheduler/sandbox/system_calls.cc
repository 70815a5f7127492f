#include "scheduler/sandbox/system_calls.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define WB_HAS_FILTERS
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#endif

namespace wb {

#ifdef WB_HAS_FILTERS

namespace {

static_assert(sizeof(FilterStep) == sizeof(sock_filter));
static_assert(offsetof(FilterStep, value) == offsetof(sock_filter, k));

#ifdef __x86_64__
constexpr uint32_t kProcessor = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t kProcessor = AUDIT_ARCH_AARCH64;
#endif
constexpr uint32_t kCalls = SYS_set_mempolicy_home_node + 1;  // the newest that Debian 12 names
constexpr uint32_t kNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                 CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

using Verdicts = std::array<Verdict, kCalls>;

constexpr std::array<Verdicts, kPolicies> MakeTable() {
  std::array<Verdicts, kPolicies> table{};
  for (size_t policy = 0; policy < kPolicies; ++policy) {
    table[policy].fill(Verdict::kRefuse);
  }
#define WB_CALL(name, compiler, engine, builder, gpu) \
  table[0][SYS_##name] = Verdict::k##compiler;        \
  table[1][SYS_##name] = Verdict::k##engine;          \
  table[2][SYS_##name] = Verdict::k##builder;         \
  table[3][SYS_##name] = Verdict::k##gpu;
#include "scheduler/sandbox/system_calls.def"
#undef WB_CALL
  return table;
}
constexpr std::array<Verdicts, kPolicies> kTable = MakeTable();

// Writes the program. Each verdict ends it, so nothing that a verdict loads is of use behind it.
class FilterWriter {
 public:
  void LoadWord(size_t offset) { Add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)); }
  void Add(int code, uint32_t value, uint8_t if_true = 0, uint8_t if_false = 0) {
    program_.push_back({static_cast<uint16_t>(code), if_true, if_false, value});
  }
  void Return(uint32_t action) { Add(BPF_RET | BPF_K, action); }

  // Of the first argument's lower half, after the mask: allowed where it is `value`, or is not.
  void AllowWhere(size_t argument, uint32_t mask, uint32_t value, bool is) {
    LoadWord(offsetof(seccomp_data, args) + argument * sizeof(uint64_t));  // little endian
    Add(BPF_ALU | BPF_AND | BPF_K, mask);
    Add(BPF_JMP | BPF_JEQ | BPF_K, value, is ? 0 : 1, is ? 1 : 0);
    Return(SECCOMP_RET_ALLOW);
    Return(SECCOMP_RET_ERRNO | EPERM);
  }

  void Decide(Verdict verdict) {
    switch (verdict) {
      case Verdict::kAllow: return Return(SECCOMP_RET_ALLOW);
      case Verdict::kRefuse: return Return(SECCOMP_RET_ERRNO | EPERM);
      case Verdict::kUnknown: return Return(SECCOMP_RET_ERRNO | ENOSYS);
      case Verdict::kEnd: return Return(SECCOMP_RET_KILL_PROCESS);
      case Verdict::kProcess: return AllowWhere(0, kNamespaces, 0, true);
      case Verdict::kThread: return AllowWhere(0, kNamespaces | CLONE_THREAD, CLONE_THREAD, true);
      case Verdict::kNotBoth:
        return AllowWhere(2, PROT_WRITE | PROT_EXEC, PROT_WRITE | PROT_EXEC, false);
      case Verdict::kSelf: return AllowWhere(0, ~0u, 0, true);
      case Verdict::kUnix: return AllowWhere(0, ~0u, AF_UNIX, true);
    }
  }

  // Behind the number of a call: what becomes of those before `end` that were not decided yet.
  void DecideBelow(uint32_t end, Verdict verdict) {
    const size_t jump = program_.size();
    Add(BPF_JMP | BPF_JGE | BPF_K, end);
    Decide(verdict);
    program_[jump].if_true = static_cast<uint8_t>(program_.size() - jump - 1);
  }

  std::vector<FilterStep> Take() { return std::move(program_); }

 private:
  std::vector<FilterStep> program_;
};

}  // namespace

Verdict VerdictOf(SandboxPolicy policy, uint32_t number) {
  return number < kCalls ? kTable[static_cast<size_t>(policy)][number] : Verdict::kUnknown;
}

// Calls of other processors' kinds, and of x86-64's second kind (numbers from 2^30 on), end the
// process: their numbers mean something else.
std::vector<FilterStep> FilterOf(SandboxPolicy policy) {
  constexpr uint32_t kSecondKind = 0x40000000;
  const Verdicts& verdicts = kTable[static_cast<size_t>(policy)];
  FilterWriter writer;
  writer.LoadWord(offsetof(seccomp_data, arch));
  writer.Add(BPF_JMP | BPF_JEQ | BPF_K, kProcessor, 1, 0);
  writer.Return(SECCOMP_RET_KILL_PROCESS);
  writer.LoadWord(offsetof(seccomp_data, nr));
  for (uint32_t number = 0; number < kCalls;) {
    uint32_t end = number + 1;
    while (end < kCalls && verdicts[end] == verdicts[number]) ++end;
    writer.DecideBelow(end, verdicts[number]);
    number = end;
  }
  writer.DecideBelow(kSecondKind, Verdict::kUnknown);
  writer.Decide(Verdict::kEnd);
  return writer.Take();
}

#else

Verdict VerdictOf(SandboxPolicy, uint32_t) { return Verdict::kAllow; }

std::vector<FilterStep> FilterOf(SandboxPolicy) { return {}; }

#endif

}  // namespace wb
