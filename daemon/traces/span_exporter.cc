#include "daemon/traces/span_exporter.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace wb {

using std::chrono::nanoseconds;
using SteadyClock = std::chrono::steady_clock;

SpanExporter::SpanExporter(Settings settings, Send send, Tell tell)
    : settings_(std::move(settings)),
      send_(std::move(send)),
      tell_(std::move(tell)),
      thread_([this] { Run(); }) {}

SpanExporter::~SpanExporter() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    end_ = SteadyClock::now() + settings_.last_words;
  }
  changed_.NotifyAll();
  thread_.join();
}

void SpanExporter::Add(std::vector<Span> spans) {
  size_t taken = 0;
  bool is_batch = false;
  {
    MutexLock lock(mutex_);
    const size_t room = settings_.most_waiting - std::min(settings_.most_waiting, waiting_.size());
    taken = std::min(room, spans.size());
    const auto end = spans.begin() + static_cast<std::ptrdiff_t>(taken);
    waiting_.insert(waiting_.end(), std::make_move_iterator(spans.begin()),
                    std::make_move_iterator(end));
    is_batch = waiting_.size() == taken || waiting_.size() >= settings_.batch;
  }
  if (is_batch) changed_.NotifyAll();
  if (taken < spans.size()) tell_(SpanFate::kQueueFull, spans.size() - taken, "");
}

void SpanExporter::Run() {
  for (auto batch = TakeBatch(); !batch.empty(); batch = TakeBatch()) SendBatch(batch);
}

std::vector<Span> SpanExporter::TakeBatch() {
  std::vector<Span> batch;
  MutexLock lock(mutex_);
  while (waiting_.empty() && !stopping_) changed_.Wait(mutex_);
  const SteadyTime full = SteadyClock::now() + settings_.gather;
  while (waiting_.size() < settings_.batch && !stopping_) {
    if (!changed_.WaitUntil(mutex_, full)) break;
  }
  const size_t count = std::min(waiting_.size(), settings_.batch);
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
  batch.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  return batch;
}

void SpanExporter::SendBatch(const std::vector<Span>& batch) {
  const std::string body = OtlpJson(settings_.resource, batch);
  std::string why = "the daemon ended before the receiver answered";
  for (int tries = 1; !IsUnwanted(); ++tries) {
    const HttpPostAnswer answer = send_(body, [this] { return IsUnwanted(); });
    const ExportVerdict verdict = VerdictOf(answer.status);
    if (verdict == ExportVerdict::kTaken) return tell_(SpanFate::kExported, batch.size(), "");
    why = answer.status == 0 ? answer.error
                             : "the receiver answered HTTP " + std::to_string(answer.status);
    if (verdict == ExportVerdict::kRefused) return tell_(SpanFate::kRefused, batch.size(), why);
    if (tries == kMostExportTries || !Sleep(settings_.pause(tries, answer.retry_after))) break;
  }
  tell_(SpanFate::kGivenUp, batch.size(), why);
}

bool SpanExporter::Sleep(nanoseconds pause) {
  const SteadyTime until = SteadyClock::now() + pause;
  MutexLock lock(mutex_);
  while (!stopping_ && SteadyClock::now() < until) {
    if (!changed_.WaitUntil(mutex_, until)) break;
  }
  return !stopping_;
}

bool SpanExporter::IsUnwanted() const {
  MutexLock lock(mutex_);
  return stopping_ && SteadyClock::now() >= end_;
}

}  // namespace wb
