#pragma once

// Protobuf's times <-> nanoseconds.

#include <chrono>
#include <optional>
#include <string>

#include "compiler/base/status.h"

namespace google::protobuf {
class Duration;
class Timestamp;
}  // namespace google::protobuf

namespace wb {

// INVALID_ARGUMENT unless it lies between 1 ns and ten years.
Result<std::optional<std::chrono::nanoseconds>> DurationFromProto(
    const google::protobuf::Duration& proto, const std::string& field);
void DurationToProto(std::chrono::nanoseconds duration, google::protobuf::Duration* proto);
void TimeToProto(int64_t unix_ns, google::protobuf::Timestamp* proto);

}  // namespace wb
