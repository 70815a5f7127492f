#include "daemon/database/block_rows.h"

#include <utility>

#include "daemon/database/block_parts.h"

namespace wb {
namespace {

enum Part : uint8_t {
  kNext = 1,  // the instance is the one after the result before
  kSame = 2,  // how it ended, and where, as the result before
  kOutputs = 4,
  kTrace = 8,     // words of a host's error, backtrace
  kPages = 16,    // memory pages differ from those of the result before
  kOneValue = 32  // one step with one value, of the type of the result before
};

class RowReader {
 public:
  explicit RowReader(ByteReader* in) : in_(*in), count_(in->Number()), names_(in) {}

  ResultBatch ReadAll() {
    ResultBatch results;
    for (uint64_t i = 0; i < count_ && in_.ok(); ++i) results.Add(Next());
    return results;
  }

 private:
  Value GetValue(ValueType type) {
    Value value;
    value.type = type;
    for (uint32_t word = 0; word < TypeWords(value.type); ++word) value.words[word] = in_.Word();
    return value;
  }

  void GetSteps(InstanceResult* result) {
    const uint64_t steps = in_.Count();
    for (uint64_t i = 0; i < steps && in_.ok(); ++i) {
      StepResult& step = result->steps.emplace_back(GetStepTrap(&names_, &in_));
      const uint64_t values = in_.Count();
      for (uint64_t v = 0; v < values && in_.ok(); ++v) {
        step.values.push_back(GetValue(GetType(&in_)));
      }
    }
    const bool has_value = !result->steps.empty() && !result->steps[0].values.empty();
    if (has_value) type_ = result->steps[0].values[0].type;
  }

  void GetOutputs(InstanceResult* result) {
    const uint64_t outputs = in_.Count();
    for (uint64_t i = 0; i < outputs && in_.ok(); ++i) {
      Output output;
      output.name = names_.Next();
      const ByteView bytes = AsBytes(in_.Text());
      output.bytes.assign(bytes.begin(), bytes.end());
      result->outputs.push_back(std::move(output));
    }
  }

  InstanceResult Next() {
    InstanceResult result = ending_;
    const uint8_t parts = in_.Byte();
    const uint64_t step = (parts & kNext) != 0 ? 1 : static_cast<uint64_t>(in_.Signed());
    result.instance = instance_ + step;
    if ((parts & kSame) == 0) {
      GetEnding(&names_, &in_, &result);
      ending_ = result;
    }
    result.fuel = in_.Number();
    if ((parts & kPages) != 0) pages_ = static_cast<uint32_t>(in_.Number());
    result.memory_pages = pages_;
    if ((parts & kOneValue) != 0) {
      result.steps.emplace_back().values.push_back(GetValue(type_));
    } else {
      GetSteps(&result);
    }
    if ((parts & kOutputs) != 0) GetOutputs(&result);
    if ((parts & kTrace) != 0) GetTrace(&names_, &in_, &result);
    instance_ = result.instance;
    return result;
  }

  ByteReader& in_;
  const uint64_t count_;
  NamesRead names_;
  InstanceResult ending_;  // of the last result: what kSame stands for
  uint64_t instance_ = ~uint64_t{0};
  uint32_t pages_ = 0;
  ValueType type_ = ValueType::kI32;
};

}  // namespace

ResultBatch ReadBlockRows(ByteReader* in) { return RowReader(in).ReadAll(); }

}  // namespace wb
