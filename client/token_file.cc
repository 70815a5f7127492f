#include "client/token_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace wb {
namespace {

constexpr size_t kLongestToken = 1024;
constexpr std::string_view kTokenStart = "wbt_";
constexpr std::string_view kWhiteSpace = " \t\r\n";

Status TokenFileError(const std::string& path, const std::string& words) {
  return Status(Reason::kIoError, "The token file [" + path + "] " + words, {{"file", path}});
}

// What a shell reads as this one word.
std::string ShellWord(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

class OpenDescriptor {
 public:
  explicit OpenDescriptor(const std::string& path)
      : number(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenDescriptor() {
    if (number >= 0) close(number);
  }
  OpenDescriptor(const OpenDescriptor&) = delete;
  OpenDescriptor& operator=(const OpenDescriptor&) = delete;

  const int number;
};

// Up to a little more than the longest token.
Result<std::string> ReadStart(int descriptor, const std::string& path) {
  std::string text(2 * kLongestToken, '\0');
  size_t at = 0;
  while (at < text.size()) {
    const ssize_t count = read(descriptor, text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      return TokenFileError(path, "cannot be read (" + std::string(std::strerror(errno)) + ").");
    }
    if (count == 0) break;
    at += static_cast<size_t>(count);
  }
  text.resize(at);
  return text;
}

}  // namespace

Result<std::string> TokenFromText(const std::string& text, const std::string& where) {
  const size_t first = text.find_first_not_of(kWhiteSpace);
  if (first == std::string::npos) return Status(Reason::kInvalidArgument, where + " is empty.");
  const size_t last = text.find_last_not_of(kWhiteSpace);
  std::string token = text.substr(first, last - first + 1);
  const bool is_plain =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (!is_plain || token.size() > kLongestToken || !token.starts_with(kTokenStart)) {
    return Status(Reason::kInvalidArgument,
                  where +
                      " holds no token: a token is one word that begins with wbt_, as "
                      "`wasmburstctl token create` prints it.");
  }
  return token;
}

Result<std::string> ReadTokenFile(const std::string& path) {
  const OpenDescriptor file(path);
  struct stat known = {};
  if (file.number < 0 || fstat(file.number, &known) != 0) {
    return TokenFileError(path, "cannot be read (" + std::string(std::strerror(errno)) + ").");
  }
  if ((known.st_mode & 077) != 0) {
    char mode[8];
    std::snprintf(mode, sizeof mode, "%04o", static_cast<unsigned>(known.st_mode & 07777));
    return TokenFileError(path, "is open to other users (mode " + std::string(mode) +
                                    "). Make it your own: chmod 600 " + ShellWord(path));
  }
  WB_ASSIGN(const std::string text, ReadStart(file.number, path));
  return TokenFromText(text, "The token file [" + path + "]");
}

}  // namespace wb
