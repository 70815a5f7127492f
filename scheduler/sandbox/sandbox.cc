#include "scheduler/sandbox/sandbox.h"

#include <array>
#include <cerrno>
#include <cstring>

#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"
#include "scheduler/sandbox/system_calls.h"

#ifdef __linux__
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace wb {
namespace {

// What this kernel has, as seen before anything was restricted.
struct KernelFacts {
  int landlock = 0;      // its version
  bool seccomp = false;  // with an end for the whole process
  std::string lacks;     // and why; empty: it has both
};

#ifdef __linux__

[[maybe_unused]] bool HasSeccomp() {
  const uint32_t action = SECCOMP_RET_KILL_PROCESS;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

KernelFacts LookAtKernel() {
  KernelFacts facts;
#ifdef WB_SANITIZED
  // Sanitizers call the system in ways of their own: personality, ptrace at the end for leaks,
  // files of reports. This is the only place that says so.
  facts.lacks = "this build has a sanitizer";
#else
  facts.landlock = LandlockVersion();
  if (facts.landlock == 0) facts.lacks = std::string("no Landlock: ") + std::strerror(errno);
  facts.seccomp = HasSeccomp() && !FilterOf(SandboxPolicy::kEngine).empty();
  if (!facts.seccomp) {
    facts.lacks += facts.lacks.empty() ? "" : ", ";
    facts.lacks += std::string("no seccomp: ") + std::strerror(errno);
  }
#endif
  return facts;
}

// A root that becomes another program would get back what stands in the bounding set. EPERM: this
// process has none to lose.
void DropCapabilities() {
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  ::syscall(SYS_capset, &header, none);
}

int Filter(const std::vector<FilterStep>& filter) {
  static_assert(sizeof(FilterStep) == sizeof(sock_filter));
  sock_filter* const begin = reinterpret_cast<sock_filter*>(const_cast<FilterStep*>(filter.data()));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), begin};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
}

#else

KernelFacts LookAtKernel() { return {0, false, "this system has neither seccomp nor Landlock"}; }

#endif

const KernelFacts& Kernel() {
  static const KernelFacts facts = LookAtKernel();
  return facts;
}

// Written once for each policy, since compiles are many.
const std::vector<FilterStep>& SharedFilterOf(SandboxPolicy policy) {
  static const std::array<std::vector<FilterStep>, kPolicies> filters = {
      FilterOf(SandboxPolicy::kCompiler), FilterOf(SandboxPolicy::kEngine),
      FilterOf(SandboxPolicy::kBuilder), FilterOf(SandboxPolicy::kGpu)};
  return filters[static_cast<size_t>(policy)];
}

std::string InForce(const KernelFacts& kernel) {
  std::string words = kernel.seccomp ? "seccomp" : "";
  if (kernel.landlock > 0) {
    words += (words.empty() ? "Landlock " : ", Landlock ") + std::to_string(kernel.landlock);
  }
  if (words.empty()) words = "nothing";
  return kernel.lacks.empty() ? words : words + " (" + kernel.lacks + ")";
}

}  // namespace

Result<Sandbox> Sandbox::Prepare(const SandboxPlan& plan) {
  Sandbox sandbox;
  if (plan.isolation == Isolation::kOff) return sandbox;
  const KernelFacts& kernel = Kernel();
  if (plan.isolation == Isolation::kRequired && !kernel.lacks.empty()) {
    return Status(Reason::kConfigInvalid,
                  "Isolation is required and cannot be had here: " + kernel.lacks + ".",
                  {{"field", "engine.isolation"}});
  }
  sandbox.in_force_ = InForce(kernel);
  sandbox.restricts_ = IsPossible();
  if (kernel.seccomp) sandbox.filter_ = &SharedFilterOf(plan.policy);
  if (kernel.landlock > 0) {
    sandbox.ruleset_ = MakeRuleset(kernel.landlock, RulesOf(plan));
    if (!sandbox.ruleset_.ok()) {
      return SystemError(
          "Rules of Landlock for " + Quoted(SandboxPolicyName(plan.policy)) + " cannot be made",
          errno);
    }
  }
  return sandbox;
}

bool Sandbox::IsPossible() { return Kernel().seccomp || Kernel().landlock > 0; }

int Sandbox::Enter() const {
#ifdef __linux__
  if (!restricts_) return 0;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (ruleset_.ok()) {
    if (const int error = Restrict(ruleset_.get()); error != 0) return error;
  }
  DropCapabilities();
  if (filter_ != nullptr) return Filter(*filter_);  // last: the calls above are not in it
#endif
  return 0;
}

}  // namespace wb
