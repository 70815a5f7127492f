#pragma once

// RpcMetrics: calls, under the names of go-grpc-prometheus, so that dashboards for those fit.
//
// Threads: Know before the first call; Started and Ended from any thread.

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "compiler/base/status.h"
#include "daemon/metrics/metric_registry.h"

namespace wb {

enum class RpcType : uint8_t { kUnary, kClientStream, kServerStream, kBidiStream };

class RpcMetrics {
 public:
  explicit RpcMetrics(std::shared_ptr<MetricRegistry> metrics);

  // A method, "/wasmburst.v1.Jobs/GetJob"; its series exist from here on. Calls of others are not
  // counted: clients choose their names.
  void Know(const std::string& path, RpcType type);
  void Started(const std::string& path);
  void Ended(const std::string& path, const Status& status, std::chrono::nanoseconds took);

 private:
  struct Method {
    LabelValues labels;  // service, method, type
    bool streams = false;
  };

  const std::shared_ptr<MetricRegistry> metrics_;
  std::map<std::string, Method> methods_;  // by path
};

}  // namespace wb
