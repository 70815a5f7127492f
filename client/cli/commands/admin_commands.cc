#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>

#include "client/cli/commands/commands.h"
#include "client/cli/output/backup_file.h"
#include "client/cli/output/progress.h"
#include "client/cli/output/standard_output.h"
#include "client/services/server.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

Result<int> ShowServer(Invocation& invocation) {
  WB_ASSIGN(v1::ServerInfo info, GetServerInfo(invocation.client()));
  if (invocation.json()) {
    invocation.PrintMessage(info);
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {
      {"version", info.version()},
      {"compiler", info.compiler_version()},
      {"state", info.draining() ? "draining" : "serving"},
      {"modules", std::to_string(info.modules()) + " (" + SizeText(info.module_bytes()) + ")"},
      {"jobs", std::to_string(info.jobs()) + " (results " + SizeText(info.result_bytes()) + ")"},
      {"inputs", std::to_string(info.inputs()) + " (" + SizeText(info.input_bytes()) + ")"},
      {"jobs hold", SizeText(info.request_bytes()) + " of steps, columns and modules"},
      {"largest request", SizeText(info.max_message_bytes())},
      {"largest module", SizeText(info.max_module_bytes())},
      {"largest input", SizeText(info.max_input_bytes())},
      {"most instances", std::to_string(info.max_instances())}};
  for (const v1::Alarm& alarm : info.alarms()) {
    rows.push_back({"alarm: " + alarm.name(),
                    alarm.reason() + " Since " + TimeText(alarm.since()) + ". " + alarm.advice()});
  }
  for (const std::string& address : info.listen()) rows.push_back({"listens at", address});
  Print(Table(rows));
  return 0;
}

Result<int> ListCache(Invocation& invocation) {
  WB_ASSIGN(v1::ListCacheResponse response, ListCache(invocation.client()));
  if (invocation.format() == Format::kJson) invocation.PrintMessage(response);
  std::vector<std::vector<std::string>> rows = {{"KEY", "SIZE", "MODULE", "TARGET"}};
  for (const v1::CacheEntry& entry : response.entries()) {
    if (invocation.format() == Format::kJsonl) invocation.PrintMessage(entry);
    rows.push_back(
        {entry.key().substr(0, 16), SizeText(entry.bytes()), entry.module(), entry.target()});
  }
  if (invocation.json()) return 0;
  Print(Table(rows));
  invocation.Talk(SizeText(response.bytes()) + " of " + SizeText(response.max_bytes()) + "; " +
                  std::to_string(response.hits()) + " hits, " + std::to_string(response.misses()) +
                  " misses, " + std::to_string(response.corrupt()) + " corrupt, " +
                  std::to_string(response.foreign()) + " foreign, " +
                  std::to_string(response.evictions()) + " evicted");
  return 0;
}

Result<int> PruneCache(Invocation& invocation, bool all) {
  WB_ASSIGN(v1::PruneCacheResponse response, PruneCache(invocation.client(), all));
  if (invocation.json()) {
    invocation.PrintMessage(response);
  } else {
    invocation.Talk("Freed " + SizeText(response.freed_bytes()) + ".");
  }
  return 0;
}

Result<int> BackUp(Invocation& invocation, const std::string& path) {
  WB_ASSIGN(const std::unique_ptr<BackupFile> file, BackupFile::Create(path));
  Progress progress(invocation.flags().quiet);
  std::string sha256;
  const auto take = [&](const v1::BackupChunk& chunk) -> Status {
    if (chunk.total_bytes() == 0) {
      progress.ShowWords("the daemon copies its database");
      return {};
    }
    WB_TRY(file->Add(chunk.data()));
    sha256 = chunk.sha256();
    progress.ShowDownload(file->bytes(), chunk.total_bytes());
    return {};
  };
  WB_TRY(ReadBackup(invocation.client(), take));
  WB_TRY(file->Finish(sha256));
  progress.Clear();
  if (invocation.json()) {
    PrintLine(nlohmann::json{{"file", path}, {"bytes", file->bytes()}, {"sha256", sha256}}.dump());
  } else {
    invocation.Talk("The backup [" + path + "] has " + SizeText(file->bytes()) + ", sha256 " +
                    sha256 + ".");
  }
  return 0;
}

CLI::App* Noun(CLI::App* app, const char* name, const char* meaning) {
  CLI::App* noun = app->add_subcommand(name, meaning);
  noun->require_subcommand(1);
  return noun;
}

}  // namespace

void AddAdminCommands(CLI::App* app, Command* chosen) {
  CLI::App* server = Noun(app, "server", "The daemon itself.");
  server
      ->add_subcommand("info",
                       "Show version, limits and addresses.\n"
                       "Example: wasmburstctl server info -o json")
      ->callback([chosen] { chosen->run = ShowServer; });
  auto path = std::make_shared<std::string>();
  CLI::App* backup = server->add_subcommand(
      "backup",
      "Save what outlives the daemon to a new file while it works: jobs, results, modules, inputs, "
      "tokens. `wasmburst-util restore FILE --state FOLDER` brings it back.\n"
      "Example: wasmburstctl server backup monday.wbbackup");
  backup->add_option("file", *path, "is made; must not be there")->type_name("FILE")->required();
  backup->callback([chosen, path] {
    chosen->run = [path](Invocation& invocation) { return BackUp(invocation, *path); };
  });
  CLI::App* cache = Noun(app, "cache", "The cache of compiled kernels.");
  cache->add_subcommand("ls", "List the kernels.\nExample: wasmburstctl cache ls")
      ->callback([chosen] { chosen->run = ListCache; });
  auto all = std::make_shared<bool>(false);
  CLI::App* prune = cache->add_subcommand("prune",
                                          "Delete kernels that are over the limit.\n"
                                          "Example: wasmburstctl cache prune --all");
  prune->add_flag("--all", *all, "delete every kernel");
  prune->callback([chosen, all] {
    chosen->run = [all](Invocation& invocation) { return PruneCache(invocation, *all); };
  });
}

}  // namespace wb::cli
