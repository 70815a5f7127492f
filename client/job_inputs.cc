#include "client/job_inputs.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

// An uploaded column takes about a hundred bytes of the request; what is shorter is better in it.
constexpr size_t kSmallColumn = 4 << 10;

constexpr int kTagTypeBits = 3;
constexpr int kDelimited = 2;  // protobuf's type of fields that begin with their length

size_t VarintBytes(uint64_t value) {
  size_t bytes = 1;
  for (; value >= 0x80; value >>= 7) ++bytes;
  return bytes;
}

void AddVarint(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) *out += static_cast<char>(value | 0x80);
  *out += static_cast<char>(value);
}

// What stands before so many bytes of a field.
void AddHead(int field, uint64_t bytes, std::string* out) {
  AddVarint(static_cast<uint64_t>(field << kTagTypeBits | kDelimited), out);
  AddVarint(bytes, out);
}

}  // namespace

std::optional<std::string> InputMessage(const v1::Column& column, size_t most) {
  if (column.ByteSizeLong() <= most) return column.SerializeAsString();
  if (!column.has_bytes()) return std::nullopt;
  uint64_t inside = 0;
  for (const std::string& value : column.bytes().values()) {
    inside += 1 + VarintBytes(value.size()) + value.size();  // a tag has one byte
  }
  std::string message;
  message.reserve(inside + 1 + VarintBytes(inside));
  AddHead(v1::Column::kBytesFieldNumber, inside, &message);
  for (const std::string& value : column.bytes().values()) {
    AddHead(v1::BytesList::kValuesFieldNumber, value.size(), &message);
    message += value;
  }
  return message;
}

std::vector<int> ColumnsToUpload(const wasmburst::v1::CreateJobRequest& request, size_t most) {
  size_t left = request.ByteSizeLong();
  if (left <= most) return {};
  std::vector<std::pair<size_t, int>> by_size;
  for (int i = 0; i < request.job().columns_size(); ++i) {
    by_size.emplace_back(request.job().columns(i).ByteSizeLong(), i);
  }
  std::sort(by_size.rbegin(), by_size.rend());
  std::vector<int> large;
  for (const auto& [size, index] : by_size) {
    if (left <= most || size <= kSmallColumn) break;
    large.push_back(index);
    left -= size;
  }
  std::sort(large.begin(), large.end());
  return large;
}

}  // namespace wb
