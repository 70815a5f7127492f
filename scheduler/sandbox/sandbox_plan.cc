#include "scheduler/sandbox/sandbox_plan.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

namespace wb {
namespace {

namespace fs = std::filesystem;

constexpr Access kNone = kNoAccess;
constexpr Access kRead = kReadFile | kReadFolder;
constexpr Access kRun = kRead | kExecute;
constexpr Access kWrite = kRead | kWriteFile | kTruncate;
constexpr Access kDevice = kWrite | kControl;
// No kExecute: what a compiler writes it cannot start.
constexpr Access kOwn = kWrite | kRemoveFolder | kRemoveFile | kMakeFolder | kMakeFile | kMakePipe |
                        kMakeLink | kMoveBetween;

struct SystemPath {
  const char* path;
  std::array<Access, kPolicies> access;
};
constexpr SystemPath kSystemPaths[] = {
#define WB_PATH(path, compiler, engine, builder, gpu) \
  {path, {k##compiler, k##engine, k##builder, k##gpu}},
#include "scheduler/sandbox/system_paths.def"
#undef WB_PATH
};

// Compilers and drivers of their own lie in a tree with these.
constexpr const char* kBesidePrograms[] = {"lib", "lib64", "libexec", "include", "share"};

class RuleList {
 public:
  explicit RuleList(bool starts_programs) : runs_(starts_programs ? kRun : kRead) {}

  void Add(const std::string& path, Access access) {
    if (path.starts_with('/') && access != kNoAccess) rules_.push_back({path, access});
  }
  void AddProgramFolder(const fs::path& folder) {
    Add(folder.string(), runs_);
    if (!folder.filename().string().ends_with("bin")) return;
    for (const char* name : kBesidePrograms) Add((folder.parent_path() / name).string(), runs_);
  }
  // Where a link leads, too.
  void AddProgram(const std::string& path) {
    std::error_code error;
    AddProgramFolder(fs::path(path).parent_path());
    const fs::path real = fs::canonical(path, error);
    if (!error && real != path) AddProgramFolder(real.parent_path());
  }
  void AddEach(const char* variable) {
    const char* value = std::getenv(variable);
    std::istringstream folders(value == nullptr ? "" : value);
    for (std::string folder; std::getline(folders, folder, ':');) AddUnlessSystem(folder);
  }
  std::vector<AccessRule> Take() { return std::move(rules_); }

 private:
  // Each rule costs some microseconds, and /usr has one.
  void AddUnlessSystem(const std::string& folder) {
    if (!folder.starts_with("/usr/") && folder != "/bin" && folder != "/sbin") {
      AddProgramFolder(folder);
    }
  }

  const Access runs_;
  std::vector<AccessRule> rules_;
};

}  // namespace

std::vector<AccessRule> RulesOf(const SandboxPlan& plan) {
  const bool starts_programs =
      plan.policy == SandboxPolicy::kCompiler || plan.policy == SandboxPolicy::kBuilder;
  RuleList rules(starts_programs);
  for (const SystemPath& row : kSystemPaths) {
    rules.Add(row.path, row.access[static_cast<size_t>(plan.policy)]);
  }
  if (starts_programs) rules.AddEach("PATH");
  rules.AddEach("LD_LIBRARY_PATH");
  for (const std::string& program : plan.programs) rules.AddProgram(program);
  for (const std::string& folder : plan.folders) rules.Add(folder, kRead);
  rules.Add(plan.own_folder, kOwn);
  return rules.Take();
}

}  // namespace wb
