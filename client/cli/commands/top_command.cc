// wasmburstctl top: what a daemon does, live in the terminal.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>

#include "client/cli/commands/commands.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/program/duration.h"
#include "client/cli/top/asker.h"
#include "client/cli/top/looks.h"
#include "client/cli/top/terminal.h"

namespace wb::cli {
namespace {

constexpr int kKeyWaitMs = 100;                    // the screen is drawn anew so often
constexpr size_t kPlainWidth = 200;                // characters
constexpr int64_t kLeastInterval = 1'000'000'000;  // nanoseconds, from look to look

struct LiveOptions {
  std::string interval = "1s";
  uint64_t looks = 0;
  bool plain = false;
  bool json = false;
};

// Its calls fail soon, so that a daemon that is gone shows: they are made again in any case.
Result<std::unique_ptr<Client>> OwnClient(const Invocation& invocation) {
  ClientOptions options = invocation.flags().client;
  options.attempts = 1;
  options.timeout = std::chrono::seconds(5);
  return Client::Connect(invocation.flags().address, options);
}

Result<int> PrintLooks(Invocation& invocation, const LiveOptions& options,
                       std::chrono::nanoseconds interval) {
  TopLooker looker(&invocation.client());
  TopModel model(invocation.flags().address, Glyphs::kAscii);
  const bool json = options.json || invocation.json();
  TopInterest interest;
  if (json) interest.view = TopView::kTenants;
  for (uint64_t look = 0; options.looks == 0 || look < options.looks; ++look) {
    if (look > 0) std::this_thread::sleep_for(interval);
    Result<TopFacts> facts = looker.Look(interest);
    if (facts.status().code() == Code::kCancelled && !invocation.is_late()) return 0;
    if (!facts.ok()) return facts.status();
    if (json) {
      PrintLine(LookJson(*facts));
    } else {
      model.Take(std::move(*facts));
      Print(PlainLook(&model, kPlainWidth));
    }
    if (!OutputWorks()) return 0;
  }
  return 0;
}

// True: go on.
bool HandleKey(TopKey key, TopModel* model, TopAsker* asker) {
  const TopWish wish = model->Press(key);
  asker->Do(wish);
  asker->Want(model->interest());
  return wish.kind != TopWish::Kind::kQuit;
}

Result<int> DrawLooks(Invocation& invocation, std::chrono::nanoseconds interval) {
  WB_ASSIGN(std::unique_ptr<Client> client, OwnClient(invocation));
  // https://no-color.org: set to anything.
  const char* const no_colour = std::getenv("NO_COLOR");
  WB_ASSIGN(const std::unique_ptr<Terminal> terminal,
            Terminal::Open(no_colour == nullptr || *no_colour == '\0'));
  TopModel model(invocation.flags().address, terminal->glyphs());
  TopAsker asker(std::move(client), interval);
  while (!terminal->has_ended() && invocation.client().CheckGoesOn().ok()) {
    while (std::optional<TopFacts> facts = asker.TakeFacts()) model.Take(std::move(*facts));
    while (std::optional<TopAnswer> answer = asker.TakeAnswer()) model.Take(*answer);
    terminal->Draw(model.Screen(terminal->width(), terminal->height()));
    const std::optional<TopKey> key = terminal->ReadKey(kKeyWaitMs);
    if (key && !HandleKey(*key, &model, &asker)) break;
  }
  return 0;
}

Result<int> LiveTop(Invocation& invocation, const LiveOptions& options) {
  WB_ASSIGN(const int64_t interval, ParseDuration(options.interval));
  if (interval < kLeastInterval) {
    return Status(Reason::kInvalidArgument, "--interval [" + options.interval +
                                                "] is too short: the daemon is asked once a second "
                                                "at most. `device top` takes shorter ones.");
  }
  const bool draws = !options.plain && !options.json && !invocation.json() &&
                     isatty(STDOUT_FILENO) != 0 && isatty(STDIN_FILENO) != 0;
  if (draws) return DrawLooks(invocation, std::chrono::nanoseconds(interval));
  return PrintLooks(invocation, options, std::chrono::nanoseconds(interval));
}

}  // namespace

void AddTopCommand(CLI::App* app, Command* chosen) {
  auto options = std::make_shared<LiveOptions>();
  CLI::App* top = app->add_subcommand(
      "top",
      "Show live what the daemon does: devices, jobs, tenants; ? shows the keys. Where there is no "
      "terminal, tables are printed.\nExample: wasmburstctl top --plain --count 1");
  top->add_option("--interval", options->interval, "from look to look, 1s at least")
      ->default_val("1s");
  top->add_option("--count", options->looks,
                  "of looks that are printed: so many; 0: until it is interrupted");
  CLI::Option* plain = top->add_flag("--plain", options->plain, "print tables, draw nothing");
  top->add_flag("--json", options->json, "print a line of JSON for each look, as -o jsonl does")
      ->excludes(plain);
  top->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return LiveTop(invocation, *options); };
  });
}

}  // namespace wb::cli
