#pragma once

// Notes of a function's writes to the first memory, as lines of its text. The variable `D` has a
// bit for each span that it wrote to, so that the next instance in the lane finds memory clean
// (abi::LANE_KEPT). `W` is not 0 once something may have written to data of which texts have a copy
// (compiler/docs/read_only_data.md); stores whose bytes are known come to none of these.

#include <cstdint>
#include <map>
#include <string>

#include "compiler/abi/lane_layout.h"
#include "compiler/emit/text/text.h"
#include "compiler/ir/ir.h"

namespace wb {

class WriteNotes {
 public:
  // All outlive this.
  WriteNotes(const ir::Program& program, const LaneLayout& layout, const ir::Function& function,
             Text& text);

  void Declare() const;
  // To the lane, for whoever is next: all of them, or those of `W` alone.
  void Put() const;
  void PutOfData() const;
  // Others may have written meanwhile.
  void ReadOfData() const;
  // "D", or "0u" in a function that writes nothing.
  std::string Spans() const { return writes_ ? "D" : "0u"; }

  // Before rows that write. `address`, `to`: as the text has them.
  void Store(const ir::Inst& inst, uint32_t row, const std::string& address);
  // `spans`: "wb_spans_of(a, b", the shift is added.
  void Bulk(const std::string& spans, const std::string& to, const std::string& bytes) const;
  // Stores of a counted loop; `knows`: the bytes of each are known.
  void Stream(const std::string& from, const std::string& bytes, bool knows) const;

  // Paths meet: earlier notes no longer count.
  void Join() { noted_.clear(); }
  // The variable of this name has another value.
  void Forget(const std::string& name) { noted_.erase(name); }

  // The row writes to what may have a copy, as far as is known.
  bool MayComeToData(const ir::Inst& inst, uint32_t row) const;

 private:
  struct Note {
    uint64_t offset = 0;
    bool of_data = false;
  };
  void NoteSpans(const std::string& call) const;
  void NoteBytes(const std::string& to, const std::string& bytes) const;

  const ir::Program& program_;
  const LaneLayout& layout_;
  const ir::Function& function_;
  Text& text_;
  bool writes_ = false;
  bool writes_data_ = false;  // or may
  const bool reads_copies_;
  std::map<std::string, Note> noted_;  // address as printed: what was noted last
};

}  // namespace wb
