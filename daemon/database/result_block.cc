#include "daemon/database/result_block.h"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/wasm/opcode.h"
#include "daemon/database/byte_text.h"

namespace wb {
namespace {

// Kinds of blocks, and versions of them. Numbers of ends, traps, types and builds lie in blocks
// too: none of these may ever get another meaning.
enum Kind : uint64_t { kResults = 1, kRange = 2 };
// The longest name of a device, a module or an output has 1,024 bytes; words of errors have more.
constexpr uint64_t kMostNames = 1 << 20;

// What is written of a result: a bit for each part that is there.
enum Part : uint8_t {
  kNext = 1,  // the instance is the one after the result before
  kSame = 2,  // how it ended, and where, as the result before
  kOutputs = 4,
  kTrace = 8,     // words of a host's error, backtrace
  kPages = 16,    // memory pages differ from those of the result before
  kOneValue = 32  // one step with one value, of the type of the result before
};

void PutValue(const Value& value, ByteWriter* out) {
  for (uint32_t word = 0; word < TypeWords(value.type); ++word) out->Word(value.words[word]);
}

Value GetValue(ValueType type, ByteReader* in) {
  Value value;
  value.type = type;
  for (uint32_t word = 0; word < TypeWords(type); ++word) value.words[word] = in->Word();
  return value;
}

bool IsType(uint8_t byte) {
  switch (static_cast<ValueType>(byte)) {
    case ValueType::kI32:
    case ValueType::kI64:
    case ValueType::kF32:
    case ValueType::kF64:
    case ValueType::kV128:
    case ValueType::kFuncRef:
    case ValueType::kExternRef: return true;
    default: return false;
  }
}

ValueType GetType(ByteReader* in) {
  const uint8_t byte = in->Byte();
  if (!IsType(byte)) in->Fail();
  return in->ok() ? static_cast<ValueType>(byte) : ValueType::kI32;
}

bool IsOneValue(const InstanceResult& result, ValueType type) {
  if (result.steps.size() != 1 || result.steps[0].trap != Trap::kNone) return false;
  return result.steps[0].values.size() == 1 && result.steps[0].values[0].type == type;
}

}  // namespace

// Names come by the million and are few: each is written once, and then its number.
struct ResultBlockWriter::State {
  // What `kSame` stands for.
  struct Ending {
    uint32_t attempt = 1;
    End end = End::kReturned;
    Trap trap = Trap::kNone;
    uint32_t trap_function = 0;
    uint32_t trap_offset = 0;
    uint32_t exit_code = 0;
    uint64_t trap_module = 0;  // name
    uint32_t step = 0;
    uint64_t device = 0;  // name
    bool fast32 = false;
    KernelBuild build = KernelBuild::kNone;
    bool operator==(const Ending&) const = default;
  };
  // What the next result is compared with.
  struct Last {
    uint64_t instance = ~uint64_t{0};
    uint32_t pages = 0;
    ValueType type = ValueType::kI32;
    Ending ending;
  };

  ByteWriter rows;
  ByteWriter names;
  std::map<std::string, uint64_t, std::less<>> numbers;
  Last last;

  uint64_t NameOf(const std::string& name) {
    const auto [at, is_new] = numbers.try_emplace(name, numbers.size());
    if (is_new) names.Text(name);
    return at->second;
  }
  void Put(const Ending& ending);
  void Put(const StepResult& step);
  void PutSteps(const InstanceResult& result);
  void PutOutputs(const InstanceResult& result);
  void PutTrace(const InstanceResult& result);
  Ending EndingOf(const InstanceResult& result);
  uint8_t PartsOf(const InstanceResult& result, bool is_same) const;
};

void ResultBlockWriter::State::Put(const Ending& ending) {
  rows.Number(ending.attempt);
  rows.Byte(static_cast<uint8_t>(ending.end));
  rows.Byte(static_cast<uint8_t>(ending.trap));
  rows.Number(ending.trap_function);
  rows.Number(ending.trap_offset);
  rows.Number(ending.exit_code);
  rows.Number(ending.trap_module);
  rows.Number(ending.step);
  rows.Number(ending.device);
  rows.Byte(ending.fast32 ? 1 : 0);
  rows.Byte(static_cast<uint8_t>(ending.build));
}

void ResultBlockWriter::State::Put(const StepResult& step) {
  rows.Byte(static_cast<uint8_t>(step.trap));
  if (step.trap != Trap::kNone) {
    rows.Number(step.trap_function);
    rows.Number(step.trap_offset);
    rows.Number(NameOf(step.trap_module));
  }
  rows.Number(step.values.size());
  for (const Value& value : step.values) {
    rows.Byte(static_cast<uint8_t>(value.type));
    PutValue(value, &rows);
  }
}

void ResultBlockWriter::State::PutSteps(const InstanceResult& result) {
  rows.Number(result.steps.size());
  for (const StepResult& step : result.steps) Put(step);
  const bool has_value = !result.steps.empty() && !result.steps[0].values.empty();
  if (has_value) last.type = result.steps[0].values[0].type;
}

void ResultBlockWriter::State::PutOutputs(const InstanceResult& result) {
  rows.Number(result.outputs.size());
  for (const Output& output : result.outputs) {
    rows.Number(NameOf(output.name));
    rows.Text(AsText(output.bytes));
  }
}

void ResultBlockWriter::State::PutTrace(const InstanceResult& result) {
  rows.Text(result.host_error);
  rows.Text(result.backtrace_error);
  rows.Number(result.backtrace.size());
  for (const TraceFrame& frame : result.backtrace) {
    rows.Number(frame.function);
    rows.Number(frame.offset);
    rows.Number(NameOf(frame.module));
  }
}

ResultBlockWriter::ResultBlockWriter() : state_(std::make_unique<State>()) {}
ResultBlockWriter::~ResultBlockWriter() = default;

// Which parts are written of a result that follows `last`.
uint8_t ResultBlockWriter::State::PartsOf(const InstanceResult& result, bool is_same) const {
  uint8_t parts = is_same ? kSame : 0;
  if (IsOneValue(result, last.type)) parts |= kOneValue;
  if (result.instance == last.instance + 1) parts |= kNext;
  if (!result.outputs.empty()) parts |= kOutputs;
  if (result.memory_pages != last.pages) parts |= kPages;
  if (!result.host_error.empty() || !result.backtrace_error.empty()) parts |= kTrace;
  if (!result.backtrace.empty()) parts |= kTrace;
  return parts;
}

ResultBlockWriter::State::Ending ResultBlockWriter::State::EndingOf(const InstanceResult& result) {
  Ending ending;
  ending.attempt = result.attempt;
  ending.end = result.end;
  ending.trap = result.trap;
  ending.trap_function = result.trap_function;
  ending.trap_offset = result.trap_offset;
  ending.exit_code = result.exit_code;
  ending.trap_module = NameOf(result.trap_module);
  ending.step = result.step;
  ending.device = NameOf(result.device);
  ending.fast32 = result.fast32;
  ending.build = result.build;
  return ending;
}

void ResultBlockWriter::Add(const InstanceResult& result) {
  State& state = *state_;
  State::Last& last = state.last;
  ByteWriter& rows = state.rows;
  const State::Ending ending = state.EndingOf(result);
  const uint8_t parts = state.PartsOf(result, count_ > 0 && ending == last.ending);
  rows.Byte(parts);
  if ((parts & kNext) == 0) rows.Signed(static_cast<int64_t>(result.instance - last.instance));
  if ((parts & kSame) == 0) state.Put(ending);
  rows.Number(result.fuel);
  if ((parts & kPages) != 0) rows.Number(result.memory_pages);
  if ((parts & kOneValue) != 0) {
    PutValue(result.steps[0].values[0], &rows);
  } else {
    state.PutSteps(result);
  }
  if ((parts & kOutputs) != 0) state.PutOutputs(result);
  if ((parts & kTrace) != 0) state.PutTrace(result);
  last.instance = result.instance;
  last.pages = result.memory_pages;
  last.ending = ending;
  ++count_;
}

size_t ResultBlockWriter::size() const { return state_->rows.size() + state_->names.size(); }

Bytes ResultBlockWriter::Take() && {
  ByteWriter block;
  block.Number(kResults);
  block.Number(count_);
  block.Number(state_->numbers.size());
  block.Raw(std::move(state_->names).Take());
  block.Raw(std::move(state_->rows).Take());
  return std::move(block).Take();
}

namespace {

class BlockReader {
 public:
  explicit BlockReader(ByteView block) : in_(block) {}

  Result<std::vector<InstanceResult>> Read(uint64_t skip, uint64_t most) {
    const uint64_t kind = in_.Number();
    if (kind == kRange) return ReadRange(skip, most);
    if (kind != kResults) in_.Fail();
    WB_ASSIGN(std::vector<InstanceResult> results, ReadAll());
    results.erase(results.begin(), results.begin() + std::min<uint64_t>(skip, results.size()));
    if (results.size() > most) results.resize(most);
    return results;
  }

 private:
  static Status Damaged() {
    return Status(Reason::kIoError, "Stored results are damaged: they are no block of results.");
  }

  Result<std::vector<InstanceResult>> ReadRange(uint64_t skip, uint64_t most) {
    EndedRange range;
    range.first = in_.Number();
    range.count = in_.Number();
    range.attempt = static_cast<uint32_t>(in_.Number());
    const uint8_t end = in_.Byte();
    if (!in_.is_done() || end >= kEnds) return Damaged();
    range.end = static_cast<End>(end);
    const uint64_t skipped = std::min(skip, range.count);
    return ResultsOf(range, range.first + skipped, std::min(most, range.count - skipped));
  }

  Result<std::vector<InstanceResult>> ReadAll() {
    std::vector<InstanceResult> results;
    const uint64_t count = in_.Number();
    const uint64_t names = in_.Count();
    for (uint64_t i = 0; i < std::min(names, kMostNames) && in_.ok(); ++i) {
      names_.emplace_back(in_.Text());
    }
    for (uint64_t i = 0; i < count && in_.ok(); ++i) results.push_back(Next());
    if (in_.is_done() && results.size() == count) return results;
    return Damaged();
  }

  std::string Name() {
    const uint64_t number = in_.Number();
    if (number < names_.size()) return names_[number];
    in_.Fail();
    return {};
  }

  void GetEnding(InstanceResult* result) {
    result->attempt = static_cast<uint32_t>(in_.Number());
    const uint8_t end = in_.Byte();
    const uint8_t trap = in_.Byte();
    if (end >= kEnds || !IsTrapByte(trap)) in_.Fail();
    result->end = in_.ok() ? static_cast<End>(end) : End::kReturned;
    result->trap = in_.ok() ? static_cast<Trap>(trap) : Trap::kNone;
    result->trap_function = static_cast<uint32_t>(in_.Number());
    result->trap_offset = static_cast<uint32_t>(in_.Number());
    result->exit_code = static_cast<uint32_t>(in_.Number());
    result->trap_module = Name();
    result->step = static_cast<uint32_t>(in_.Number());
    result->device = Name();
    result->fast32 = in_.Byte() != 0;
    const uint8_t build = in_.Byte();
    if (build > static_cast<uint8_t>(KernelBuild::kFull)) in_.Fail();
    result->build = in_.ok() ? static_cast<KernelBuild>(build) : KernelBuild::kNone;
  }

  static bool IsTrapByte(uint8_t byte) { return byte == 0 || IsTrap(byte); }

  StepResult GetStep() {
    StepResult step;
    const uint8_t trap = in_.Byte();
    if (!IsTrapByte(trap)) in_.Fail();
    step.trap = in_.ok() ? static_cast<Trap>(trap) : Trap::kNone;
    if (step.trap != Trap::kNone) {
      step.trap_function = static_cast<uint32_t>(in_.Number());
      step.trap_offset = static_cast<uint32_t>(in_.Number());
      step.trap_module = Name();
    }
    const uint64_t values = in_.Count();
    for (uint64_t i = 0; i < values && in_.ok(); ++i) {
      step.values.push_back(GetValue(GetType(&in_), &in_));
    }
    return step;
  }

  void GetSteps(InstanceResult* result) {
    const uint64_t steps = in_.Count();
    for (uint64_t i = 0; i < steps && in_.ok(); ++i) result->steps.push_back(GetStep());
    const bool has_value = !result->steps.empty() && !result->steps[0].values.empty();
    if (has_value) type_ = result->steps[0].values[0].type;
  }

  void GetOutputs(InstanceResult* result) {
    const uint64_t outputs = in_.Count();
    for (uint64_t i = 0; i < outputs && in_.ok(); ++i) {
      Output output;
      output.name = Name();
      const ByteView bytes = AsBytes(in_.Text());
      output.bytes.assign(bytes.begin(), bytes.end());
      result->outputs.push_back(std::move(output));
    }
  }

  void GetTrace(InstanceResult* result) {
    result->host_error = in_.Text();
    result->backtrace_error = in_.Text();
    const uint64_t frames = in_.Count();
    for (uint64_t i = 0; i < frames && in_.ok(); ++i) {
      TraceFrame frame;
      frame.function = static_cast<uint32_t>(in_.Number());
      frame.offset = static_cast<uint32_t>(in_.Number());
      frame.module = Name();
      result->backtrace.push_back(std::move(frame));
    }
  }

  InstanceResult Next() {
    InstanceResult result = ending_;
    const uint8_t parts = in_.Byte();
    const uint64_t step = (parts & kNext) != 0 ? 1 : static_cast<uint64_t>(in_.Signed());
    result.instance = instance_ + step;
    if ((parts & kSame) == 0) {
      GetEnding(&result);
      ending_ = result;
    }
    result.fuel = in_.Number();
    if ((parts & kPages) != 0) pages_ = static_cast<uint32_t>(in_.Number());
    result.memory_pages = pages_;
    if ((parts & kOneValue) != 0) {
      result.steps.emplace_back().values.push_back(GetValue(type_, &in_));
    } else {
      GetSteps(&result);
    }
    if ((parts & kOutputs) != 0) GetOutputs(&result);
    if ((parts & kTrace) != 0) GetTrace(&result);
    instance_ = result.instance;
    return result;
  }

  ByteReader in_;
  std::vector<std::string> names_;
  InstanceResult ending_;  // of the last result: what kSame stands for
  uint64_t instance_ = ~uint64_t{0};
  uint32_t pages_ = 0;
  ValueType type_ = ValueType::kI32;
};

}  // namespace

Bytes RangeBlock(const EndedRange& range) {
  ByteWriter block;
  block.Number(kRange);
  block.Number(range.first);
  block.Number(range.count);
  block.Number(range.attempt);
  block.Byte(static_cast<uint8_t>(range.end));
  return std::move(block).Take();
}

Result<std::vector<InstanceResult>> ReadResultBlock(ByteView block, uint64_t skip, uint64_t most) {
  return BlockReader(block).Read(skip, most);
}

}  // namespace wb
