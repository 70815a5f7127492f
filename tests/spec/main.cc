// wb_spec: runs the WebAssembly specification suite on an engine. deploy/spec.sh is its front.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <thread>

#include "tests/compiler/ir/small_parts.h"
#include "tests/spec/build_pool.h"
#include "tests/spec/engines.h"
#include "tests/spec/suite.h"
#include "tests/spec/tally.h"

namespace wb::spec {
namespace {

// Exit codes: 0 good, 1 a check failed or fewer pass, 2 wrong use or a broken machine.
constexpr int kNoSuite = 77;  // "skipped", as CTest and the test scripts read it

struct Options {
  EngineChoice engine;
  std::string floats = "native";
  bool leave = false;
  bool flatten = false;
  bool flatten_some = false;
  bool cut = false;
  bool proposals = false;
  bool update_baseline = false;
  std::string suite;
  std::string cache;
  std::string baseline;
  unsigned threads = 0;  // 0: one per processor
  std::vector<std::string> files;
};

Status WriteText(const std::string& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  out.close();
  if (out) return {};
  return Status(Reason::kIoError, "The baseline [" + path + "] cannot be written.");
}

// Scripts as named on the command line, or all of the suite.
std::vector<std::string> Scripts(const Options& options, const std::filesystem::path& suite) {
  if (options.files.empty()) {
    return options.proposals ? ProposalScriptNames(suite) : ScriptNames(suite);
  }
  std::vector<std::string> names;
  for (const std::string& file : options.files) {
    std::filesystem::path name(file);
    if (name.extension() == ".wast") name.replace_extension();
    names.push_back((options.proposals ? name : name.filename()).string());
  }
  return names;
}

Flattening FlatteningOf(const Options& options) {
  if (options.flatten_some) return Flattening::kMixed;
  return options.flatten ? Flattening::kAlways : Flattening::kWhereNeeded;
}

Result<Tally> RunSuite(const Options& options, const std::filesystem::path& folder) {
  WB_ASSIGN(const auto device, OpenEngine(options.engine));
  std::unique_ptr<Device> reference;
  if (options.engine.engine != Engine::kInterpreter) {
    WB_ASSIGN(reference,
              OpenEngine({.engine = Engine::kInterpreter, .threads = options.engine.threads}));
  }
  WB_ASSIGN(const TemporaryFolder work, TemporaryFolder::Make());
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  BuildPool pool(device.get(), device->info().engine == Engine::kInterpreter ? "" : options.cache,
                 options.threads == 0 ? processors : options.threads, options.engine.effort);
  Suite suite(device.get(), &pool, options.leave, reference.get(), FlatteningOf(options),
              options.cut ? test::kSmallParts : CutSizes());
  std::vector<PreparedScript> scripts;
  for (const std::string& name : Scripts(options, folder)) {
    WB_ASSIGN(WastFile file, OpenWast(folder / (name + ".wast"), work.path(), options.proposals));
    scripts.push_back(suite.Prepare(std::move(file)));
  }
  Tally tally;
  for (PreparedScript& script : scripts) {
    suite.Run(&script);
    tally.Add(script.file.name, script.file.script, script.plan.outcomes);
    const FileTally& row = tally.files.back();
    std::fprintf(stderr, "[%zu/%zu] %s: %u of %u passed (%zu kernels built, %zu loaded)\n",
                 tally.files.size(), scripts.size(), row.file.c_str(), row.passed(), row.total(),
                 pool.built(), pool.loaded());
    script = {};
  }
  return tally;
}

// Compares with the committed counts; returns what is wrong, one sentence each.
Result<std::vector<std::string>> CheckBaseline(const Options& options, const RunName& run,
                                               const Tally& tally) {
  Baseline baseline;
  if (const auto bytes = ReadFileBytes(options.baseline); bytes.ok()) {
    WB_ASSIGN(baseline, Baseline::Parse(AsText(*bytes)));
  }
  std::vector<std::string> drops = baseline.Drops(run, tally);
  const size_t rises = baseline.Rises(run, tally);
  if (options.update_baseline && drops.empty() && tally.failures.empty()) {
    baseline.Update(run, tally);
    WB_TRY(WriteText(options.baseline, baseline.ToString()));
  } else if (rises > 0 && drops.empty()) {
    std::printf("%zu files pass more than the baseline says: --update-baseline records it.\n",
                rises);
  }
  return drops;
}

Result<bool> Run(const Options& options) {
  const auto folder = FindSuite(options.suite);
  if (!folder) {
    return Status(Reason::kNotFound,
                  "The specification suite is not there; set WASMBURST_TESTSUITE to a checkout of "
                  "github.com/WebAssembly/testsuite at its 2.0 version.");
  }
  const auto scripts = options.proposals ? ProposalsFolder(*folder) : *folder;
  if (options.proposals && ProposalScriptNames(scripts).empty()) {
    return Status(Reason::kNotFound, "The suite has no scripts of proposals.");
  }
  WB_ASSIGN(const Tally tally, RunSuite(options, scripts));
  const RunName run{std::string(SpecEngineName(options.engine.engine)), options.floats,
                    options.leave ? "leave" : "plain"};
  WB_ASSIGN(const auto drops, CheckBaseline(options, run, tally));
  std::cout << Table(tally);
  for (const std::string& failure : tally.failures) std::cout << "failed: " << failure << "\n";
  for (const std::string& drop : drops) std::cout << "fewer: " << drop << "\n";
  const FileTally sum = tally.Sum();
  std::printf("decoder checks: %u of %u passed; executed checks: %u of %u passed\n",
              sum.decoder.passed, sum.decoder.total(), sum.executed.passed, sum.executed.total());
  std::cout << std::flush << LastLine(run, tally) << std::endl;
  return tally.failures.empty() && drops.empty();
}

Engine EngineNamed(std::string_view name) {
  for (const Engine engine : {Engine::kCpu, Engine::kCuda, Engine::kMetal}) {
    if (SpecEngineName(engine) == name) return engine;
  }
  return Engine::kInterpreter;
}

MemoryLayout LayoutNamed(std::string_view name) {
  for (const auto layout : {MemoryLayout::kInterleaved, MemoryLayout::kTiled, MemoryLayout::kHot}) {
    if (LayoutName(layout) == name) return layout;
  }
  return MemoryLayout::kContiguous;
}

}  // namespace
}  // namespace wb::spec

int main(int argc, char** argv) {
  wb::spec::Options options;
  std::string engine = "cpu";
  std::string layout = "contiguous";
  CLI::App app("Runs the WebAssembly specification suite on an engine.", "wb_spec");
  const std::vector<std::string> engines = {
      "cpu", "cuda", "interpreter", std::string(wb::spec::SpecEngineName(wb::Engine::kMetal))};
  app.add_option("--engine", engine)->check(CLI::IsMember(engines));
  app.add_option("--floats", options.floats,
                 "native; metal: what a Mac gets, with subnormals flushed (kernels only)")
      ->check(CLI::IsMember({"native", "metal"}));
  app.add_option("--layout", layout)
      ->check(CLI::IsMember({"contiguous", "interleaved", "tiled", "hot"}));
  app.add_flag("--leave", options.leave, "leave and resume at every safepoint");
  app.add_flag("--flatten", options.flatten, "print every function as a loop around a switch");
  app.add_flag("--chunks", options.engine.chunks,
               "cpu, cuda: kernels in several texts that are linked");
  app.add_flag_callback(
      "--quick", [&options] { options.engine.effort = wb::Effort::kQuick; },
      "cpu, cuda: kernels that are compiled sooner and are slower");
  app.add_flag("--resident", options.engine.resident,
               "cuda: a kernel stays on the GPU and gets its launches there");
  app.add_flag_callback(
      "--windows", [&options] { options.engine.windows = wb::Windows::kAlways; },
      "cpu, cuda: lanes hold a part of memory until an access misses it");
  app.add_flag("--flatten-some", options.flatten_some, "likewise, but parts of functions");
  app.add_flag("--cut", options.cut, "functions of any size become many");
  app.add_flag("--proposals", options.proposals,
               "the scripts of the proposals that are read, FILE as in tail-call/return_call");
  app.add_flag("--update-baseline", options.update_baseline, "record what passes now");
  app.add_option("--suite", options.suite, "folder of the suite");
  app.add_option("--cache", options.cache, "folder for built kernels");
  app.add_option("--baseline", options.baseline)->required();
  app.add_option("--threads", options.threads, "threads that build and run; 0: one per processor");
  app.add_option("FILE", options.files, "scripts of the suite, with or without .wast");
  CLI11_PARSE(app, argc, argv);
  options.engine.engine = wb::spec::EngineNamed(engine);
  options.engine.layout = wb::spec::LayoutNamed(layout);
  options.engine.floats = options.floats == "metal" ? wb::Floats::kMetal : wb::Floats::kNative;
  if (options.engine.floats == wb::Floats::kMetal && engine == "interpreter") {
    std::cerr << "wb_spec: --floats metal is for kernels; the interpreter has native ones\n";
    return 2;
  }
  if (options.engine.engine == wb::Engine::kMetal && options.floats != "metal") {
    std::cerr << "wb_spec: a Mac's GPU has metal floats only; say --floats metal\n";
    return 2;
  }
  options.engine.threads = options.threads;
  const auto passed = wb::spec::Run(options);
  if (!passed.ok()) {
    std::cerr << "wb_spec: " << passed.status().ToString() << "\n";
    return passed.status().reason() == wb::Reason::kNotFound ? wb::spec::kNoSuite : 2;
  }
  return *passed ? 0 : 1;
}
