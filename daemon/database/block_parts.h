#pragma once

// Parts of blocks of results: kinds, names, and what results have in common. Numbers of ends,
// traps, types and builds lie in blocks: none of these may ever get another meaning, nor a kind.
//
// Pure.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/database/byte_text.h"
#include "scheduler/job/job.h"

namespace wb {

// kRows is how blocks were written once (block_rows.h).
enum class BlockKind : uint64_t { kRows = 1, kRange = 2, kColumns = 3 };

// Names come by the million and are few: each is written once, and then its number.
class BlockNames {
 public:
  uint64_t NumberOf(const std::string& name);
  void Put(ByteWriter* out) const;

 private:
  std::map<std::string, uint64_t, std::less<>> numbers_;
  ByteWriter names_;
};

// The names of a block that is read. The reader fails at a number that no name has.
class NamesRead {
 public:
  explicit NamesRead(ByteReader* in);
  std::string Next();  // the name whose number comes next

 private:
  ByteReader* const in_;
  std::vector<std::string> names_;
};

// Results without instance, fuel, outputs and the words of values.
void PutCommon(const InstanceResult& result, BlockNames* names, ByteWriter* out);
InstanceResult GetCommon(NamesRead* names, ByteReader* in);

// Of these, what both ways to write blocks have. Values are the caller's.
void GetEnding(NamesRead* names, ByteReader* in, InstanceResult* result);
StepResult GetStepTrap(NamesRead* names, ByteReader* in);
void GetTrace(NamesRead* names, ByteReader* in, InstanceResult* result);
ValueType GetType(ByteReader* in);

}  // namespace wb
