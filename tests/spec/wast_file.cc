#include "tests/spec/wast_file.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "scheduler/base/quoted.h"

extern char** environ;

namespace wb::spec {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProposals[] = {"extended-const", "multi-memory", "relaxed-simd",
                                           "tail-call"};
constexpr std::string_view kNotConverted = "relaxed-simd/relaxed_dot_product";

// wast2json's own messages go to our stderr: they name line and column.
Status Convert(const fs::path& wast, const fs::path& json, bool of_proposal) {
  std::vector<std::string> arguments = {"wast2json", wast.string(), "-o", json.string()};
  if (of_proposal) {
    for (std::string_view proposal : kProposals) {
      arguments.push_back("--enable-" + std::string(proposal));
    }
  }
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ);
  if (error != 0) {
    return Status(Reason::kIoError, "[wast2json] cannot be started (error [" +
                                        std::to_string(error) +
                                        "]); install the package wabt 1.0.32.");
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return Status(Reason::kIoError, "[wast2json] refuses the script " + Quoted(wast.string()) +
                                      "; the suite must be the 2.0 version.");
}

bool HasScripts(const fs::path& folder) { return fs::exists(folder / "address.wast"); }

}  // namespace

Result<TemporaryFolder> TemporaryFolder::Make() {
  std::string name = (fs::temp_directory_path() / "wb-spec-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    return Status(Reason::kIoError, "No folder can be made at " + Quoted(name) + ".");
  }
  return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Result<Bytes> ReadFileBytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Status(Reason::kIoError, "The file " + Quoted(path.string()) + " is not there.");
  return Bytes(std::istreambuf_iterator<char>(in), {});
}

Result<WastFile> OpenWast(const fs::path& wast, const fs::path& work_folder, bool of_proposal) {
  WastFile file;
  file.name = wast.stem().string();
  if (of_proposal) {
    file.name = (wast.parent_path().filename() / wast.stem()).string();
    file.proposals = Proposals();
  }
  file.folder = work_folder / file.name;
  std::error_code error;
  fs::create_directories(file.folder, error);
  if (error) {
    return Status(Reason::kIoError, "No folder can be made at " + Quoted(file.folder.string()));
  }
  const fs::path json = file.folder / "script.json";
  WB_TRY(Convert(wast, json, of_proposal));
  WB_ASSIGN(const Bytes text, ReadFileBytes(json));
  WB_ASSIGN(file.script, ParseScript(AsText(text)));
  return file;
}

std::optional<fs::path> FindSuite(const std::string& given) {
  std::vector<fs::path> places;
  const char* environment = std::getenv("WASMBURST_TESTSUITE");
  if (!given.empty()) {
    places = {given};
  } else if (environment != nullptr && *environment != 0) {
    places = {environment};
  } else {
    places = {fs::path(WB_SOURCE_DIR) / "../shared/testsuite"};
  }
  for (const fs::path& place : places) {
    if (HasScripts(place / "core")) return place / "core";
    if (HasScripts(place)) return place;
  }
  return std::nullopt;
}

std::vector<std::string> ScriptNames(const fs::path& suite) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(suite)) {
    if (entry.path().extension() == ".wast") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

fs::path ProposalsFolder(const fs::path& suite) {
  return (suite.filename() == "core" ? suite.parent_path() : suite) / "proposals";
}

std::vector<std::string> ProposalScriptNames(const fs::path& folder) {
  std::vector<std::string> names;
  for (std::string_view proposal : kProposals) {
    if (!fs::is_directory(folder / proposal)) continue;
    for (const std::string& name : ScriptNames(folder / proposal)) {
      std::string path = std::string(proposal) + "/" + name;
      if (path != kNotConverted) names.push_back(std::move(path));
    }
  }
  return names;
}

}  // namespace wb::spec
