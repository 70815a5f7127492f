#include "daemon/store/names.h"

#include <charconv>

namespace wb {
namespace {

constexpr std::string_view kModulePrefix = "modules/sha256:";
constexpr std::string_view kInputPrefix = "inputs/sha256:";
constexpr std::string_view kJobPrefix = "jobs/";
constexpr std::string_view kSessionPrefix = "sessions/";
constexpr std::string_view kDevicePrefix = "devices/";
constexpr std::string_view kBase32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr size_t kIdLength = 26;
constexpr size_t kTimeDigits = 10;

// At most 200 characters of what a client sent, for an error message.
std::string Shown(std::string_view text) {
  return "[" + std::string(text.substr(0, 200)) + (text.size() > 200 ? "..." : "") + "]";
}

}  // namespace

std::string ModuleName(const Digest& digest) { return std::string(kModulePrefix) + digest.Hex(); }

Result<Digest> ParseModuleName(std::string_view name) {
  if (name.starts_with(kModulePrefix)) {
    std::optional<Digest> digest = Digest::FromHex(name.substr(kModulePrefix.size()));
    if (digest) return *digest;
  }
  return Status(Reason::kInvalidArgument,
                "The module name " + Shown(name) +
                    " is not of the form modules/sha256: with 64 lower-case hex digits.",
                {{"field", "name"}});
}

std::string InputName(const Digest& digest) { return std::string(kInputPrefix) + digest.Hex(); }

Result<Digest> ParseInputName(std::string_view name, std::string_view field) {
  if (name.starts_with(kInputPrefix)) {
    std::optional<Digest> digest = Digest::FromHex(name.substr(kInputPrefix.size()));
    if (digest) return *digest;
  }
  return Status(Reason::kInvalidArgument,
                "The input name " + Shown(name) +
                    " is not of the form inputs/sha256: with 64 lower-case hex digits.",
                {{"field", std::string(field)}});
}

std::string JobName(std::string_view id) { return std::string(kJobPrefix) + std::string(id); }

Result<std::string> ParseJobName(std::string_view name) {
  if (name.starts_with(kJobPrefix) && IsJobId(name.substr(kJobPrefix.size()))) {
    return std::string(name.substr(kJobPrefix.size()));
  }
  return Status(Reason::kInvalidArgument,
                "The job name " + Shown(name) + " is not of the form jobs/ with an id.",
                {{"field", "name"}});
}

std::string SessionName(std::string_view id) {
  return std::string(kSessionPrefix) + std::string(id);
}

Result<std::string> ParseSessionName(std::string_view name) {
  if (name.starts_with(kSessionPrefix) && IsJobId(name.substr(kSessionPrefix.size()))) {
    return std::string(name.substr(kSessionPrefix.size()));
  }
  return Status(Reason::kInvalidArgument,
                "The session name " + Shown(name) + " is not of the form sessions/ with an id.",
                {{"field", "name"}});
}

std::string DeviceName(std::string_view id) { return std::string(kDevicePrefix) + std::string(id); }

Result<std::string> ParseDeviceName(std::string_view name) {
  if (name.starts_with(kDevicePrefix) && name.size() > kDevicePrefix.size()) {
    return std::string(name.substr(kDevicePrefix.size()));
  }
  return Status(Reason::kInvalidArgument,
                "The device name " + Shown(name) + " is not of the form devices/ with an id.",
                {{"field", "name"}});
}

std::string MakeJobId(uint64_t unix_ms, uint16_t random_high, uint64_t random_low) {
  std::string id(kIdLength, '0');
  for (size_t i = kTimeDigits; i-- > 0; unix_ms >>= 5) id[i] = kBase32[unix_ms & 31];
  // 80 bits: 16 characters of 5.
  for (size_t i = kIdLength; i-- > kTimeDigits;) {
    id[i] = kBase32[random_low & 31];
    random_low = random_low >> 5 | static_cast<uint64_t>(random_high & 31) << 59;
    random_high = static_cast<uint16_t>(random_high >> 5);
  }
  return id;
}

bool IsJobId(std::string_view id) {
  return id.size() == kIdLength && id.find_first_not_of(kBase32) == std::string_view::npos;
}

uint64_t JobIdTime(std::string_view id) {
  if (!IsJobId(id)) return 0;
  uint64_t unix_ms = 0;
  for (const char digit : id.substr(0, kTimeDigits)) unix_ms = unix_ms << 5 | kBase32.find(digit);
  return unix_ms;
}

std::string MakeCursor(std::string_view job_id, uint64_t position) {
  return std::string(job_id) + "." + std::to_string(position);
}

Result<uint64_t> ParseCursor(std::string_view cursor, std::string_view job_id,
                             std::string_view field) {
  if (cursor.empty()) return uint64_t{0};
  if (cursor.size() > job_id.size() + 1 && cursor.starts_with(job_id) &&
      cursor[job_id.size()] == '.') {
    std::string_view digits = cursor.substr(job_id.size() + 1);
    uint64_t position = 0;
    auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), position);
    if (error == std::errc() && rest == digits.data() + digits.size()) return position;
  }
  return Status(Reason::kInvalidArgument,
                "The " + std::string(field) + " " + Shown(cursor) + " was not given by this job.",
                {{"field", std::string(field)}});
}

}  // namespace wb
