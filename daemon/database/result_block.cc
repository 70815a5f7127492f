#include "daemon/database/result_block.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "daemon/database/block_parts.h"
#include "daemon/database/block_rows.h"
#include "daemon/database/packed_numbers.h"

namespace wb {
namespace {

// A block of columns: kind, number of rows, names, shapes, runs, instances, fuel, the words of each
// shape's rows, outputs.
class BlockWriter {
 public:
  BlockWriter(const ResultBatch& results, size_t from, size_t to)
      : results_(results), from_(from), to_(to) {}

  Bytes Write() {
    PutRuns();
    PutInstances();
    PutPacked(std::span(results_.fuels()).subspan(from_, to_ - from_), &out_);
    PutWords();
    PutOutputs();
    ByteWriter block;
    block.Number(static_cast<uint64_t>(BlockKind::kColumns));
    block.Number(to_ - from_);
    names_.Put(&block);
    block.Number(numbers_.size());
    block.Raw(std::move(commons_).Take());
    block.Raw(std::move(out_).Take());
    return std::move(block).Take();
  }

 private:
  // Calls part(shape, first row, row after the last) for each run of the rows.
  template <typename Part>
  void ForRuns(const Part& part) const {
    size_t row = from_;
    for (size_t run = results_.RunOf(from_); row < to_; ++run) {
      const size_t end = std::min(to_, results_.EndOf(run));
      part(results_.runs()[run].shape, row, end);
      row = end;
    }
  }

  // The shape's number in the block, which it gets with its first run.
  uint64_t NumberOf(uint32_t shape) {
    const auto [at, is_new] = numbers_.try_emplace(shape, numbers_.size());
    if (is_new) PutCommon(results_.shapes()[shape].common, &names_, &commons_);
    return at->second;
  }

  void PutRuns() {
    uint64_t runs = 0;
    ByteWriter each;
    ForRuns([&](uint32_t shape, size_t row, size_t end) {
      ++runs;
      each.Number(NumberOf(shape));
      each.Number(end - row);
    });
    out_.Number(runs);
    out_.Raw(std::move(each).Take());
  }

  void PutInstances() {
    uint64_t ranges = 0;
    ByteWriter each;
    uint64_t next = 0;
    for (size_t row = from_; row < to_;) {
      const uint64_t first = results_.instances()[row];
      size_t end = row + 1;
      while (end < to_ && results_.instances()[end] == first + (end - row)) ++end;
      ++ranges;
      each.Signed(static_cast<int64_t>(first - next));
      each.Number(end - row);
      next = first + (end - row);
      row = end;
    }
    out_.Number(ranges);
    out_.Raw(std::move(each).Take());
  }

  // Of each shape the first words of all its rows, then their second ones...
  void PutWords() {
    std::vector<std::vector<std::vector<uint32_t>>> columns(numbers_.size());
    ForRuns([&](uint32_t shape, size_t row, size_t end) {
      const uint32_t words = results_.shapes()[shape].words;
      const uint32_t* const first = results_.WordsOf(row).data();
      auto& its = columns[numbers_.at(shape)];
      its.resize(words);
      for (uint32_t word = 0; word < words; ++word) {
        const uint32_t* at = first + word;
        for (size_t i = row; i < end; ++i, at += words) its[word].push_back(*at);
      }
    });
    for (const auto& its : columns) {
      for (const std::vector<uint32_t>& column : its) PutPacked(std::span(column), &out_);
    }
  }

  void PutOutputs() {
    const size_t first = results_.FirstOutput(from_);
    const size_t end = results_.FirstOutput(to_);
    out_.Number(end - first);
    size_t row = from_;
    for (size_t i = first; i < end; ++i) {
      const ResultBatch::OutputPlace& output = results_.outputs()[i];
      out_.Number(output.row - row);
      row = output.row;
      out_.Number(names_.NumberOf(results_.names()[output.name]));
      out_.Text(AsText(results_.BytesOf(output)));
    }
  }

  const ResultBatch& results_;
  const size_t from_;
  const size_t to_;
  BlockNames names_;
  std::unordered_map<uint32_t, uint64_t> numbers_;  // of shapes, in the block
  ByteWriter commons_;                              // of these
  ByteWriter out_;
};

class ColumnReader {
 public:
  explicit ColumnReader(ByteReader* in) : in_(*in) {}

  ResultBatch Read() {
    rows_ = in_.Number();
    if (rows_ > kMostBlockResults) in_.Fail();
    NamesRead names(&in_);
    GetShapes(&names);
    GetRuns();
    GetInstances();
    const std::vector<uint64_t> fuels = GetPacked64(rows_, &in_);
    for (Shape& shape : shapes_) GetWords(&shape);
    if (in_.ok()) AddRows(fuels, &names);
    return std::move(results_);
  }

 private:
  struct Shape {
    uint32_t number = 0;  // in the batch
    uint32_t words = 0;
    size_t rows = 0;
    std::vector<std::vector<uint32_t>> columns;
    size_t next = 0;  // of its rows
  };
  struct Run {
    size_t shape = 0;
    size_t rows = 0;
  };

  void GetShapes(NamesRead* names) {
    const uint64_t shapes = in_.Count();
    for (uint64_t i = 0; i < shapes && in_.ok(); ++i) {
      Shape& shape = shapes_.emplace_back();
      shape.number = results_.ShapeOf(GetCommon(names, &in_));
      shape.words = results_.shapes()[shape.number].words;
    }
  }

  void GetRuns() {
    const uint64_t runs = in_.Count();
    size_t rows = 0;
    for (uint64_t i = 0; i < runs && in_.ok(); ++i) {
      Run run{in_.Number(), in_.Number()};
      if (run.shape >= shapes_.size() || run.rows > rows_ - rows) return in_.Fail();
      rows += run.rows;
      shapes_[run.shape].rows += run.rows;
      runs_.push_back(run);
    }
    if (rows != rows_) in_.Fail();
  }

  void GetInstances() {
    const uint64_t ranges = in_.Count();
    uint64_t next = 0;
    for (uint64_t i = 0; i < ranges && in_.ok(); ++i) {
      next += static_cast<uint64_t>(in_.Signed());
      const uint64_t count = in_.Number();
      if (count > rows_ - instances_.size()) return in_.Fail();
      for (uint64_t k = 0; k < count; ++k) instances_.push_back(next++);
    }
    if (instances_.size() != rows_) in_.Fail();
  }

  void GetWords(Shape* shape) {
    for (uint32_t word = 0; word < shape->words && in_.ok(); ++word) {
      shape->columns.push_back(GetPacked32(shape->rows, &in_));
    }
  }

  void AddRows(const std::vector<uint64_t>& fuels, NamesRead* names) {
    results_.Reserve(rows_);
    const uint64_t outputs = in_.Count();
    uint64_t used = 0;
    uint64_t output_row = outputs > 0 ? in_.Number() : 0;
    size_t row = 0;
    std::vector<uint32_t> words;
    for (const Run& run : runs_) {
      Shape& shape = shapes_[run.shape];
      words.resize(shape.words);
      for (const size_t end = row + run.rows; row < end; ++row, ++shape.next) {
        for (uint32_t w = 0; w < shape.words; ++w) words[w] = shape.columns[w][shape.next];
        results_.AddRow(shape.number, instances_[row], fuels[row], words);
        while (used < outputs && output_row == row && in_.ok()) {
          const std::string name = names->Next();
          results_.AddOutput(name, AsBytes(in_.Text()));
          if (++used < outputs) output_row += in_.Number();
        }
      }
    }
    if (used != outputs) in_.Fail();
  }

  ByteReader& in_;
  ResultBatch results_;
  uint64_t rows_ = 0;
  std::vector<Shape> shapes_;
  std::vector<Run> runs_;
  std::vector<uint64_t> instances_;
};

ResultBatch ReadRange(ByteReader* in, uint64_t skip, uint64_t most) {
  EndedRange range;
  range.first = in->Number();
  range.count = in->Number();
  range.attempt = static_cast<uint32_t>(in->Number());
  const uint8_t end = in->Byte();
  if (!in->is_done() || end >= kEnds) in->Fail();
  if (!in->ok()) return {};
  range.end = static_cast<End>(end);
  const uint64_t skipped = std::min(skip, range.count);
  return ResultBatch::Of(range, range.first + skipped, std::min(most, range.count - skipped));
}

}  // namespace

Bytes ResultBlock(const ResultBatch& results, size_t from, size_t to) {
  return BlockWriter(results, from, to).Write();
}

Bytes RangeBlock(const EndedRange& range) {
  ByteWriter block;
  block.Number(static_cast<uint64_t>(BlockKind::kRange));
  block.Number(range.first);
  block.Number(range.count);
  block.Number(range.attempt);
  block.Byte(static_cast<uint8_t>(range.end));
  return std::move(block).Take();
}

Result<BlockRows> ReadResultBlock(ByteView block, uint64_t skip, uint64_t most) {
  ByteReader in(block);
  BlockRows rows;
  const auto kind = static_cast<BlockKind>(in.Number());
  switch (kind) {
    case BlockKind::kRows: rows.results = ReadBlockRows(&in); break;
    case BlockKind::kRange: rows.results = ReadRange(&in, skip, most); break;
    case BlockKind::kColumns: rows.results = ColumnReader(&in).Read(); break;
    default: in.Fail();
  }
  if (!in.is_done()) {
    return Status(Reason::kIoError, "Stored results are damaged: they are no block of results.");
  }
  if (kind != BlockKind::kRange) rows.from = std::min<uint64_t>(skip, rows.results.size());
  return rows;
}

}  // namespace wb
