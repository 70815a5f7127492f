#include "daemon/translate/translate_status.h"

#include <grpcpp/support/status.h>

#include <algorithm>

#include "daemon/translate/translate_time.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace wb {
namespace {

// gRPC percent-encodes the message (up to three bytes for one) and base64-encodes the details;
// both, with the details' own copies of the message, must fit 8 KiB of headers.
constexpr size_t kLongestMessage = 900;
constexpr size_t kLongestValue = 300;
constexpr int kMostDetails = 8;

// At most `most` bytes, cut between UTF-8 characters, with invalid bytes replaced.
std::string Clean(std::string_view text, size_t most) {
  bool cut = text.size() > most;
  if (cut) {
    text = text.substr(0, most - 3);
    while (!text.empty() && (static_cast<uint8_t>(text.back()) & 0x80) != 0) text.remove_suffix(1);
  }
  std::string clean(text);
  for (char& c : clean) {
    if (static_cast<uint8_t>(c) < 0x20 && c != '\n' && c != '\t') c = ' ';
  }
  google::rpc::Status probe;
  probe.set_message(clean);
  std::string bytes = probe.SerializePartialAsString();
  if (!google::rpc::Status().ParseFromString(bytes)) {
    for (char& c : clean) {
      if ((static_cast<uint8_t>(c) & 0x80) != 0) c = '?';
    }
  }
  return cut ? clean + "..." : clean;
}

grpc::StatusCode GrpcCode(Code code) {
  switch (code) {
    case Code::kOk: return grpc::StatusCode::OK;
    case Code::kInvalidArgument: return grpc::StatusCode::INVALID_ARGUMENT;
    case Code::kFailedPrecondition: return grpc::StatusCode::FAILED_PRECONDITION;
    case Code::kNotFound: return grpc::StatusCode::NOT_FOUND;
    case Code::kAlreadyExists: return grpc::StatusCode::ALREADY_EXISTS;
    case Code::kResourceExhausted: return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case Code::kOutOfRange: return grpc::StatusCode::OUT_OF_RANGE;
    case Code::kCancelled: return grpc::StatusCode::CANCELLED;
    case Code::kDeadlineExceeded: return grpc::StatusCode::DEADLINE_EXCEEDED;
    case Code::kUnavailable: return grpc::StatusCode::UNAVAILABLE;
    case Code::kUnauthenticated: return grpc::StatusCode::UNAUTHENTICATED;
    case Code::kPermissionDenied: return grpc::StatusCode::PERMISSION_DENIED;
    case Code::kDataLoss: return grpc::StatusCode::DATA_LOSS;
    case Code::kInternal: return grpc::StatusCode::INTERNAL;
  }
  return grpc::StatusCode::INTERNAL;
}

std::string DetailOf(const Status& status, std::string_view key) {
  for (const Detail& detail : status.details()) {
    if (detail.key == key) return Clean(detail.value, kLongestValue);
  }
  return "";
}

// The standard detail that goes with the code, if there is one.
void AddByCode(const Status& status, google::rpc::Status* proto) {
  std::string field = DetailOf(status, "field");
  std::string resource = DetailOf(status, "resource");
  std::string reason(ReasonName(status.reason()));
  std::string description = Clean(status.message(), kLongestValue);
  if (status.code() == Code::kInvalidArgument && !field.empty()) {
    google::rpc::BadRequest detail;
    auto* violation = detail.add_field_violations();
    violation->set_field(field);
    violation->set_description(description);
    proto->add_details()->PackFrom(detail);
  } else if (status.code() == Code::kFailedPrecondition) {
    google::rpc::PreconditionFailure detail;
    auto* violation = detail.add_violations();
    violation->set_type(reason);
    violation->set_subject(resource);
    violation->set_description(description);
    proto->add_details()->PackFrom(detail);
  } else if (status.code() == Code::kNotFound) {
    google::rpc::ResourceInfo detail;
    detail.set_resource_type(DetailOf(status, "resource_type"));
    detail.set_resource_name(resource);
    proto->add_details()->PackFrom(detail);
  }
}

void AddRetry(Reason reason, google::rpc::Status* proto) {
  const std::optional<std::chrono::milliseconds> delay = RetryDelay(reason);
  if (!delay) return;
  google::rpc::RetryInfo detail;
  DurationToProto(*delay, detail.mutable_retry_delay());
  proto->add_details()->PackFrom(detail);
}

}  // namespace

std::optional<std::chrono::milliseconds> RetryDelay(Reason reason) {
  switch (reason) {
#define WB_RETRY(name, delay) \
  case Reason::k##name:       \
    return std::chrono::milliseconds(delay);
#include "daemon/translate/retry.def"
#undef WB_RETRY
    default: return std::nullopt;
  }
}

void ToProto(const Status& status, google::rpc::Status* proto) {
  proto->set_code(static_cast<int>(GrpcCode(status.code())));
  proto->set_message(Clean(status.message(), kLongestMessage));
  google::rpc::ErrorInfo info;
  info.set_reason(std::string(ReasonName(status.reason())));
  info.set_domain("wasmburst");
  int count = 0;
  for (const Detail& detail : status.details()) {
    if (++count > kMostDetails) break;
    (*info.mutable_metadata())[Clean(detail.key, kLongestValue)] =
        Clean(detail.value, kLongestValue);
  }
  proto->add_details()->PackFrom(info);
  AddByCode(status, proto);
  AddRetry(status.reason(), proto);
}

grpc::Status ToGrpc(const Status& status) {
  if (status.ok()) return grpc::Status::OK;
  google::rpc::Status proto;
  ToProto(status, &proto);
  return grpc::Status(GrpcCode(status.code()), proto.message(), proto.SerializeAsString());
}

}  // namespace wb
