#include "client/result_columns.h"

#include <cstdint>
#include <string>
#include <utility>

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class Expansion {
 public:
  Expansion(const v1::ResultColumns& columns, v1::ReadResultsResponse* whole)
      : columns_(columns), whole_(*whole) {}

  // False: the columns do not fit together.
  bool Run() {
    const int first = whole_.results_size();
    for (const v1::ResultColumns::Run& run : columns_.runs()) {
      if (run.shape() >= static_cast<uint32_t>(columns_.shapes_size())) return false;
      const v1::InstanceResult& shape = columns_.shapes(static_cast<int>(run.shape()));
      for (uint32_t i = 0; i < run.rows(); ++i) {
        if (!AddRow(shape)) return false;
      }
    }
    const bool all = row_ == columns_.fuel_size() && word_ == columns_.words_size() &&
                     range_ == columns_.instances_size();
    return all && AddExtras(first);
  }

 private:
  bool NextInstance(uint64_t* instance) {
    if (range_ == columns_.instances_size()) return false;
    const v1::ResultColumns::Range& range = columns_.instances(range_);
    if (range.count() == 0) return false;
    *instance = range.first() + in_range_;
    if (++in_range_ < range.count()) return true;
    ++range_;
    in_range_ = 0;
    return true;
  }

  bool AddRow(const v1::InstanceResult& shape) {
    uint64_t instance = 0;
    if (row_ == columns_.fuel_size() || !NextInstance(&instance)) return false;
    v1::InstanceResult* result = whole_.add_results();
    *result = shape;
    result->set_instance(instance);
    result->set_fuel(columns_.fuel(row_++));
    for (v1::StepResult& step : *result->mutable_steps()) {
      for (v1::Value& value : *step.mutable_values()) {
        if (!Fill(&value)) return false;
      }
    }
    return true;
  }

  bool Fill(v1::Value* value) {
    switch (value->kind_case()) {
      case v1::Value::kI64: return Take(2) && (value->set_i64(static_cast<int64_t>(Two())), true);
      case v1::Value::kF64Bits: return Take(2) && (value->set_f64_bits(Two()), true);
      case v1::Value::kF32Bits: return Take(1) && (value->set_f32_bits(Word(1)), true);
      case v1::Value::kI32: return Take(1) && (value->set_i32(static_cast<int32_t>(Word(1))), true);
      case v1::Value::kV128: return Take(4) && (value->set_v128(Four()), true);
      case v1::Value::KIND_NOT_SET: break;
    }
    return false;
  }

  bool Take(int words) {
    if (columns_.words_size() - word_ < words) return false;
    word_ += words;
    return true;
  }
  // Of those taken last: the `back`-th from the end.
  uint32_t Word(int back) const { return columns_.words(word_ - back); }
  uint64_t Two() const { return Word(2) | uint64_t{Word(1)} << 32; }
  std::string Four() const {
    std::string bytes;
    for (int back = 4; back > 0; --back) {
      for (int shift = 0; shift < 32; shift += 8) {
        bytes.push_back(static_cast<char>(Word(back) >> shift));
      }
    }
    return bytes;
  }

  bool AddExtras(int first) {
    for (const v1::ResultColumns::Extra& extra : columns_.extras()) {
      if (extra.row() >= static_cast<uint32_t>(row_)) return false;
      v1::InstanceResult* result = whole_.mutable_results(first + static_cast<int>(extra.row()));
      if (extra.has_output()) *result->add_outputs() = extra.output();
      result->mutable_calls()->MergeFrom(extra.calls());
    }
    return true;
  }

  const v1::ResultColumns& columns_;
  v1::ReadResultsResponse& whole_;
  int row_ = 0;
  int word_ = 0;
  int range_ = 0;
  uint64_t in_range_ = 0;
};

}  // namespace

Result<v1::ReadResultsResponse> WholeResults(const v1::ReadResultsResponse& message) {
  v1::ReadResultsResponse whole;
  whole.set_cursor(message.cursor());
  whole.set_heartbeat(message.heartbeat());
  if (message.has_job()) *whole.mutable_job() = message.job();
  if (message.has_counts()) *whole.mutable_counts() = message.counts();
  if (message.has_forecast()) *whole.mutable_forecast() = message.forecast();
  *whole.mutable_results() = message.results();
  for (const v1::ResultColumns& columns : message.columns()) {
    if (Expansion(columns, &whole).Run()) continue;
    return Status(Reason::kInternal,
                  "The daemon sent results whose columns do not fit together. Use a client of the "
                  "daemon's version, and report this if it is.");
  }
  return whole;
}

}  // namespace wb
