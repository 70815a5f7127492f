#include "daemon/metrics/rpc_metrics.h"

#include <utility>

#include "daemon/metrics/label_text.h"

namespace wb {
namespace {

// The names of the codes in Go, where the names of the metrics are from.
std::string CodeName(Code code) {
  switch (code) {
    case Code::kOk: return "OK";
    case Code::kInvalidArgument: return "InvalidArgument";
    case Code::kFailedPrecondition: return "FailedPrecondition";
    case Code::kNotFound: return "NotFound";
    case Code::kAlreadyExists: return "AlreadyExists";
    case Code::kResourceExhausted: return "ResourceExhausted";
    case Code::kOutOfRange: return "OutOfRange";
    case Code::kCancelled: return "Canceled";
    case Code::kDeadlineExceeded: return "DeadlineExceeded";
    case Code::kUnavailable: return "Unavailable";
    case Code::kUnauthenticated: return "Unauthenticated";
    case Code::kPermissionDenied: return "PermissionDenied";
    case Code::kDataLoss: return "DataLoss";
    case Code::kInternal: return "Internal";
  }
  return "Unknown";
}

std::string TypeName(RpcType type) {
  switch (type) {
    case RpcType::kUnary: return "unary";
    case RpcType::kClientStream: return "client_stream";
    case RpcType::kServerStream: return "server_stream";
    case RpcType::kBidiStream: return "bidi_stream";
  }
  return "unary";
}

constexpr Reason kReasons[] = {
#define WB_ERROR(name, reason, code, advice) Reason::k##name,
#include "compiler/base/errors.def"
#undef WB_ERROR
};

// The daemon could have done it at another time. A compilation that took too long could not.
bool IsRefusal(Reason reason) {
  if (reason == Reason::kDraining) return true;
  return ReasonCode(reason) == Code::kResourceExhausted && reason != Reason::kCompileTimeout;
}

LabelValues With(LabelValues labels, std::string last) {
  labels.push_back(std::move(last));
  return labels;
}

}  // namespace

RpcMetrics::RpcMetrics(std::shared_ptr<MetricRegistry> metrics) : metrics_(std::move(metrics)) {
  metrics_->Add(Metric::kStreamClients, {}, 0);
  for (const Reason reason : kReasons) {
    if (!IsRefusal(reason)) continue;
    metrics_->Add(Metric::kQueueRejected, {std::string(ReasonName(reason))}, 0);
  }
}

void RpcMetrics::Know(const std::string& path, RpcType type) {
  const size_t slash = path.rfind('/');
  Method method;
  method.labels = {path.substr(1, slash - 1), path.substr(slash + 1), TypeName(type)};
  method.streams = type == RpcType::kServerStream || type == RpcType::kBidiStream;
  metrics_->Add(Metric::kRpcStarted, method.labels, 0);
  metrics_->Expect(Metric::kRpcTimes, method.labels);
  for (int code = 0; code <= static_cast<int>(Code::kInternal); ++code) {
    metrics_->Add(Metric::kRpcHandled, With(method.labels, CodeName(static_cast<Code>(code))), 0);
  }
  methods_[path] = std::move(method);
}

void RpcMetrics::Started(const std::string& path) {
  const auto at = methods_.find(path);
  if (at == methods_.end()) return;
  metrics_->Add(Metric::kRpcStarted, at->second.labels, 1);
  if (at->second.streams) metrics_->Add(Metric::kStreamClients, {}, 1);
}

void RpcMetrics::Ended(const std::string& path, const Status& status,
                       std::chrono::nanoseconds took) {
  const auto at = methods_.find(path);
  if (at == methods_.end()) return;
  const Method& method = at->second;
  metrics_->Add(Metric::kRpcHandled, With(method.labels, CodeName(status.code())), 1);
  metrics_->Observe(Metric::kRpcTimes, method.labels, SecondsOf(took));
  if (method.streams) metrics_->Add(Metric::kStreamClients, {}, -1);
  if (!IsRefusal(status.reason())) return;
  metrics_->Add(Metric::kQueueRejected, {std::string(ReasonName(status.reason()))}, 1);
}

}  // namespace wb
