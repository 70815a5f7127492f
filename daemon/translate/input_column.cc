#include "daemon/translate/input_column.h"

#include <google/protobuf/wire_format_lite.h>

#include <cstring>
#include <utility>

#include "daemon/translate/translate_column.h"
#include "daemon/translate/translate_value.h"
#include "daemon/translate/wire_reader.h"
#include "wasmburst/v1/program.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using google::protobuf::internal::WireFormatLite;

// A constant or a range has no more.
constexpr size_t kMostRuleBytes = 1024;

Status Malformed() {
  return Status(Reason::kMalformedRequest,
                "The input's bytes are no message [wasmburst.v1.Column] of one rule.",
                {{"field", "data"}, {"type", "wasmburst.v1.Column"}});
}

uint32_t TagOf(int field, WireFormatLite::WireType type) {
  return WireFormatLite::MakeTag(field, type);
}

// Reads the message where it lies. Protobuf's own reading would copy gigabytes.
class ColumnReader {
 public:
  ColumnReader(ByteBlock block, const Digest& digest)
      : block_(std::move(block)), digest_(digest), in_(ByteView(block_.bytes.get(), block_.size)) {}

  Result<Column> Read(const TakeMemory& take) {
    const uint32_t tag = in_.ReadTag();
    // The one rule reaches to the end.
    const std::optional<size_t> length = in_.ReadLength();
    if (!length || *length != in_.left()) return Malformed();
    if (tag == TagOf(v1::Column::kListFieldNumber, kDelimited)) return ReadList();
    if (tag == TagOf(v1::Column::kBytesFieldNumber, kDelimited)) return ReadStrings(take);
    return ReadRule();
  }

 private:
  static constexpr auto kDelimited = WireFormatLite::WIRETYPE_LENGTH_DELIMITED;

  bool IsAtEnd() const { return in_.left() == 0; }

  // Moves the next `size` bytes behind those that were kept before. False: they are not there.
  bool Keep(size_t size) {
    const size_t from = in_.position();
    if (!in_.Skip(size)) return false;
    std::memmove(block_.bytes.get() + kept_, block_.bytes.get() + from, size);
    kept_ += size;
    return true;
  }

  // Numbers of `width` bytes, packed in a row or one by one.
  bool KeepNumbers(uint32_t tag, uint32_t width) {
    const bool packed = WireFormatLite::GetTagWireType(tag) == kDelimited;
    const std::optional<size_t> size = packed ? in_.ReadLength() : std::optional<size_t>(width);
    if (!size || *size % width != 0 || (width_ != 0 && width_ != width)) return false;
    if (*size > 0) width_ = width;
    return Keep(*size);
  }

  Result<Column> ReadList() {
    std::optional<uint64_t> type = 0;
    while (!IsAtEnd()) {
      const uint32_t tag = in_.ReadTag();
      bool read = false;
      if (tag == TagOf(v1::ValueList::kTypeFieldNumber, WireFormatLite::WIRETYPE_VARINT)) {
        type = in_.ReadVarint();
        read = type.has_value();
      } else if (tag == TagOf(v1::ValueList::kBits32FieldNumber, kDelimited) ||
                 tag ==
                     TagOf(v1::ValueList::kBits32FieldNumber, WireFormatLite::WIRETYPE_FIXED32)) {
        read = KeepNumbers(tag, sizeof(uint32_t));
      } else if (tag == TagOf(v1::ValueList::kBits64FieldNumber, kDelimited) ||
                 tag ==
                     TagOf(v1::ValueList::kBits64FieldNumber, WireFormatLite::WIRETYPE_FIXED64)) {
        read = KeepNumbers(tag, sizeof(uint64_t));
      } else {
        read = tag != 0 && in_.SkipField(tag);
      }
      if (!read) return Malformed();
    }
    WB_ASSIGN(const ValueType number,
              ListTypeFromProto(static_cast<uint32_t>(*type), "column.list"));
    const uint32_t width = number == ValueType::kI32 || number == ValueType::kF32 ? 4 : 8;
    if (width_ != 0 && width_ != width) {
      return FieldError("column.list", "has values that are not of its type");
    }
    Column column;
    column.kind = Column::Kind::kList;
    column.type = number;
    column.data = ColumnData::Numbers(std::move(block_), width, kept_ / width);
    return column;
  }

  // Calls `take` with the size of each string, which lies at the stream's position and which it
  // reads past. False: the bytes are no BytesList.
  template <typename Take>
  bool EachString(Take take) {
    while (!IsAtEnd()) {
      const uint32_t tag = in_.ReadTag();
      if (tag == TagOf(v1::BytesList::kValuesFieldNumber, kDelimited)) {
        const std::optional<size_t> size = in_.ReadLength();
        if (!size || !take(*size)) return false;
      } else if (tag == 0 || !in_.SkipField(tag)) {
        return false;
      }
    }
    return true;
  }

  Result<Column> ReadStrings(const TakeMemory& take) {
    const size_t begin = in_.position();
    uint64_t count = 0;
    const bool whole = EachString([&](size_t size) {
      ++count;
      return in_.Skip(size);
    });
    if (!whole) return Malformed();
    WB_TRY(take(count * sizeof(uint64_t)));
    std::vector<uint64_t> ends;
    ends.reserve(count);
    ColumnReader again(std::move(block_), digest_);
    again.in_.Skip(begin);
    again.EachString([&](size_t size) {
      const bool kept = again.Keep(size);
      ends.push_back(again.kept_);
      return kept;
    });
    Column column;
    column.kind = Column::Kind::kBytes;
    column.data = ColumnData::Strings(std::move(again.block_), std::move(ends), digest_);
    return column;
  }

  // A constant or a range.
  Result<Column> ReadRule() const {
    v1::Column proto;
    if (block_.size > kMostRuleBytes ||
        !proto.ParseFromArray(block_.bytes.get(), static_cast<int>(block_.size))) {
      return Malformed();
    }
    if (proto.has_constant() || proto.has_range()) return RuleFromProto(proto, "column");
    return FieldError("column", "is neither constant, list, range nor bytes");
  }

  ByteBlock block_;
  const Digest digest_;
  WireReader in_;
  size_t kept_ = 0;     // bytes of values, from the block's beginning
  uint32_t width_ = 0;  // of the numbers kept; 0: none
};

}  // namespace

Result<Column> ReadInputColumn(ByteBlock block, const Digest& digest, const TakeMemory& take) {
  return ColumnReader(std::move(block), digest).Read(take);
}

}  // namespace wb
