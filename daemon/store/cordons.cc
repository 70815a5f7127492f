#include "daemon/store/cordons.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "compiler/base/digest.h"
#include "daemon/process/log.h"
#include "daemon/store/state_file.h"

namespace wb {
namespace {

constexpr const char* kName = "cordons";
constexpr std::string_view kTitle = "wasmburst cordons 1\n";
constexpr std::string_view kDigest = "sha256 ";

bool IsDeviceId(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

// "ID NANOSECONDS".
bool DecodeLine(std::string_view line, Cordons::Since& since) {
  const size_t space = line.find(' ');
  if (space == std::string_view::npos || !IsDeviceId(line.substr(0, space))) return false;
  const std::string_view digits = line.substr(space + 1);
  int64_t time = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), time);
  if (error != std::errc() || end != digits.data() + digits.size()) return false;
  return since.emplace(line.substr(0, space), time).second;
}

}  // namespace

std::string EncodeCordons(const Cordons::Since& since) {
  std::string text(kTitle);
  for (const auto& [device, time] : since) text += device + " " + std::to_string(time) + "\n";
  return text + std::string(kDigest) + Sha256(AsBytes(text)).Hex() + "\n";
}

std::optional<Cordons::Since> DecodeCordons(std::string_view text) {
  const size_t end = text.rfind(kDigest);
  if (end == std::string_view::npos || text.substr(0, kTitle.size()) != kTitle) return std::nullopt;
  std::string_view body = text.substr(0, end);
  const std::string digest = Sha256(AsBytes(body)).Hex() + "\n";
  if (text.substr(end + kDigest.size()) != digest) return std::nullopt;
  body.remove_prefix(kTitle.size());
  Cordons::Since since;
  while (!body.empty()) {
    const size_t line = body.find('\n');
    if (line == std::string_view::npos || !DecodeLine(body.substr(0, line), since)) {
      return std::nullopt;
    }
    body.remove_prefix(line + 1);
  }
  return since;
}

Cordons::Cordons(Scheduler* scheduler, std::string folder, std::function<int64_t()> now)
    : scheduler_(scheduler), folder_(std::move(folder)), now_(std::move(now)) {}

void Cordons::Restore() {
  if (folder_.empty()) return;
  const std::string path = folder_ + "/" + kName;
  const Result<std::optional<std::string>> text = ReadStateFile(path);
  if (!text.ok()) {
    return Log(LogLevel::kError, "cordons_not_read", {{"error", text.status().message()}});
  }
  if (!*text) return;
  std::optional<Since> since = DecodeCordons(**text);
  if (!since) {
    return Log(LogLevel::kError, "cordons_damaged",
               {{"path", path}, {"message", "All devices are open; close them again."}});
  }
  const MutexLock lock(mutex_);
  since_ = *std::move(since);
  for (const auto& [device, time] : since_) {
    const std::chrono::nanoseconds age(std::max<int64_t>(now_() - time, 0));
    const Status closed = scheduler_->OrderGate(device, {Gate::kCordoned, {}, age}).status();
    const std::string now = closed.ok() ? "cordoned" : "not here; cordoned when it is";
    Log(LogLevel::kWarning, "device_gate", {{"device", device}, {"gate", now}});
  }
}

Result<GateChange> Cordons::Order(const std::string& device, const GateOrder& order) {
  const MutexLock lock(mutex_);
  WB_ASSIGN(GateChange change, scheduler_->OrderGate(device, order));
  const Since before = since_;
  if (change.status.gate == Gate::kOpen) {
    since_.erase(device);
  } else {
    since_.emplace(device, now_() - change.status.gate_age.count());
  }
  if (since_ == before) return change;
  if (const Status kept = Keep(); !kept.ok()) {
    since_ = before;
    return Status(Reason::kIoError,
                  "The device is " + std::string(GateName(change.status.gate)) +
                      ", but not for the next daemon: " + kept.message() +
                      " See server.state_directory.",
                  kept.details());
  }
  return change;
}

Status Cordons::Keep() {
  if (folder_.empty()) return {};
  Status kept = WriteStateFile(folder_, kName, EncodeCordons(since_));
  if (!kept.ok()) Log(LogLevel::kError, "cordons_not_kept", {{"error", kept.message()}});
  return kept;
}

}  // namespace wb
