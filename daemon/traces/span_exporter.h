#pragma once

// SpanExporter: a bounded queue of spans, and the one thread that sends them in batches.
//
// Threads: Add from any; it never waits. When the queue is full, spans are dropped and counted.

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/traces/export_rules.h"
#include "daemon/traces/http_post.h"
#include "daemon/traces/otlp_json.h"
#include "daemon/traces/span.h"

namespace wb {

enum class SpanFate : uint8_t {
  kExported,
  kQueueFull,  // dropped: too many waited
  kRefused,    // dropped: the receiver does not take them
  kGivenUp,    // dropped: the receiver was not there for long, or the daemon ended
};
inline constexpr size_t kSpanFates = 4;

class SpanExporter {
 public:
  struct Settings {
    TraceResource resource;
    size_t most_waiting = 8192;
    size_t batch = 512;
    std::chrono::nanoseconds gather{std::chrono::seconds(1)};  // before a batch that is not full
    std::chrono::nanoseconds last_words{std::chrono::seconds(2)};  // for what is left at the end
    // ExportPause, but for tests.
    std::function<std::chrono::nanoseconds(int, std::chrono::nanoseconds)> pause = ExportPause;
  };
  using Send =
      std::function<HttpPostAnswer(const std::string& body, const std::function<bool()>& unwanted)>;
  // Any thread, also the one that adds: what became of so many spans; `why` of kRefused and
  // kGivenUp.
  using Tell = std::function<void(SpanFate fate, uint64_t spans, const std::string& why)>;

  SpanExporter(Settings settings, Send send, Tell tell);
  ~SpanExporter();  // sends what is left, for as long as `last_words`
  SpanExporter(const SpanExporter&) = delete;
  SpanExporter& operator=(const SpanExporter&) = delete;

  void Add(std::vector<Span> spans);

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;

  void Run();
  std::vector<Span> TakeBatch();  // none: it ends
  void SendBatch(const std::vector<Span>& batch);
  bool Sleep(std::chrono::nanoseconds pause);  // false: it ends
  bool IsUnwanted() const;

  const Settings settings_;
  const Send send_;
  const Tell tell_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Span> waiting_ WB_GUARDED_BY(mutex_);
  bool stopping_ WB_GUARDED_BY(mutex_) = false;
  SteadyTime end_ WB_GUARDED_BY(mutex_);  // while stopping
  std::thread thread_;                    // last: it uses all above
};

}  // namespace wb
