// wasmburst-util: looks after a daemon's state folder. `backup` runs beside the daemon; `verify`
// and `restore` while there is none.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "compiler/base/status.h"
#include "daemon/config/places.h"
#include "daemon/process/version.h"
#include "daemon/store/durable/backup_restore.h"
#include "daemon/store/durable/state_check.h"
#include "daemon/store/durable/state_copy.h"

namespace {

constexpr int kFound = 1;  // what was verified has problems
constexpr int kUsageError = 2;
constexpr int kFailed = 70;

struct Flags {
  std::string state;
  std::string other;  // the backup
  bool json = false;
};

int Complain(const wb::Status& status) {
  std::cerr << "wasmburst-util: " << wb::ReasonName(status.reason()) << ": " << status.message()
            << "\n";
  return status.reason() == wb::Reason::kConfigInvalid ? kUsageError : kFailed;
}

std::string StateOf(const Flags& flags) { return wb::StateDirectory(flags.state); }

int Verify(const Flags& flags) {
  const bool talks = isatty(STDERR_FILENO) != 0;
  const wb::Result<wb::StateFindings> checked =
      wb::CheckState(StateOf(flags), [talks](const std::string& what) {
        if (talks) std::cerr << "looking at " << what << "\n";
      });
  if (!checked.ok()) return Complain(checked.status());
  const wb::StateFindings& findings = *checked;
  if (flags.json) {
    std::cout << nlohmann::json{{"jobs", findings.jobs},
                                {"results", findings.results},
                                {"blobs", findings.blobs},
                                {"problems", findings.problems}}
                     .dump()
              << "\n";
  } else {
    for (const std::string& problem : findings.problems) std::cout << problem << "\n";
    std::cout << "verify: " << findings.jobs << " jobs, " << findings.results << " results, "
              << findings.blobs << " modules and inputs; " << findings.problems.size()
              << " problems\n";
  }
  return findings.problems.empty() ? 0 : kFound;
}

int BackUp(const Flags& flags) {
  const wb::Status copied = wb::BackUpState(StateOf(flags), flags.other);
  if (!copied.ok()) return Complain(copied);
  std::cout << "backup: " << flags.other << "\n";
  return 0;
}

int Restore(const Flags& flags) {
  std::error_code error;
  const bool is_archive = !std::filesystem::is_directory(flags.other, error);
  const wb::Status copied = is_archive ? wb::RestoreArchive(flags.other, StateOf(flags))
                                       : wb::RestoreState(flags.other, StateOf(flags));
  if (!copied.ok()) return Complain(copied);
  std::cout << "restored: " << StateOf(flags) << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "wasmburst-util looks after the state folder of wasmburstd.\n"
      "Exit codes: 0 good, 1 problems were found, 2 usage, 70 failed.\n"
      "Example: wasmburst-util backup --state /var/lib/wasmburst /backups/today"};
  Flags flags;
  int code = 0;
  const auto add_state = [&flags](CLI::App* command) {
    command->add_option("--state", flags.state,
                        "the state folder (server.state_directory); by default where a daemon of "
                        "this user would keep it");
  };
  CLI::App* verify = app.add_subcommand(
      "verify", "check the database, every result and every file; no daemon may be using them");
  add_state(verify);
  verify->add_flag("--json", flags.json, "print one JSON object");
  verify->callback([&] { code = Verify(flags); });
  CLI::App* backup =
      app.add_subcommand("backup", "copy the state to a new folder; the daemon may go on");
  add_state(backup);
  backup->add_option("folder", flags.other, "is made; must not be there")->required();
  backup->callback([&] { code = BackUp(flags); });
  CLI::App* restore = app.add_subcommand(
      "restore", "copy a backup to a state folder that holds none; no daemon may be using it");
  add_state(restore);
  restore
      ->add_option("backup", flags.other,
                   "the folder that backup made, or the file of `wasmburstctl server backup`")
      ->required();
  restore->add_option("folder", flags.state, "the state folder, as --state");
  restore->callback([&] { code = Restore(flags); });
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("wasmburst-util ") + wb::kVersion);
  CLI11_PARSE(app, argc, argv);
  return code;
}
