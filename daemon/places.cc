#include "daemon/places.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "scheduler/devices/compile/own_folder.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string FindProgram(const std::string& configured, Companion program) {
  if (!configured.empty()) return configured;
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
  return name;
}

std::string CacheDirectory(const std::string& configured) {
  if (!configured.empty()) return configured;
  std::string systemd = Variable("CACHE_DIRECTORY");
  if (!systemd.empty()) return systemd.substr(0, systemd.find(':'));
  std::string xdg = Variable("XDG_CACHE_HOME");
  if (!xdg.empty()) return xdg + "/wasmburst";
  std::string home = Variable("HOME");
  return (home.empty() ? "/tmp" : home + "/.cache") + "/wasmburst";
}

}  // namespace wb
