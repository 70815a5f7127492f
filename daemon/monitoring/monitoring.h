#pragma once

// Monitoring: the pages /metrics, /livez and /readyz of a daemon, what they say of its parts, and
// the listener that they share with the live page (daemon/page).

#include <functional>
#include <memory>
#include <string>

#include "daemon/metrics/metric_registry.h"
#include "daemon/metrics/rpc_metrics.h"
#include "daemon/monitoring/http_server.h"
#include "daemon/rpc/rpc.h"
#include "daemon/services/services.h"

namespace wb {

class WorkerPool;

struct MonitoringParts {
  std::shared_ptr<MetricRegistry> metrics;
  ServiceContextRef context;
  WorkerPool* workers = nullptr;     // /livez: one of its threads answers
  std::function<bool()> is_serving;  // any thread
  std::string state_directory;       // empty: there is none
  HttpLimits limits = {};
  // All other paths; none: they are 404. On the server's thread, and as long as the server is
  // there.
  HttpHandler others = {};
};

class Monitoring {
 public:
  // Sources for all that is not counted, then the pages, where the configuration names an address.
  // CONFIG_INVALID, IO_ERROR.
  static Result<std::unique_ptr<Monitoring>> Start(const Config& config, MonitoringParts parts);
  ~Monitoring();

  std::string address() const;  // "tcp://127.0.0.1:9464"; empty: there are no pages

 private:
  struct Impl;
  explicit Monitoring(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

// Series for the methods of a service.
void KnowMethods(const MethodTable& table, RpcMetrics* metrics);

}  // namespace wb
