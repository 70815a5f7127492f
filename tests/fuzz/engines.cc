#include "tests/fuzz/engines.h"

#include <algorithm>

#include "tests/spec/windows.h"

namespace wb::fuzz {
namespace {

constexpr uint64_t kMaxLaunches = 20'000;

// Fuel of lane 0: 1 at first, so that lanes leave at every safepoint, then twice as much again and
// again, so that long loops end.
uint64_t SliceOf(uint64_t launch) {
  constexpr uint64_t kTiny = 1200, kDoublesEvery = 64;
  if (launch < kTiny) return 1;
  return uint64_t{1} << std::min<uint64_t>(40, (launch - kTiny) / kDoublesEvery + 1);
}

// In the subjects' own functions; what looks at their state stays as it is.
std::shared_ptr<const Module> Broken(const std::shared_ptr<const Module>& module, Opcode from,
                                     Opcode to) {
  auto changed = std::make_shared<Module>(*module);
  for (const LinkedInstance& instance : module->instances) {
    if (!instance.name.starts_with("subject")) continue;
    for (uint32_t i = 0; i < instance.functions; ++i) {
      for (Instruction& row : changed->bodies[instance.first_function + i].instructions) {
        if (row.opcode == from) row.opcode = to;
      }
    }
  }
  return changed;
}

DispatchShape ShapeOf(const LoweredModule& module, const Plan& plan, const Subject& subject) {
  DispatchShape shape;
  shape.lanes = kLanes;
  shape.max_pages = std::min(module.program.image.max_pages, kMaxPages);
  shape.capacity_pages = shape.max_pages;
  shape.max_stack = subject.max_stack;
  shape.max_fuel = subject.max_fuel;
  shape.program = plan.program.words;
  shape.steps = static_cast<uint32_t>(plan.program.steps.size());
  shape.column_words = plan.program.column_words;
  shape.register_words = plan.program.register_words;
  return shape;
}

}  // namespace

std::optional<EngineSetup> SetupNamed(std::string_view name) {
  using enum Engine;
  constexpr auto kPlain = MemoryLayout::kContiguous;
  constexpr auto kWoven = MemoryLayout::kInterleaved;
  static const EngineSetup kSetups[] = {
      {"interpreter", {kInterpreter, kPlain, Floats::kNative, 1}},
      {"cpu", {kCpu, kPlain, Floats::kNative, 1}},
      {"cpu-interleaved",
       {.engine = kCpu, .layout = kWoven, .threads = 1, .windows = Windows::kAnywhere},
       true},
      {"cpu-tiled",
       {.engine = kCpu,
        .layout = MemoryLayout::kTiled,
        .threads = 1,
        .windows = Windows::kAnywhere},
       true},
      {"cpu-hot",
       {.engine = kCpu, .layout = MemoryLayout::kHot, .threads = 1, .windows = Windows::kAnywhere},
       true},
      {"cpu-metal", {kCpu, kPlain, Floats::kMetal, 1}},
      {"cpu-chunks", {kCpu, kPlain, Floats::kNative, 1, true}},
      {"cuda", {kCuda, kWoven, Floats::kNative, 1}},
      {"cuda-windows",
       {.engine = kCuda, .layout = kWoven, .threads = 1, .windows = Windows::kAnywhere},
       true},
      {"cuda-metal", {kCuda, kWoven, Floats::kMetal, 1}, true},
  };
  for (const EngineSetup& setup : kSetups) {
    if (setup.name == name) return setup;
  }
  return std::nullopt;
}

Result<EngineUnderTest> EngineUnderTest::Open(const EngineSetup& setup) {
  EngineUnderTest engine;
  engine.setup_ = setup;
  WB_ASSIGN(engine.device_, spec::OpenEngine(setup.choice));
  return engine;
}

Status EngineUnderTest::Build(const Batch& batch, Effort effort) {
  auto module = batch.linked;
  if (setup_.broken) module = Broken(module, setup_.broken->first, setup_.broken->second);
  WB_ASSIGN(lowered_, Lower(module));
  KernelSource source;
  source.layout = lowered_->layout;
  if (setup_.choice.engine != Engine::kInterpreter) {
    CompileOptions options = device_->info().options;
    options.most_copies = batch.variant.copies;
    if (setup_.flattens) options.flattening = batch.variant.flattening;
    // NVRTC optimises in its quick way too: it gets a text that stays small.
    if (effort == Effort::kQuick && setup_.choice.engine == Engine::kCuda) {
      options.most_copies = std::min(options.most_copies, 1u);
      options.most_inlined_rows = 0;
    }
    WB_ASSIGN(source, EmitKernel(*lowered_, options));
  }
  effort_ = effort;
  WB_ASSIGN(const Bytes binary, device_->Build(*lowered_, source, effort));
  WB_ASSIGN(pipeline_, device_->Load(lowered_, binary));
  return {};
}

Status EngineUnderTest::Seat(const Plan& plan, const Subject& subject) {
  dispatch_.reset();
  whole_.reset();
  DispatchShape shape = ShapeOf(*lowered_, plan, subject);
  const WindowForm form = WindowFormOf(lowered_->program, device_->info().options);
  if (form != WindowForm::kNone) {
    WB_ASSIGN(whole_, device_->Allocate(pipeline_, shape));
    std::copy(plan.columns.begin(), plan.columns.end(), whole_->columns().begin());
    shape.window = test::SmallestWindow(lowered_->program, form);
  }
  WB_ASSIGN(dispatch_, device_->Allocate(pipeline_, shape));
  std::copy(plan.columns.begin(), plan.columns.end(), dispatch_->columns().begin());
  return {};
}

Status EngineUnderTest::Launch(Dispatch& dispatch, bool leave) {
  for (uint64_t launch = 0; launch < kMaxLaunches; ++launch) {
    LaunchLimits limits;
    if (leave) {
      limits.slice_fuel = SliceOf(launch);
      limits.slice_step = 1;
    }
    WB_ASSIGN(const LaunchReport report, device_->Launch(dispatch, limits));
    if (report.seats_left == 0) return {};
  }
  return Status(Reason::kInternal,
                "Lanes still run after [" + std::to_string(kMaxLaunches) + "] launches.");
}

// Those that missed what their lanes hold of the memory start again in lanes that hold all.
Status EngineUnderTest::RunMissed(bool leave) {
  const size_t words = whole_->shape().RecordWords();
  std::vector<uint32_t> missed;
  std::fill(whole_->records().begin(), whole_->records().end(), 0);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (dispatch_->records()[lane * words + abi::RECORD_SEAT] != abi::SEAT_NEEDS_MEMORY) continue;
    MarkStart(whole_->records().subspan(lane * words));
    missed.push_back(lane);
  }
  if (missed.empty()) return {};
  WB_TRY(Launch(*whole_, leave));
  for (const uint32_t lane : missed) {
    const auto record = whole_->records().subspan(lane * words, words);
    std::copy(record.begin(), record.end(), dispatch_->records().subspan(lane * words).begin());
  }
  return {};
}

Result<Records> EngineUnderTest::Run(bool leave) {
  Records records;
  records.words_per_lane = dispatch_->shape().RecordWords();
  const auto words = dispatch_->records();
  std::fill(words.begin(), words.end(), 0);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    MarkStart(words.subspan(size_t{lane} * records.words_per_lane));
  }
  WB_TRY(Launch(*dispatch_, leave));
  if (whole_ != nullptr) WB_TRY(RunMissed(leave));
  records.words.assign(words.begin(), words.end());
  return records;
}

}  // namespace wb::fuzz
