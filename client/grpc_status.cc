#include "client/grpc_status.h"

#include <grpcpp/support/status.h>

#include <algorithm>
#include <map>
#include <optional>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace wb {
namespace {

std::optional<Reason> ReasonNamed(const std::string& name) {
#define WB_ERROR(id, text, code, advice) \
  if (name == text) return Reason::k##id;
#include "compiler/base/errors.def"
#undef WB_ERROR
  return std::nullopt;
}

// For what gRPC itself reports.
Reason ReasonOfCode(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::INVALID_ARGUMENT: return Reason::kInvalidArgument;
    case grpc::StatusCode::NOT_FOUND: return Reason::kNotFound;
    case grpc::StatusCode::CANCELLED: return Reason::kCancelled;
    case grpc::StatusCode::DEADLINE_EXCEEDED: return Reason::kDeadlineExceeded;
    case grpc::StatusCode::UNAVAILABLE: return Reason::kUnavailable;
    case grpc::StatusCode::RESOURCE_EXHAUSTED: return Reason::kLimitTooHigh;  // message too large
    case grpc::StatusCode::UNAUTHENTICATED: return Reason::kUnauthenticated;
    case grpc::StatusCode::PERMISSION_DENIED: return Reason::kPermissionDenied;
    default: return Reason::kInternal;
  }
}

// What gRPC says of an answer that is not gRPC's.
bool SpeaksHttp(const std::string& message) {
  for (const char* sign : {"http1.x", "http2 header with status", "content-type", "HTTP status"}) {
    if (message.find(sign) != std::string::npos) return true;
  }
  return false;
}

// The first detail of that type.
template <typename Detail>
std::optional<Detail> DetailIn(const grpc::Status& status) {
  google::rpc::Status proto;
  if (status.error_details().empty() || !proto.ParseFromString(status.error_details())) {
    return std::nullopt;
  }
  Detail detail;
  for (const google::protobuf::Any& any : proto.details()) {
    if (any.UnpackTo(&detail)) return detail;
  }
  return std::nullopt;
}

// "0.5", "30".
std::string SecondsText(std::chrono::nanoseconds time) {
  const int64_t tenths = std::max<int64_t>(1, time / std::chrono::milliseconds(100));
  const std::string whole = std::to_string(tenths / 10);
  return tenths % 10 == 0 ? whole : whole + "." + std::to_string(tenths % 10);
}

}  // namespace

std::optional<std::chrono::nanoseconds> RetryAfter(const grpc::Status& status) {
  const auto retry = DetailIn<google::rpc::RetryInfo>(status);
  if (!retry) return std::nullopt;
  return std::chrono::seconds(retry->retry_delay().seconds()) +
         std::chrono::nanoseconds(retry->retry_delay().nanos());
}

Status FromGrpc(const grpc::Status& status, const std::string& address) {
  if (status.ok()) return {};
  if (const auto info = DetailIn<google::rpc::ErrorInfo>(status)) {
    if (const std::optional<Reason> reason = ReasonNamed(info->reason())) {
      // A map on the wire has no order, and the same error should read the same each time.
      const std::map<std::string, std::string> facts(info->metadata().begin(),
                                                     info->metadata().end());
      std::vector<Detail> details;
      for (const auto& [key, value] : facts) details.push_back({key, value});
      const auto after = RetryAfter(status);
      if (after) details.push_back({"retry_after", SecondsText(*after)});
      return Status(*reason, status.error_message(), std::move(details));
    }
  }
  Reason reason = ReasonOfCode(status.error_code());
  std::string message = status.error_message();
  if (SpeaksHttp(message)) {
    return Status(
        Reason::kUnavailable,
        "What answers at [" + address + "] is an HTTP server, not wasmburstd (" + message + ").");
  }
  if (reason == Reason::kUnavailable) {
    message = "The daemon at [" + address + "] cannot be reached (" + message + ").";
  } else if (reason == Reason::kDeadlineExceeded) {
    message = "The daemon at [" + address + "] did not answer in time.";
  }
  return Status(reason, message);
}

}  // namespace wb
