#include "daemon/translate/translate_time.h"

#include <google/protobuf/duration.pb.h>
#include <google/protobuf/timestamp.pb.h>

#include "daemon/translate/translate_value.h"

namespace wb {
namespace {

constexpr int64_t kNanos = 1'000'000'000;
constexpr int64_t kLongestSeconds = int64_t{10} * 366 * 86400;

}  // namespace

Result<std::optional<std::chrono::nanoseconds>> DurationFromProto(
    const google::protobuf::Duration& proto, const std::string& field) {
  bool in_range = proto.seconds() >= 0 && proto.seconds() <= kLongestSeconds &&
                  proto.nanos() >= 0 && proto.nanos() < kNanos;
  if (!in_range || (proto.seconds() == 0 && proto.nanos() == 0)) {
    return FieldError(field, "must lie between 1 nanosecond and 10 years");
  }
  std::chrono::nanoseconds time(proto.seconds() * kNanos + proto.nanos());
  return std::optional<std::chrono::nanoseconds>(time);
}

void DurationToProto(std::chrono::nanoseconds duration, google::protobuf::Duration* proto) {
  proto->set_seconds(duration.count() / kNanos);
  proto->set_nanos(static_cast<int32_t>(duration.count() % kNanos));
}

void TimeToProto(int64_t unix_ns, google::protobuf::Timestamp* proto) {
  proto->set_seconds(unix_ns / kNanos);
  proto->set_nanos(static_cast<int32_t>(unix_ns % kNanos));
}

}  // namespace wb
