#include "compiler/debug/mapping_cursor.h"

#include <limits>

#include "compiler/debug/base64_digit.h"

namespace wb {
namespace {

constexpr int kMostDigits = 7;  // 35 bits: an i32 and its sign
constexpr int kMore = 32;       // bit of a digit: another one follows

bool IsU32(int64_t number) { return number >= 0 && number <= std::numeric_limits<uint32_t>::max(); }

}  // namespace

bool MappingCursor::Break() {
  ok_ = false;
  at_ = mappings_.size();
  return false;
}

bool MappingCursor::EndsHere() const {
  return at_ == mappings_.size() || mappings_[at_] == ',' || mappings_[at_] == ';';
}

bool MappingCursor::ReadNumber(int64_t* number) {
  int64_t bits = 0;
  for (int i = 0; i < kMostDigits && at_ < mappings_.size(); ++i) {
    const int digit = Base64Digit(mappings_[at_++]);
    if (digit < 0) return false;
    bits |= static_cast<int64_t>(digit & (kMore - 1)) << (5 * i);
    if ((digit & kMore) != 0) continue;
    *number = (bits & 1) != 0 ? -(bits >> 1) : bits >> 1;
    return true;
  }
  return false;
}

int MappingCursor::ReadNumbers(int64_t (&numbers)[5]) {
  int count = 0;
  while (!EndsHere()) {
    if (count == 5 || !ReadNumber(&numbers[count])) return 0;
    ++count;
  }
  return count == 1 || count == 4 || count == 5 ? count : 0;
}

bool MappingCursor::Next(Mapping* mapping) {
  while (at_ < mappings_.size() && mappings_[at_] == ',') ++at_;
  if (at_ == mappings_.size() || mappings_[at_] == ';') return false;
  int64_t numbers[5] = {};
  const int count = ReadNumbers(numbers);
  if (count == 0 || numbers[0] < 0) return Break();
  offset_ += numbers[0];
  source_ += numbers[1];
  line_ += numbers[2];
  if (!IsU32(offset_) || !IsU32(source_) || !IsU32(line_) || !IsU32(line_ + 1)) return Break();
  *mapping = {static_cast<uint32_t>(offset_), count > 1, static_cast<uint32_t>(source_),
              static_cast<uint32_t>(line_)};
  return true;
}

}  // namespace wb
