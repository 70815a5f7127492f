#pragma once

// ResultBatch: results that were taken together, as columns, and what they come to. Results come by
// the million and differ by little: what they have in common lies once in a shape, and what differs
// (instance, fuel, words of values) is packed. No result is an object until somebody asks for it.
//
// A row is the place of a result in its batch.
//
// Threads: none of its own; built by one, then handed on.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/abi/lane.h"
#include "scheduler/job/job.h"

namespace wb {

// What a result counts for in a job's limit: its values and outputs.
uint64_t ResultBytes(const InstanceResult& result);
// What it takes as an object.
uint64_t HeldBytes(const InstanceResult& result);
// The most that a result of this program takes in a batch, with a shape of its own: reads of
// constant length hold that, others, and the streams of a module that has some, may use all that
// the job's limit of outputs allows.
uint64_t MostHeldBytes(const EncodedProgram& program, const std::vector<Step>& steps,
                       uint32_t max_output_bytes);

// Instances [first, first + count) that ended alike without a launch: neither values nor outputs
// nor fuel. However many they are, they take no room.
struct EndedRange {
  uint64_t first = 0;
  uint64_t count = 0;
  uint32_t attempt = 1;
  End end = End::kResultsLimit;
};

// As what results are read: whole ones, or columns. What they take is measured so that a message of
// them is not longer.
enum class ResultForm : uint8_t { kWhole, kColumns };

class ResultBatch {
 public:
  // What rows have in common.
  struct Shape {
    InstanceResult common;  // no instance, fuel and outputs, and values of zero
    uint32_t words = 0;     // of a row's values
    uint64_t bytes = 0;     // ResultBytes of a row without outputs
    uint64_t whole = 0;     // HeldBytes likewise
  };
  // Rows from `row` on, up to the next run; their words lie one row after another from `word` on.
  struct Run {
    uint32_t shape = 0;
    size_t row = 0;
    size_t word = 0;
  };
  // An output of a row; those of a row follow one another, and rows rise.
  struct OutputPlace {
    size_t row = 0;
    uint32_t name = 0;  // in names()
    uint64_t at = 0;    // first byte in output_bytes()
    uint64_t bytes = 0;
  };

  // A row besides its words: instance and fuel.
  static constexpr uint64_t kRowBytes = 16;

  ResultBatch() = default;
  // Implicit, for callers with few.
  ResultBatch(const std::vector<InstanceResult>& results);
  // The results of `count` instances of the range, from the instance `first` on.
  static ResultBatch Of(const EndedRange& range, uint64_t first, uint64_t count);

  void Reserve(size_t rows);
  void Add(const InstanceResult& result);
  void Append(const ResultBatch& more);
  // The same as Add in two steps, for results that come alike. A shape's number holds for this
  // batch.
  uint32_t ShapeOf(const InstanceResult& result);
  // `words`: as many as the shape has. The row has no outputs so far.
  void AddRow(uint32_t shape, uint64_t instance, uint64_t fuel, std::span<const uint32_t> words);
  // AddRow with the shape that the last row has: there is one. Most rows come so.
  void AddAlike(uint64_t instance, uint64_t fuel, std::span<const uint32_t> words) {
    const Shape& its = shapes_[runs_.back().shape];
    last_held_ = kRowBytes + its.bytes;  // not more than the run's first row
    held_bytes_ += last_held_;
    Push(its, instance, fuel, words);
  }
  void AddOutput(const std::string& name, ByteView bytes);  // of the row that was added last
  // Gives back what was reserved for rows that did not come.
  void Fit();

  size_t size() const { return instances_.size(); }
  bool empty() const { return instances_.empty(); }
  InstanceResult At(size_t row) const;
  std::vector<InstanceResult> All() const;

  // The columns.
  const std::vector<uint64_t>& instances() const { return instances_; }
  const std::vector<uint64_t>& fuels() const { return fuels_; }
  const std::vector<uint32_t>& words() const { return words_; }
  const std::vector<Shape>& shapes() const { return shapes_; }
  const std::vector<Run>& runs() const { return runs_; }
  const std::vector<OutputPlace>& outputs() const { return outputs_; }
  const std::vector<std::string>& names() const { return names_; }
  ByteView BytesOf(const OutputPlace& output) const;
  size_t RunOf(size_t row) const;        // number of its run
  size_t EndOf(size_t run) const;        // row after its last
  size_t FirstOutput(size_t row) const;  // the first that belongs to it or to a later one
  std::span<const uint32_t> WordsOf(size_t row) const;

  // As many rows from `from` on, and before `to`, as `bytes` hold; one at least. Returns the row
  // after them, and adds to `used` what they take.
  size_t Fitting(size_t from, size_t to, size_t bytes, ResultForm form, size_t* used) const;

  uint64_t count(End end) const { return by_end_[static_cast<size_t>(end)]; }
  uint64_t fuel() const { return fuel_; }
  double fuel_squares() const { return fuel_squares_; }
  uint64_t bytes() const { return bytes_; }            // as ResultBytes
  uint64_t held_bytes() const { return held_bytes_; }  // in memory
  uint64_t largest() const { return largest_; }  // row, of these, with a shape if that was new

 private:
  static Shape MakeShape(const InstanceResult& result);
  void CountHeld(uint64_t bytes);
  void Push(const Shape& shape, uint64_t instance, uint64_t fuel, std::span<const uint32_t> words) {
    instances_.push_back(instance);
    fuels_.push_back(fuel);
    for (const uint32_t word : words) words_.push_back(word);
    ++by_end_[static_cast<size_t>(shape.common.end)];
    fuel_ += fuel;
    fuel_squares_ += static_cast<double>(fuel) * static_cast<double>(fuel);
    bytes_ += shape.bytes;
  }
  uint32_t NameOf(const std::string& name);

  std::vector<uint64_t> instances_;
  std::vector<uint64_t> fuels_;
  std::vector<uint32_t> words_;
  std::vector<Shape> shapes_;
  std::vector<Run> runs_;
  std::vector<OutputPlace> outputs_;
  std::vector<std::string> names_;
  Bytes output_bytes_;

  std::array<uint64_t, kEnds> by_end_{};
  uint64_t fuel_ = 0;
  double fuel_squares_ = 0;
  uint64_t bytes_ = 0;
  uint64_t held_bytes_ = 0;
  uint64_t last_held_ = 0;     // by the last row
  bool shape_is_new_ = false;  // no row has the last shape
  uint64_t largest_ = 0;
};

}  // namespace wb
