#include "client/cli/commands/doctor.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "client/cli/commands/flag_names.h"
#include "client/cli/commands/version.h"
#include "client/cli/output/print.h"
#include "client/client.h"
#include "client/services/devices.h"
#include "client/services/server.h"
#include "client/services/tenants.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using FindingState = Finding::State;

constexpr std::chrono::seconds kCallTime{5};
constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kClockSlack = 5 * kSecond;

int64_t Now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

int64_t Nanoseconds(const google::protobuf::Timestamp& time) {
  return time.seconds() * kSecond + time.nanos();
}

std::string SecondsText(int64_t nanoseconds) {
  const int64_t tenths = (nanoseconds + kSecond / 20) / (kSecond / 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

Finding WrongClock(const std::string& said) {
  return {"clock", FindingState::kWrong, said,
          "Set the clocks of both machines (timedatectl): tokens and certificates expire by them, "
          "so a right one may be refused, and one that has expired be taken."};
}

Finding Failed(const std::string& check, const Status& status) {
  return {check, FindingState::kWrong, WithFlagNames(status.message()),
          std::string(ReasonAdvice(status.reason()))};
}

// Something answered, and what it said was meant for us.
bool IsOfDaemon(const Status& status) {
  const bool is_of_tls = !status.details().empty() && status.details()[0].key == "flag";
  return status.ok() || (!is_of_tls && status.code() != Code::kUnavailable &&
                         status.code() != Code::kDeadlineExceeded);
}

// The checks of a daemon that answers. What its caller may not ask is unknown, not wrong.
class Examination {
 public:
  Examination(Client& client, std::vector<Finding>* findings)
      : client_(client), findings_(*findings) {}

  void Run() {
    const int64_t asked = Now();
    const Result<v1::ServerInfo> info = GetServerInfo(client_);
    const int64_t answered = Now();
    if (!IsOfDaemon(info.status())) {
      findings_.push_back(Failed("reachable", info.status()));
      return;
    }
    findings_.push_back({"reachable", FindingState::kOk, "a wasmburstd answers", ""});
    JudgeCaller();
    Judge("version", info, [](const auto& it) { return JudgeVersion(it, kVersion); });
    Judge("state", info, JudgeState);
    Judge("alarms", info, JudgeAlarms);
    Judge("clock", info, [=](const auto& it) { return JudgeClock(it, asked, answered); });
    Judge("devices", ListDevices(client_), JudgeDevices);
    Judge("cache", ListCache(client_), JudgeCache);
  }

 private:
  void JudgeCaller() {
    const Result<v1::Caller> caller = GetCaller(client_);
    if (!caller.ok()) {
      findings_.push_back(Failed("identity", caller.status()));
      return;
    }
    findings_.push_back({"identity", FindingState::kOk,
                         caller->name() + ", tenant " +
                             (caller->tenant().empty() ? "-" : caller->tenant()) + ", role " +
                             RoleText(caller->role()),
                         ""});
    if (caller->role() != v1::ROLE_UNSPECIFIED) return;
    findings_.back().state = FindingState::kWrong;
    findings_.back().advice = ReasonAdvice(Reason::kPermissionDenied);
  }
  template <typename Message, typename Judgement>
  void Judge(const std::string& check, const Result<Message>& answer, Judgement judgement) {
    if (answer.ok()) {
      findings_.push_back(judgement(*answer));
    } else if (answer.status().code() == Code::kPermissionDenied ||
               answer.status().code() == Code::kUnauthenticated) {
      findings_.push_back(
          {check, FindingState::kUnknown, "the daemon does not tell this caller", ""});
    } else {
      findings_.push_back(Failed(check, answer.status()));
    }
  }

  Client& client_;
  std::vector<Finding>& findings_;
};

}  // namespace

Finding JudgeVersion(const v1::ServerInfo& info, const std::string& own) {
  const std::string said = "wasmburstctl " + own + ", wasmburstd " + info.version();
  if (info.version() == own) return {"version", FindingState::kOk, said, ""};
  return {"version", FindingState::kWrong, said,
          "Install both from one release; what one does not know of the other fails."};
}

Finding JudgeState(const v1::ServerInfo& info) {
  if (!info.draining()) return {"state", FindingState::kOk, "serving", ""};
  return {"state", FindingState::kWrong, "draining: it takes no jobs and ends",
          "Wait until it has restarted."};
}

Finding JudgeAlarms(const v1::ServerInfo& info) {
  std::string said, advice;
  for (const v1::Alarm& alarm : info.alarms()) {
    said += (said.empty() ? "" : " ") + alarm.name() + " since " + TimeText(alarm.since()) + ": " +
            alarm.reason();
    advice += (advice.empty() ? "" : " ") + alarm.advice();
  }
  if (said.empty()) return {"alarms", FindingState::kOk, "none", ""};
  return {"alarms", FindingState::kWrong, said, advice};
}

// The daemon looked at its clock somewhere between the question and the answer.
Finding JudgeClock(const v1::ServerInfo& info, int64_t asked, int64_t answered) {
  if (info.has_start_time() && Nanoseconds(info.start_time()) > answered + kClockSlack) {
    return WrongClock("the daemon started at " + TimeText(info.start_time()) +
                      ", which is to come");
  }
  if (!info.has_current_time()) {
    return {"clock", FindingState::kUnknown, "the daemon does not say", ""};
  }
  const int64_t there = Nanoseconds(info.current_time());
  const int64_t ahead = std::max<int64_t>(there - answered, 0);
  const int64_t behind = std::max<int64_t>(asked - there, 0);
  if (ahead > kClockSlack) {
    return WrongClock("the daemon's is " + SecondsText(ahead) + " ahead of this machine's");
  }
  if (behind > kClockSlack) {
    return WrongClock("the daemon's is " + SecondsText(behind) + " behind this machine's");
  }
  return {"clock", FindingState::kOk,
          "the daemon's differs by " + SecondsText(std::max(ahead, behind)) +
              " from this machine's; it started at " + TimeText(info.start_time()),
          ""};
}

Finding JudgeDevices(const v1::ListDevicesResponse& devices) {
  std::string sick, closed;
  for (const v1::Device& device : devices.devices()) {
    if (!device.healthy()) {
      sick += (sick.empty() ? "" : "; ") + device.name() + ": " +
              (device.trouble().empty() ? device.state() : device.trouble());
    } else if (!device.gate().empty() && device.gate() != "open") {
      closed += ", " + device.name() + " is " + device.gate();
    }
  }
  const std::string count = std::to_string(devices.devices_size()) + " devices";
  if (!sick.empty()) {
    return {"devices", FindingState::kWrong, sick,
            "See the daemon's log, and `wasmburstctl device get`."};
  }
  if (devices.devices_size() == 0) {
    return {"devices", FindingState::kWrong, "there are none", "See the daemon's log."};
  }
  return {"devices", FindingState::kOk, count + " are healthy" + closed, ""};
}

// A cache that cannot be written stays empty, however much is compiled.
Finding JudgeCache(const v1::ListCacheResponse& cache) {
  const std::string said = std::to_string(cache.entries_size()) + " kernels, " +
                           SizeText(cache.bytes()) + " of " + SizeText(cache.max_bytes()) + ", " +
                           std::to_string(cache.corrupt()) + " corrupt";
  if (cache.corrupt() > 0) {
    return {"cache", FindingState::kWrong, said,
            "Damaged kernels were compiled again; check the disk of the daemon's cache."};
  }
  if (cache.misses() > 0 && cache.entries_size() == 0 && cache.evictions() == 0) {
    return {"cache", FindingState::kUnknown,
            said + "; nothing was kept of " + std::to_string(cache.misses()) + " builds", ""};
  }
  return {"cache", FindingState::kOk, said, ""};
}

const char* FindingStateText(Finding::State state) {
  switch (state) {
    case FindingState::kOk: return "ok";
    case FindingState::kWrong: return "wrong";
    case FindingState::kUnknown: return "unknown";
  }
  return "unknown";
}

std::string FindingText(const Finding& finding) {
  return std::string(FindingStateText(finding.state)) + " " + finding.check + ": " + finding.said +
         (finding.advice.empty() ? "" : " " + finding.advice);
}

bool AllPass(const std::vector<Finding>& findings) {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& one) { return one.state == FindingState::kWrong; });
}

std::vector<Finding> Diagnose(const ConnectionFlags& flags,
                              const ConnectionEnvironment& environment) {
  std::vector<Finding> findings;
  const Result<ConnectionChoice> choice = ChooseConnection(flags, environment);
  if (!choice.ok()) return {Failed("address", choice.status())};
  const std::string context = choice->context.empty() ? "" : " (context " + choice->context + ")";
  ClientOptions options = choice->options;
  options.attempts = 1;
  options.timeout = kCallTime;
  const Result<std::unique_ptr<Client>> client = Client::Connect(choice->address, options);
  if (!client.ok()) return {Failed("address", client.status())};
  findings.push_back({"address", FindingState::kOk, choice->address + context, ""});
  Examination(**client, &findings).Run();
  return findings;
}

}  // namespace wb::cli
