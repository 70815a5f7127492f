// How long builds take by the module: a table, and figures that hold on another day.
//
//   compile_times cpu|cuda [--most-seconds N] [--rounds N] [--rows NAME,...] [FILE.wasm]...
//
// Rows: one addition, and modules of many functions (tests/compiler/emit/many_functions.h), growing
// until a build takes more than N seconds (default 60), then the files; or those rows that are
// named. Builds are those of the device: its compiler, a process of its own, is in the time. A
// remark with the time of day makes every text a new one, so that no cache of a driver's has it.
// Figures are medians of the rounds (default 1). Cached: from the entry's file, signature checked,
// to a pipeline that can be launched. Best: of texts whose best build is not the full one; it
// yields to other work of the machine. Without a GPU, cuda builds for sm_90 and loads nothing. The
// first row's quick build for a GPU may wait for the kernel that is linked to all of them. A file
// that imports WASI has the system layer linked to it, as in jobs.
//
// Ratios: the processor time of a row's builds over that of a reference build (reference_build.h),
// the lowest of all rounds of each.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/compiling/build_target.h"
#include "bench/compiling/reference_build.h"
#include "compiler/system/system_layer.h"
#include "tests/compiler/emit/many_functions.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::bench {
namespace {

using Clock = std::chrono::steady_clock;
// 25 are 8 KB, 150 48 KB, 2,500 a megabyte.
constexpr uint32_t kFunctions[] = {1, 10, 25, 100, 150, 300, 1000, 2500};
constexpr uint32_t kInstructions = 130;
constexpr int kLoads = 21;
// Compilers that begin to wait behind a build are there by then (warm_processes.h).
constexpr std::chrono::seconds kUntilTheyWait{1};

struct Settings {
  std::string device;
  double most_seconds = 60;
  int rounds = 1;
  std::vector<std::string> rows;  // empty: all
  std::vector<std::string> files;
};

struct Row {
  std::string name;
  Bytes wasm;
  size_t text_bytes = 0;
  size_t binary_bytes = 0;
  std::string error;                                    // of a build; it has no further rounds
  std::vector<double> to_text, quick, full;             // milliseconds on the clock
  std::vector<double> quick_processor, full_processor;  // milliseconds of processors
  std::vector<double> reference;                        // a reference build's, in the same rounds
  std::vector<double> cached;
  std::vector<double> best, cached_best;
};

// The least disturbed.
double Lowest(const std::vector<double>& all) { return *std::min_element(all.begin(), all.end()); }

// Over the reference build; none where either was not measured.
std::vector<double> RatioOf(const Row& row, const std::vector<double>& processor) {
  if (processor.empty() || row.reference.empty()) return {};
  return {Lowest(processor) / Lowest(row.reference)};
}

double Median(std::vector<double> all) {
  if (all.empty()) return 0;
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

std::string Cell(const std::vector<double>& all, const char* form) {
  if (all.empty()) return "-";
  char text[32];
  std::snprintf(text, sizeof text, form, Median(all));
  return text;
}

class Table {
 public:
  Table(const Settings& settings, const BuildTarget& target, const ReferenceBuild* reference)
      : settings_(settings), target_(target), reference_(reference) {}

  // False: a build took longer than one may.
  bool Add(const std::string& name, Bytes wasm) {
    Row row{.name = name, .wasm = std::move(wasm)};
    double longest = 0;
    for (int round = 0; round < settings_.rounds && row.error.empty(); ++round) {
      longest = std::max(longest, Round(&row));
    }
    Print(row);
    rows_.push_back(std::move(row));
    return longest < settings_.most_seconds * 1e3;
  }
  static void PrintHeader() {
    std::printf("%-16s %9s %9s %8s %9s %9s %11s %10s %9s %10s %8s %12s\n", "module", "wasm B",
                "text B", "text ms", "quick ms", "full ms", "quick ratio", "full ratio", "binary B",
                "cached ms", "best ms", "its cached");
  }
  bool Wants(const std::string& name) const {
    const auto& rows = settings_.rows;
    return rows.empty() || std::find(rows.begin(), rows.end(), name) != rows.end();
  }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  // How long the full build took, milliseconds.
  double Round(Row* row) {
    const auto begin = Clock::now();
    auto decoded = Module::Decode(row->wasm);
    auto whole = decoded.ok() ? WholeProgram(*decoded) : decoded.status();
    auto module = whole.ok() ? Lower(*whole) : whole.status();
    auto source = module.ok() ? EmitKernel(**module, target_.options()) : module.status();
    if (!source.ok()) {
      row->error = source.status().ToString();
      return 0;
    }
    const std::chrono::duration<double, std::milli> to_text = Clock::now() - begin;
    row->to_text.push_back(to_text.count());
    row->text_bytes = source->text.size();
    source->text += "\n// " + std::to_string(Clock::now().time_since_epoch().count()) + "\n";
    if (!RunReference(row)) row->error = "the reference build failed";
    if (target_.HasQuickBuild(*source)) {
      (void)Build(**module, *source, Effort::kQuick, row, &row->quick, &row->quick_processor);
    }
    const auto binary =
        Build(**module, *source, Effort::kFull, row, &row->full, &row->full_processor);
    if (!binary) return settings_.most_seconds * 1e3;
    row->binary_bytes = binary->size();
    Load(*module, *source, *binary, &row->cached);
    RoundOfBest(row, *module, *source);
    return row->full.back();
  }

  void RoundOfBest(Row* row, const std::shared_ptr<const LoweredModule>& module,
                   const KernelSource& source) {
    if (!target_.MayHaveBestBuild(source)) return;
    std::vector<double> wall, processor;
    const auto binary = Build(*module, source, Effort::kBest, row, &wall, &processor);
    if (!binary || binary->empty()) return;
    row->best.push_back(wall.back());
    Load(module, source, *binary, &row->cached_best);
  }

  void Load(const std::shared_ptr<const LoweredModule>& module, const KernelSource& source,
            const Bytes& binary, std::vector<double>* cached) const {
    if (!target_.has_device()) return;
    if (settings_.device == "cuda") std::this_thread::sleep_for(kUntilTheyWait);
    for (int i = 0; i < kLoads; ++i) cached->push_back(target_.LoadCached(module, source, binary));
  }

  bool RunReference(Row* row) const {
    if (reference_ == nullptr) return true;
    const auto time = reference_->Run();
    if (time.ok()) row->reference.push_back(time->processor_ms);
    return time.ok();
  }

  std::optional<Bytes> Build(const LoweredModule& module, const KernelSource& source, Effort effort,
                             Row* row, std::vector<double>* wall,
                             std::vector<double>* processor) const {
    BuildTime time;
    Result<Bytes> binary = target_.Build(module, source, effort, &time);
    if (!binary.ok()) {
      row->error = binary.status().ToString();
      return std::nullopt;
    }
    wall->push_back(time.wall_ms);
    processor->push_back(time.processor_ms);
    return std::move(binary).value();
  }

  static void Print(const Row& row) {
    std::printf("%-16s %9zu %9zu %8s %9s %9s %11s %10s %9zu %10s %8s %12s\n", row.name.c_str(),
                row.wasm.size(), row.text_bytes, Cell(row.to_text, "%.1f").c_str(),
                Cell(row.quick, "%.0f").c_str(), Cell(row.full, "%.0f").c_str(),
                Cell(RatioOf(row, row.quick_processor), "%.2f").c_str(),
                Cell(RatioOf(row, row.full_processor), "%.2f").c_str(), row.binary_bytes,
                Cell(row.cached, "%.3f").c_str(), Cell(row.best, "%.0f").c_str(),
                Cell(row.cached_best, "%.3f").c_str());
    if (!row.error.empty()) std::printf("  %s\n", row.error.c_str());
    std::fflush(stdout);
  }

  const Settings& settings_;
  const BuildTarget& target_;
  const ReferenceBuild* const reference_;  // null: no ratios
  std::vector<Row> rows_;
};

std::vector<std::string> Names(const std::string& list) {
  std::vector<std::string> names;
  for (size_t at = 0; at < list.size();) {
    const size_t comma = std::min(list.find(',', at), list.size());
    names.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return names;
}

std::optional<Settings> Parse(int argc, char** argv) {
  Settings settings;
  if (argc > 1) settings.device = argv[1];
  if (settings.device != "cpu" && settings.device != "cuda") return std::nullopt;
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("--", 0) != 0) {
      settings.files.push_back(argument);
      continue;
    }
    if (++i == argc) return std::nullopt;
    if (argument == "--most-seconds")
      settings.most_seconds = std::atof(argv[i]);
    else if (argument == "--rounds")
      settings.rounds = std::atoi(argv[i]);
    else if (argument == "--rows")
      settings.rows = Names(argv[i]);
    else
      return std::nullopt;
  }
  if (settings.most_seconds <= 0 || settings.rounds <= 0) return std::nullopt;
  return settings;
}

void AddRows(const Settings& settings, Table* table) {
  constexpr const char* kAdd =
      "(module (func (export \"run\") (param i32 i32) (result i32)"
      "  local.get 0 local.get 1 i32.add))";
  bool goes_on = !table->Wants("add") || table->Add("add", test::MustAssemble(kAdd));
  for (const uint32_t functions : kFunctions) {
    const std::string name =
        std::to_string(functions) + (functions == 1 ? " function" : " functions");
    if (!goes_on) break;
    if (!table->Wants(name)) continue;
    goes_on =
        table->Add(name, test::MustAssemble(test::ManyFunctionsModule(functions, kInstructions)));
  }
  for (const std::string& path : settings.files) {
    std::ifstream file(path, std::ios::binary);
    table->Add(path.substr(path.rfind('/') + 1), {std::istreambuf_iterator<char>(file), {}});
  }
}

int Main(int argc, char** argv) {
  const std::optional<Settings> settings = Parse(argc, argv);
  if (!settings) {
    std::fprintf(stderr,
                 "usage: compile_times cpu|cuda [--most-seconds N] [--rounds N] [--rows NAME,...]\n"
                 "       [FILE.wasm]...\n");
    return 2;
  }
  const auto most = std::chrono::milliseconds(static_cast<int64_t>(settings->most_seconds * 1e3));
  const auto target = BuildTarget::Open(settings->device, most);
  if (!target.ok()) {
    std::fprintf(stderr, "compile_times: %s\n", target.status().ToString().c_str());
    return 2;
  }
  const auto reference = ReferenceBuild::Find();
  std::printf("%s\n", reference.ok() ? ("ratios: over builds of " + reference->version()).c_str()
                                     : ("no ratios: " + reference.status().message()).c_str());
  std::printf("%s\n", (*target)->name().c_str());
  Table::PrintHeader();
  Table table(*settings, **target, reference.ok() ? &*reference : nullptr);
  AddRows(*settings, &table);
  if (table.rows().size() < settings->rows.size() + settings->files.size()) {
    std::fprintf(stderr, "compile_times: not all rows that were named are there\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace wb::bench

int main(int argc, char** argv) { return wb::bench::Main(argc, argv); }
