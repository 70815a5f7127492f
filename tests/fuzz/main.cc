// wb_fuzz: random modules on all engines, and in wabt's interpreter. deploy/fuzz.sh is its front.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "tests/fuzz/campaign.h"
#include "tests/fuzz/crash_note.h"
#include "tests/fuzz/kept.h"

namespace wb::fuzz {
namespace {

struct Options {
  CampaignSettings campaign{.setup = {.full_in = 3}};
  std::vector<std::string> engines = {"cpu", "cpu-interleaved", "cpu-metal", "wabt"};
  std::string from;
  std::string also;
  std::string broken;
  std::string engine_broken = "cpu";
  int variant = -1;
};

std::optional<Opcode> OpcodeNamed(std::string_view text) {
  for (const auto& [begin, end] :
       {std::pair{0u, 0x100u}, {0xfc00u, 0xfd00u}, {0xfd000u, 0xfe000u}}) {
    for (uint32_t code = begin; code < end; ++code) {
      const Opcode* opcode = FindOpcode(code);
      if (opcode != nullptr && FactsOf(*opcode).text == text) return *opcode;
    }
  }
  return std::nullopt;
}

// "i32.rotl=i32.rotr"
Result<std::pair<Opcode, Opcode>> ParseBroken(const std::string& text) {
  const size_t at = text.find('=');
  const auto from = OpcodeNamed(text.substr(0, at));
  const auto to = at == std::string::npos ? std::nullopt : OpcodeNamed(text.substr(at + 1));
  if (from && to) return std::pair(*from, *to);
  return Status(Reason::kInvalidArgument,
                "--broken takes two operators, as in i32.rotl=i32.rotr, not [" + text + "].");
}

Status ReadEngines(Options* options) {
  FuzzerSetup& setup = options->campaign.setup;
  setup.oracle = false;
  for (const std::string& name : options->engines) {
    if (name == "interpreter") continue;  // always
    if (name == "wabt") {
      setup.oracle = true;
      continue;
    }
    auto engine = SetupNamed(name);
    if (!engine) {
      return Status(
          Reason::kInvalidArgument,
          "There is no engine [" + name +
              "]; there are interpreter, cpu, cpu-interleaved, cpu-tiled, cpu-hot, cpu-metal, "
              "cpu-chunks, cuda, cuda-metal and wabt.");
    }
    if (!options->broken.empty() && name == options->engine_broken) {
      WB_ASSIGN(engine->broken, ParseBroken(options->broken));
    }
    setup.engines.push_back(std::move(*engine));
  }
  return {};
}

void Report(const Options& options, const CampaignResult& result) {
  for (const Finding& finding : result.findings) {
    std::printf("difference: %s\n", Described(finding).c_str());
  }
  const Counts& counts = result.counts;
  const auto number = [](uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf(
      "%llu calls returned, %llu trapped, %llu lanes ran out of fuel; %llu modules were "
      "compared with wabt, %llu left out\n",
      number(counts.returned), number(counts.trapped), number(counts.out_of_fuel),
      number(counts.oracle), number(counts.skipped));
  std::printf("fuzz: %llu modules, %u engines, %llu differences\n", number(counts.modules),
              WaysOf(options.campaign.setup), number(result.findings.size()));
}

Result<bool> Run(Options* options) {
  WB_TRY(ReadEngines(options));
  if (options->variant >= 0) options->campaign.variant = static_cast<uint32_t>(options->variant);
  std::unique_ptr<Source> source = GeneratedModules();
  if (!options->from.empty()) {
    WB_ASSIGN(source, FolderOfModules(options->from));
  }
  if (!options->also.empty()) {
    WB_ASSIGN(auto folder, FolderOfModules(options->also));
    source = InTurn(std::move(source), std::move(folder));
  }
  WB_ASSIGN(const CampaignResult result, RunCampaign(options->campaign, *source));
  Report(*options, result);
  return result.findings.empty();
}

}  // namespace
}  // namespace wb::fuzz

int main(int argc, char** argv) {
  wb::fuzz::Options options;
  wb::fuzz::CampaignSettings& campaign = options.campaign;
  CLI::App app("Random modules on all engines, and in wabt's interpreter.", "wb_fuzz");
  app.add_option("--modules", campaign.modules, "how many")->capture_default_str();
  app.add_option("--seed", campaign.seed, "of the first; the others follow")->capture_default_str();
  app.add_option("--engine", options.engines,
                 "interpreter (always), cpu, cpu-interleaved, cpu-tiled, cpu-hot, "
                 "cpu-metal, cpu-chunks, cuda, cuda-windows, cuda-metal, wabt")
      ->delimiter(',');
  app.add_option("--from", options.from, "folder of modules, instead of the generator");
  app.add_option("--also", options.also, "folder of modules, every other one from there");
  app.add_option("--batch", campaign.batch, "modules of one build")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--full", campaign.setup.full_in,
                 "an engine's compiler optimises one batch in so many; 1: all, 0: none")
      ->capture_default_str();
  app.add_option("--jobs", campaign.jobs, "threads")->check(CLI::Range(1, 256));
  app.add_option("--variant", options.variant, "how batches are put together: 0 to 7; else all")
      ->check(CLI::Range(0, static_cast<int>(wb::fuzz::kVariants) - 1));
  app.add_option("--shrink", campaign.shrink_tries, "tries to make a case small; 0: none")
      ->capture_default_str();
  app.add_option("--out", campaign.folder, "folder for cases that show a difference");
  app.add_option("--broken", options.broken,
                 "negative control: OPERATOR=OTHER, as that engine compiles it");
  app.add_option("--broken-engine", options.engine_broken)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  wb::fuzz::InstallCrashNote();
  const auto same = wb::fuzz::Run(&options);
  if (!same.ok()) {
    std::cerr << "wb_fuzz: " << same.status().ToString() << "\n";
    return 2;
  }
  return *same ? 0 : 1;
}
