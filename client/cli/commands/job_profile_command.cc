// wasmburstctl job profile: which functions used a job's fuel.

#include <CLI/CLI.hpp>

#include <memory>

#include "client/cli/commands/commands.h"
#include "client/cli/output/standard_output.h"
#include "client/cli/profile/flame_graph.h"
#include "client/cli/profile/folded_stacks.h"
#include "client/cli/profile/profile_text.h"
#include "client/cli/program/files.h"
#include "client/services/profiles.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

struct ProfileOptions {
  std::string job;
  uint32_t instances = 0;
  bool deep = false;
  size_t top = 20;
  std::string folded;  // files; empty: none
  std::string svg;
};

Status WriteFiles(const ProfileOptions& options, const v1::Profile& profile,
                  const ProfileTree& tree) {
  if (!options.folded.empty()) WB_TRY(WriteFile(options.folded, FoldedStacks(tree)));
  if (options.svg.empty()) return {};
  std::string title = SampleText(profile);
  title.resize(title.find('\n'));
  return WriteFile(options.svg, FlameGraph(tree, title));
}

Result<int> Profile(Invocation& invocation, const ProfileOptions& options) {
  v1::GetProfileRequest request;
  request.set_job(options.job);
  request.set_instances(options.instances);
  request.set_loops(options.deep);
  WB_ASSIGN(const v1::Profile profile, GetProfile(invocation.client(), request));
  WB_ASSIGN(const ProfileTree tree, TreeOf(profile));
  WB_TRY(WriteFiles(options, profile, tree));
  if (invocation.json()) {
    invocation.PrintMessage(profile);
    return 0;
  }
  Print(TopTable(tree, options.top));
  invocation.Talk(SampleText(profile));
  return 0;
}

}  // namespace

void AddJobProfileCommand(CLI::App* job, Command* chosen) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* command = job->add_subcommand(
      "profile",
      "Show which functions used a job's fuel: a sample of its instances runs once more, and is "
      "counted.\n"
      "Example: wasmburstctl job profile jobs/01J... --deep --svg flames.svg");
  command->add_option("name", options->job, "jobs/..., or the id behind it")
      ->transform(FullJobName)
      ->required();
  command
      ->add_option("--instances", options->instances,
                   "so many, spread over the job's; 0: as many as the daemon takes by itself")
      ->check(CLI::Range(0, 1024));
  command->add_flag("--deep", options->deep, "loops by themselves, not as part of their functions");
  command->add_option("--top", options->top, "rows of the table")
      ->check(CLI::Range(1, 100000))
      ->default_str("20");
  command->add_option("--folded", options->folded,
                      "a file for the stacks, a line each: \"main;parse;next 123\"");
  command->add_option("--svg", options->svg, "a file for a flame graph, which any browser shows");
  command->callback([chosen, options] {
    chosen->run = [options](Invocation& invocation) { return Profile(invocation, *options); };
  });
}

}  // namespace wb::cli
