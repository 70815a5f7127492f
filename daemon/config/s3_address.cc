#include "daemon/config/s3_address.h"

#include <algorithm>

namespace wb {
namespace {

constexpr std::string_view kStoreSchemes[] = {"https://", "http://"};

bool IsNamed(std::string_view text, std::string_view besides) {
  return std::all_of(text.begin(), text.end(), [besides](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           besides.find(c) != std::string_view::npos;
  });
}

// "." and ".." are taken away by clients of HTTP, and the signature is of what is left.
bool IsPrefix(std::string_view text) {
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('/'));
    if (part.empty() || part == "." || part == "..") return false;
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  return true;
}

Status WrongPlace(const std::string& setting, const std::string& words) {
  return Status(Reason::kConfigInvalid, "The setting [" + setting + "] " + words,
                {{"setting", setting}});
}

}  // namespace

Result<S3Address> ParseS3Address(std::string_view text) {
  for (const std::string_view scheme : kStoreSchemes) {
    if (!text.starts_with(scheme)) continue;
    const std::string_view rest = text.substr(scheme.size());
    const std::string_view host = rest.substr(0, rest.find('/'));
    std::string_view path = rest.substr(std::min(host.size() + 1, rest.size()));
    const std::string_view bucket = path.substr(0, path.find('/'));
    std::string_view prefix = path.substr(std::min(bucket.size() + 1, path.size()));
    if (prefix.ends_with('/')) prefix.remove_suffix(1);
    const bool is_host = !host.empty() && host.front() != ':' && IsNamed(host, "-.:[]");
    if (!is_host || bucket.empty() || bucket.front() == '.' || !IsNamed(bucket, "-._")) break;
    if (!IsNamed(prefix, "-._/") || !IsPrefix(prefix)) break;
    return S3Address{std::string(scheme) + std::string(host), std::string(bucket),
                     prefix.empty() ? "" : std::string(prefix) + "/"};
  }
  return WrongPlace(
      "store.blob_s3",
      "must be the address of a bucket, such as https://s3.example.org/BUCKET/PREFIX, of "
      "letters, digits, dots, dashes and underlines. Keys belong into a file that "
      "store.s3_keys_file names, or into the environment.");
}

Status CheckBlobPlaces(const Config& config) {
  if (config.blob_s3.empty()) return {};
  WB_TRY(ParseS3Address(config.blob_s3).status());
  if (!config.blob_folder.empty()) {
    return WrongPlace("store.blob_s3",
                      "cannot stand beside [store.blob_folder]: name one of them.");
  }
  if (config.postgres.empty()) {
    return WrongPlace("store.blob_s3",
                      "needs a database for all else: name it in [store.postgres].");
  }
  if (!config.s3_region.empty() && IsNamed(config.s3_region, "-")) return {};
  return WrongPlace("store.s3_region", "must be letters, digits and dashes, such as eu-central-1.");
}

}  // namespace wb
