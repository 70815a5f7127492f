#include "daemon/config/secret_file.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>

namespace wb {
namespace {

constexpr size_t kLongestFile = 64 << 10;
constexpr std::string_view kBlanks = " \t\r";

}  // namespace

Status SecretFile::Wrong(const std::string& words) const {
  return Status(Reason::kConfigInvalid, "The file [" + path_ + "] of [" + setting_ + "] " + words,
                {{"setting", setting_}, {"file", path_}});
}

Result<std::string> SecretFile::Read() const {
  struct stat info {};
  std::ifstream stream(path_);
  if (stat(path_.c_str(), &info) != 0 || !stream) return Wrong("cannot be read.");
  if ((info.st_mode & 077) != 0) {
    return Wrong("is open to other users. Make it the daemon's own: chmod 600.");
  }
  std::ostringstream text;
  text << stream.rdbuf();
  if (text.str().size() > kLongestFile) return Wrong("is longer than 64 KiB.");
  return text.str();
}

std::string_view Trimmed(std::string_view line) {
  const size_t first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace wb
