#include "daemon/config/places.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include "compiler/base/own_folder.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Empty: there is no home either.
std::string OwnDirectory(const std::string& configured, const char* systemd, const char* xdg,
                         const char* at_home) {
  if (!configured.empty()) return configured;
  const std::string given = Variable(systemd);
  if (!given.empty()) return given.substr(0, given.find(':'));
  const std::string base = Variable(xdg);
  if (!base.empty()) return base + "/wasmburst";
  const std::string home = Variable("HOME");
  return home.empty() ? "" : home + at_home + "/wasmburst";
}

// The program of this name in PATH; the name itself if there is none.
std::string InPath(const std::string& name) {
  std::istringstream folders(Variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (fs::path(folder) / name).string();
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return name;
}

}  // namespace

std::string FindProgram(const std::string& configured, Companion program) {
  if (configured.find('/') != std::string::npos) return configured;
  if (!configured.empty()) return InPath(configured);
  bool engine = program == Companion::kEngineHost;
  std::string name = engine ? "wasmburst-engine" : "wasmburst-mslcheck";
  fs::path own = OwnFolder();
  std::vector<fs::path> folders = {own, own / ".." / "libexec" / "wasmburst"};
  folders.push_back(own / ".." / (engine ? "scheduler/engine_host" : "compiler/check"));
  folders.push_back(own / ".." / (engine ? "scheduler" : "compiler"));
  for (const fs::path& folder : folders) {
    fs::path candidate = folder / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate.lexically_normal().string();
  }
  return InPath(name);
}

std::string CacheDirectory(const std::string& configured) {
  return OwnDirectory(configured, "CACHE_DIRECTORY", "XDG_CACHE_HOME", "/.cache");
}

std::string StateDirectory(const std::string& configured) {
  return OwnDirectory(configured, "STATE_DIRECTORY", "XDG_STATE_HOME", "/.local/state");
}

}  // namespace wb
