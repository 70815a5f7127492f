#include "scheduler/sandbox/landlock.h"

#include <cerrno>

#ifdef __linux__
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace wb {

#ifdef __linux__

namespace {

// Debian 12's headers are older than its newer kernels, so the kernel's structs are written here. A
// kernel takes a longer struct than its own if the rest is zero.
struct RulesetFacts {
  uint64_t files = 0;
  uint64_t network = 0;
  uint64_t scopes = 0;
};
struct __attribute__((packed)) BeneathFacts {
  uint64_t access = 0;
  int32_t folder = -1;
};
constexpr uint32_t kAskVersion = 1;
constexpr int kBeneath = 1;
constexpr uint64_t kTcp = 3;     // bind and connect
constexpr uint64_t kScopes = 3;  // abstract sockets, and signals

constexpr Access kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kControl;

Access AllOf(int version) {
  Access all = kMoveBetween - 1;  // the first version's
  if (version >= 2) all |= kMoveBetween;
  if (version >= 3) all |= kTruncate;
  if (version >= 5) all |= kControl;
  return all;
}

bool AddRule(int ruleset, const AccessRule& rule, Access known) {
  const UniqueFd file(::open(rule.path.c_str(), O_PATH | O_CLOEXEC));
  struct stat facts {};
  if (!file.ok() || ::fstat(file.get(), &facts) != 0) return errno == ENOENT || errno == EACCES;
  BeneathFacts beneath;
  beneath.access = rule.access & known;
  if (!S_ISDIR(facts.st_mode)) beneath.access &= kOfFiles;
  beneath.folder = file.get();
  if (beneath.access == kNoAccess) return true;
  return ::syscall(SYS_landlock_add_rule, ruleset, kBeneath, &beneath, 0) == 0;
}

}  // namespace

int LandlockVersion() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  return version < 0 ? 0 : static_cast<int>(version);
}

UniqueFd MakeRuleset(int version, const std::vector<AccessRule>& rules) {
  RulesetFacts facts;
  facts.files = AllOf(version);
  if (version >= 4) facts.network = kTcp;
  if (version >= 6) facts.scopes = kScopes;
  UniqueFd ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &facts, sizeof(facts), 0)));
  for (const AccessRule& rule : rules) {
    if (ruleset.ok() && !AddRule(ruleset.get(), rule, AllOf(version))) return {};
  }
  return ruleset;
}

int Restrict(int ruleset) {
  return ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0 ? 0 : errno;
}

#else

int LandlockVersion() {
  errno = ENOSYS;
  return 0;
}

UniqueFd MakeRuleset(int, const std::vector<AccessRule>&) { return {}; }

int Restrict(int) { return ENOSYS; }

#endif

}  // namespace wb
