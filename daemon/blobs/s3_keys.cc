#include "daemon/blobs/s3_keys.h"

#include <algorithm>
#include <cstdlib>

#include "daemon/config/secret_file.h"

namespace wb {
namespace {

constexpr const char* kSetting = "store.s3_keys_file";

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
  return SecretFile(kSetting, file)
      .Wrong(
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
                  {{"setting", kSetting}});
  }
  WB_ASSIGN(const std::string text, SecretFile(kSetting, file).Read());
  return ParseS3Keys(text, file);
}

}  // namespace wb
