#include "client/input_source.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "compiler/base/check.h"
#include "wasmburst/v1/program.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr int kTagTypeBits = 3;
constexpr int kDelimited = 2;  // protobuf's type of fields that begin with their length
constexpr int kPartOfNumbers = 1 << 16;

void AddVarint(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) *out += static_cast<char>(value | 0x80);
  *out += static_cast<char>(value);
}

// What stands before so many bytes of a field.
std::string Head(int field, uint64_t bytes) {
  std::string head;
  AddVarint(static_cast<uint64_t>(field << kTagTypeBits | kDelimited), &head);
  AddVarint(bytes, &head);
  return head;
}

std::string HeadOfValue(uint64_t bytes) { return Head(v1::BytesList::kValuesFieldNumber, bytes); }
std::string HeadOfValues(uint64_t bytes) { return Head(v1::Column::kBytesFieldNumber, bytes); }

class PartStream : public google::protobuf::io::CopyingOutputStream {
 public:
  explicit PartStream(const TakePart& take) : take_(take) {}
  bool Write(const void* bytes, int size) override {
    status_ = take_({static_cast<const char*>(bytes), static_cast<size_t>(size)});
    return status_.ok();
  }
  const Status& status() const { return status_; }

 private:
  const TakePart& take_;
  Status status_;
};

Status WriteNumbers(const v1::Column& column, const TakePart& take) {
  PartStream parts(take);
  google::protobuf::io::CopyingOutputStreamAdaptor stream(&parts, kPartOfNumbers);
  const bool is_written = column.SerializeToZeroCopyStream(&stream) && stream.Flush();
  WB_CHECK(is_written || !parts.status().ok());
  return parts.status();
}

Status WriteValues(const v1::BytesList& list, uint64_t bytes, const TakePart& take) {
  WB_TRY(take(HeadOfValues(bytes)));
  for (const std::string& value : list.values()) {
    WB_TRY(take(HeadOfValue(value.size())));
    WB_TRY(take(value));
  }
  return {};
}

}  // namespace

std::optional<InputSource> SourceOf(const v1::Column& column, size_t most) {
  InputSource source;
  source.name = "The column";
  if (!column.has_bytes()) {
    source.bytes = column.ByteSizeLong();
    if (source.bytes > most) return std::nullopt;
    source.write = [&column](const TakePart& take) { return WriteNumbers(column, take); };
    return source;
  }
  uint64_t inside = 0;
  for (const std::string& value : column.bytes().values()) {
    inside += HeadOfValue(value.size()).size() + value.size();
  }
  source.bytes = HeadOfValues(inside).size() + inside;
  source.write = [&column, inside](const TakePart& take) {
    return WriteValues(column.bytes(), inside, take);
  };
  return source;
}

InputSource ColumnSource(const InputSource& value) {
  const std::string inner = HeadOfValue(value.bytes);
  const std::string heads = HeadOfValues(inner.size() + value.bytes) + inner;
  return {value.name, heads.size() + value.bytes,
          [heads, write = value.write](const TakePart& take) {
            WB_TRY(take(heads));
            return write(take);
          }};
}

}  // namespace wb
