#include "scheduler/job/result_batch.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace wb {
namespace {

constexpr uint64_t kLongestDeviceName = 32;
constexpr uint64_t kFrameHeadBytes = 4;
constexpr uint64_t kStreamNameBytes = 32;
// In a message at most: the fuel, and a range of its own where instances do not follow one another.
constexpr uint64_t kSentRowBytes = 8 + 16;
// So many shapes are looked through. A batch whose results all differ has one for each of them, as
// objects would have.
constexpr size_t kMostTried = 8;

bool SameStep(const StepResult& a, const StepResult& b) {
  const auto same_type = [](const Value& x, const Value& y) { return x.type == y.type; };
  return a.trap == b.trap && a.trap_function == b.trap_function && a.trap_offset == b.trap_offset &&
         a.trap_module == b.trap_module &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), same_type);
}

bool SameEnd(const InstanceResult& a, const InstanceResult& b) {
  return a.attempt == b.attempt && a.end == b.end && a.trap == b.trap &&
         a.trap_function == b.trap_function && a.trap_offset == b.trap_offset &&
         a.exit_code == b.exit_code && a.trap_module == b.trap_module && a.step == b.step &&
         a.memory_pages == b.memory_pages;
}

bool SameShape(const InstanceResult& a, const InstanceResult& b) {
  return SameEnd(a, b) && a.device == b.device && a.fast32 == b.fast32 && a.build == b.build &&
         std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), SameStep) &&
         a.host_error == b.host_error && a.backtrace == b.backtrace &&
         a.backtrace_error == b.backtrace_error;
}

}  // namespace

uint64_t HeldBytes(const InstanceResult& result) {
  uint64_t bytes = sizeof(InstanceResult) + result.device.size() + result.host_error.size();
  for (const StepResult& step : result.steps) {
    bytes += sizeof(StepResult) + step.values.size() * sizeof(Value);
  }
  for (const Output& output : result.outputs) {
    bytes += sizeof(Output) + output.name.size() + output.bytes.size();
  }
  return bytes;
}

uint64_t MostHeldBytes(const EncodedProgram& program, const std::vector<Step>& steps,
                       uint32_t max_output_bytes) {
  uint64_t bytes = sizeof(ResultBatch::Shape) + sizeof(ResultBatch::Run) + ResultBatch::kRowBytes;
  bytes += kLongestDeviceName;
  for (const StepLayout& step : program.steps) {
    bytes += sizeof(StepResult) + step.results.size() * 2 * sizeof(Value);
  }
  uint64_t outputs = program.writes ? max_output_bytes : 0;
  for (const Step& step : steps) {
    const auto* read = std::get_if<ReadStep>(&step);
    if (read == nullptr) continue;
    bytes += sizeof(Output) + read->output.size();
    const bool constant = read->length.source == Operand::Source::kConstant;
    outputs += constant ? read->length.value.words[0] : max_output_bytes;
  }
  if (program.writes) {
    const uint64_t streams =
        std::min<uint64_t>(abi::MOST_STREAM, max_output_bytes / kFrameHeadBytes);
    bytes += streams * (sizeof(Output) + kStreamNameBytes);
  }
  return bytes + std::min<uint64_t>(outputs, max_output_bytes);
}

uint64_t ResultBytes(const InstanceResult& result) {
  uint64_t bytes = 0;
  for (const StepResult& step : result.steps) {
    for (const Value& value : step.values) bytes += uint64_t{TypeWords(value.type)} * 4;
  }
  for (const Output& output : result.outputs) bytes += output.bytes.size();
  return bytes;
}

ResultBatch::ResultBatch(const std::vector<InstanceResult>& results) {
  Reserve(results.size());
  for (const InstanceResult& result : results) Add(result);
}

ResultBatch ResultBatch::Of(const EndedRange& range, uint64_t first, uint64_t count) {
  ResultBatch batch;
  InstanceResult common;
  common.attempt = range.attempt;
  common.end = range.end;
  const uint32_t shape = batch.ShapeOf(common);
  batch.Reserve(count);
  for (uint64_t i = 0; i < count; ++i) batch.AddRow(shape, first + i, 0, {});
  return batch;
}

void ResultBatch::Reserve(size_t rows) {
  instances_.reserve(rows);
  fuels_.reserve(rows);
}

ResultBatch::Shape ResultBatch::MakeShape(const InstanceResult& result) {
  Shape shape;
  shape.common = result;
  shape.common.instance = 0;
  shape.common.fuel = 0;
  shape.common.outputs.clear();
  for (StepResult& step : shape.common.steps) {
    for (Value& value : step.values) {
      value.words = {};
      shape.words += TypeWords(value.type);
    }
  }
  shape.bytes = uint64_t{shape.words} * 4;
  shape.whole = HeldBytes(shape.common);
  return shape;
}

uint32_t ResultBatch::ShapeOf(const InstanceResult& result) {
  const size_t tried = std::min(shapes_.size(), kMostTried);
  for (size_t i = shapes_.size(); i > shapes_.size() - tried; --i) {
    if (SameShape(shapes_[i - 1].common, result)) return static_cast<uint32_t>(i - 1);
  }
  shapes_.push_back(MakeShape(result));
  last_held_ = 0;
  shape_is_new_ = true;
  CountHeld(sizeof(Shape) - sizeof(InstanceResult) + shapes_.back().whole);
  return static_cast<uint32_t>(shapes_.size() - 1);
}

void ResultBatch::CountHeld(uint64_t bytes) {
  held_bytes_ += bytes;
  last_held_ += bytes;
  largest_ = std::max(largest_, last_held_);
}

void ResultBatch::AddRow(uint32_t shape, uint64_t instance, uint64_t fuel,
                         std::span<const uint32_t> words) {
  const Shape& its = shapes_[shape];
  const uint64_t held = kRowBytes + its.bytes;
  if (runs_.empty() || runs_.back().shape != shape) {
    if (!std::exchange(shape_is_new_, false)) last_held_ = 0;
    if (runs_.empty()) words_.reserve(instances_.capacity() * its.words);
    runs_.push_back({shape, instances_.size(), words_.size()});
    CountHeld(held + sizeof(Run));
  } else {  // not more than the run's first row
    last_held_ = held;
    held_bytes_ += held;
  }
  Push(its, instance, fuel, words);
}

uint32_t ResultBatch::NameOf(const std::string& name) {
  const auto known = std::find(names_.begin(), names_.end(), name);
  const auto number = static_cast<uint32_t>(known - names_.begin());
  if (known == names_.end()) names_.push_back(name);
  return number;
}

void ResultBatch::AddOutput(const std::string& name, ByteView bytes) {
  outputs_.push_back({size() - 1, NameOf(name), output_bytes_.size(), bytes.size()});
  output_bytes_.insert(output_bytes_.end(), bytes.begin(), bytes.end());
  bytes_ += bytes.size();
  CountHeld(sizeof(OutputPlace) + bytes.size());
}

void ResultBatch::Add(const InstanceResult& result) {
  std::vector<uint32_t> words;
  for (const StepResult& step : result.steps) {
    for (const Value& value : step.values) {
      words.insert(words.end(), value.words.begin(), value.words.begin() + TypeWords(value.type));
    }
  }
  AddRow(ShapeOf(result), result.instance, result.fuel, words);
  for (const Output& output : result.outputs) AddOutput(output.name, output.bytes);
}

void ResultBatch::Append(const ResultBatch& more) {
  for (const Run& run : more.runs_) {
    const uint32_t shape = ShapeOf(more.shapes_[run.shape].common);
    if (!runs_.empty() && runs_.back().shape == shape) continue;
    runs_.push_back({shape, size() + run.row, words_.size() + run.word});
  }
  for (OutputPlace output : more.outputs_) {
    output.row += size();
    output.name = NameOf(more.names_[output.name]);
    output.at += output_bytes_.size();
    outputs_.push_back(output);
  }
  instances_.insert(instances_.end(), more.instances_.begin(), more.instances_.end());
  fuels_.insert(fuels_.end(), more.fuels_.begin(), more.fuels_.end());
  words_.insert(words_.end(), more.words_.begin(), more.words_.end());
  output_bytes_.insert(output_bytes_.end(), more.output_bytes_.begin(), more.output_bytes_.end());
  for (size_t end = 0; end < kEnds; ++end) by_end_[end] += more.by_end_[end];
  fuel_ += more.fuel_;
  fuel_squares_ += more.fuel_squares_;
  bytes_ += more.bytes_;
  held_bytes_ += more.held_bytes_;
  largest_ = std::max(largest_, more.largest_);
  shape_is_new_ = false;
}

void ResultBatch::Fit() {
  if (instances_.capacity() / 2 <= instances_.size()) return;
  instances_.shrink_to_fit();
  fuels_.shrink_to_fit();
  words_.shrink_to_fit();
}

size_t ResultBatch::RunOf(size_t row) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), row,
                                      [](size_t at, const Run& run) { return at < run.row; });
  return static_cast<size_t>(after - runs_.begin()) - 1;
}

size_t ResultBatch::EndOf(size_t run) const {
  return run + 1 < runs_.size() ? runs_[run + 1].row : size();
}

size_t ResultBatch::FirstOutput(size_t row) const {
  const auto at =
      std::lower_bound(outputs_.begin(), outputs_.end(), row,
                       [](const OutputPlace& place, size_t r) { return place.row < r; });
  return static_cast<size_t>(at - outputs_.begin());
}

ByteView ResultBatch::BytesOf(const OutputPlace& output) const {
  return ByteView(output_bytes_).subspan(output.at, output.bytes);
}

std::span<const uint32_t> ResultBatch::WordsOf(size_t row) const {
  const Run& run = runs_[RunOf(row)];
  const uint32_t words = shapes_[run.shape].words;
  return std::span(words_).subspan(run.word + (row - run.row) * words, words);
}

InstanceResult ResultBatch::At(size_t row) const {
  InstanceResult result = shapes_[runs_[RunOf(row)].shape].common;
  result.instance = instances_[row];
  result.fuel = fuels_[row];
  const uint32_t* word = WordsOf(row).data();
  for (StepResult& step : result.steps) {
    for (Value& value : step.values) {
      const uint32_t words = TypeWords(value.type);
      std::copy(word, word + words, value.words.begin());
      word += words;
    }
  }
  for (size_t i = FirstOutput(row); i < outputs_.size() && outputs_[i].row == row; ++i) {
    const ByteView bytes = BytesOf(outputs_[i]);
    result.outputs.push_back({names_[outputs_[i].name], Bytes(bytes.begin(), bytes.end())});
  }
  return result;
}

std::vector<InstanceResult> ResultBatch::All() const {
  std::vector<InstanceResult> results;
  results.reserve(size());
  for (size_t row = 0; row < size(); ++row) results.push_back(At(row));
  return results;
}

size_t ResultBatch::Fitting(size_t from, size_t to, size_t bytes, ResultForm form,
                            size_t* used) const {
  const bool whole = form == ResultForm::kWhole;
  const bool has_few_shapes = shapes_.size() <= kMostTried;
  size_t sum = 0;
  size_t row = from;
  size_t output = FirstOutput(from);
  for (size_t run = RunOf(from); row < to && run < runs_.size(); ++run) {
    const Shape& shape = shapes_[runs_[run].shape];
    const size_t each = whole ? shape.whole : kSentRowBytes + shape.bytes;
    if (!whole) sum += has_few_shapes ? sizeof(Run) : shape.whole;
    const size_t end = std::min(to, EndOf(run));
    if (outputs_.empty()) {
      const size_t room = bytes - std::min(bytes, sum);
      const size_t fitting =
          std::min(end - row, std::max<size_t>(room / each, row == from ? 1 : 0));
      row += fitting;
      sum += fitting * each;
      if (row < end) break;
      continue;
    }
    for (; row < end; ++row) {
      size_t more = each;
      for (; output < outputs_.size() && outputs_[output].row == row; ++output) {
        more += outputs_[output].bytes + (whole ? sizeof(Output) : sizeof(OutputPlace)) +
                names_[outputs_[output].name].size();
      }
      if (sum + more > bytes && row > from) {
        *used += sum;
        return row;
      }
      sum += more;
    }
  }
  *used += sum;
  return row;
}

}  // namespace wb
