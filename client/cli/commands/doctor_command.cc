// wasmburstctl doctor.

#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "client/cli/commands/commands.h"
#include "client/cli/commands/doctor.h"
#include "client/cli/output/exit_code.h"
#include "client/cli/output/standard_output.h"

namespace wb::cli {
namespace {

nlohmann::ordered_json FindingJson(const Finding& finding) {
  nlohmann::ordered_json json = {
      {"check", finding.check}, {"state", FindingStateText(finding.state)}, {"said", finding.said}};
  if (!finding.advice.empty()) json["advice"] = finding.advice;
  return json;
}

void PrintDoctorJson(const Invocation& invocation, const std::vector<Finding>& findings) {
  constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    all.push_back(FindingJson(finding));
    if (invocation.format() != Format::kJson) {
      PrintLine(all.back().dump(-1, ' ', false, kReplace));
    }
  }
  if (invocation.format() != Format::kJson) return;
  const nlohmann::ordered_json whole = {{"ok", AllPass(findings)}, {"checks", all}};
  PrintLine(whole.dump(1, ' ', false, kReplace));
}

Result<int> RunDoctor(Invocation& invocation) {
  const std::vector<Finding> findings =
      Diagnose(invocation.flags().given, ReadConnectionEnvironment());
  if (invocation.json()) {
    PrintDoctorJson(invocation, findings);
    return AllPass(findings) ? 0 : kCheckFailed;
  }
  std::vector<std::vector<std::string>> rows;
  for (const Finding& finding : findings) {
    rows.push_back({FindingStateText(finding.state), finding.check, finding.said});
    if (!finding.advice.empty()) rows.push_back({"", "", finding.advice});
  }
  Print(Table(rows));
  return AllPass(findings) ? 0 : kCheckFailed;
}

}  // namespace

void AddDoctorCommand(CLI::App* app, Command* chosen) {
  app->add_subcommand("doctor",
                      "Check the way to the daemon, this client's identity, and the daemon's "
                      "devices, cache and clock. Exit code 1 where something is wrong.\n"
                      "Example: wasmburstctl --context lab doctor")
      ->callback([chosen] {
        chosen->calls_daemon = false;
        chosen->run = RunDoctor;
      });
}

}  // namespace wb::cli
