#include "daemon/blobs/s3_keys.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace wb {
namespace {

constexpr size_t kLongestFile = 64 << 10;
constexpr std::string_view kBlanks = " \t\r";

Status Wrong(const std::string& file, const std::string& words) {
  return Status(Reason::kConfigInvalid, "The file [" + file + "] of [store.s3_keys_file] " + words,
                {{"setting", "store.s3_keys_file"}, {"file", file}});
}

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool IsKey(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Result<S3Keys> ParseS3Keys(std::string_view text, const std::string& file) {
  S3Keys keys;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = Trimmed(line.substr(0, equals));
    const std::string value(Trimmed(line.substr(equals + 1)));
    if (name == "aws_access_key_id" && keys.id.empty()) keys.id = value;
    if (name == "aws_secret_access_key" && keys.secret.empty()) keys.secret = value;
    if (name == "aws_session_token" && keys.session_token.empty()) keys.session_token = value;
  }
  if (IsKey(keys.id) && IsKey(keys.secret)) return keys;
  return Wrong(file,
               "lacks a key. Write the lines aws_access_key_id = ID and "
               "aws_secret_access_key = SECRET.");
}

Result<S3Keys> ReadS3Keys(const std::string& file) {
  if (file.empty()) {
    S3Keys keys = {Variable("AWS_ACCESS_KEY_ID"), Variable("AWS_SECRET_ACCESS_KEY"),
                   Variable("AWS_SESSION_TOKEN")};
    if (IsKey(keys.id) && IsKey(keys.secret)) return keys;
    return Status(Reason::kConfigInvalid,
                  "The setting [store.blob_s3] needs keys: name a file of them in "
                  "[store.s3_keys_file], or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
                  {{"setting", "store.s3_keys_file"}});
  }
  struct stat info {};
  std::ifstream stream(file);
  if (stat(file.c_str(), &info) != 0 || !stream) return Wrong(file, "cannot be read.");
  if ((info.st_mode & 077) != 0) {
    return Wrong(file, "is open to other users. Make it the daemon's own: chmod 600.");
  }
  std::ostringstream text;
  text << stream.rdbuf();
  if (text.str().size() > kLongestFile) return Wrong(file, "is longer than 64 KiB.");
  return ParseS3Keys(text.str(), file);
}

}  // namespace wb
