#include "daemon/inspection/inspection_source.h"

#include <algorithm>
#include <utility>

#include "compiler/base/mutex.h"
#include "daemon/inspection/compare_results.h"
#include "daemon/inspection/core_of_instance.h"
#include "daemon/inspection/dump_keeper.h"
#include "daemon/inspection/instance_plan.h"
#include "daemon/inspection/trace_lines.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_result.h"
#include "scheduler/trace/inspector.h"
#include "wasmburst/v1/inspection.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kChunk = 256 << 10;
constexpr size_t kLinesInMessage = 500;

// A line of a megabit a second is fast enough.
constexpr PaceRule kPace{.patience = std::chrono::seconds(60), .bytes_per_second = 128 << 10};

// What another thread answers and a stream waits for.
template <typename T>
class Answer {
 public:
  explicit Answer(std::function<void()> wake) : wake_(std::move(wake)) {}
  void Set(Result<T> result) {
    MutexLock lock(mutex_);
    result_ = std::move(result);
    if (wake_) wake_();  // it only posts
  }
  // The stream ends: nobody is woken any more.
  void Close() {
    MutexLock lock(mutex_);
    wake_ = nullptr;
  }
  // Once; nullopt: it is not there yet.
  std::optional<Result<T>> Take() {
    MutexLock lock(mutex_);
    return std::exchange(result_, std::nullopt);
  }

 private:
  Mutex mutex_;
  std::function<void()> wake_ WB_GUARDED_BY(mutex_);
  std::optional<Result<T>> result_ WB_GUARDED_BY(mutex_);
};

Status NotHere() {
  return Status(Reason::kConfigInvalid,
                "This daemon runs no instance again: inspection.max_total_bytes is 0.",
                {{"setting", "inspection.max_total_bytes"}});
}

// Whether the store has what the job was given, and any daemon may run an instance of it again.
bool IsShared(const ServiceContext& context, const JobRequest& request) {
  return context.is_shared && request.session.empty() && request.host_calls == nullptr;
}

// The job as it was given. On the inspector's thread.
Inspector::MakePlan PlanOf(const ServiceContextRef& context, const JobInfo& job) {
  if (IsShared(*context, *job.request)) {
    return [context, id = job.id]() -> Result<JobPlan> {
      WB_ASSIGN(const std::string request, context->intake->store().KeptRequest(id));
      return PlanOfRequest(*context, AsBytes(request));
    };
  }
  return [context, id = job.id]() -> Result<JobPlan> {
    WB_ASSIGN(const Bytes request, context->dumps->RequestOf(id));
    return PlanOfRequest(*context, request);
  };
}

class DumpSource : public StreamSource {
 public:
  DumpSource(std::shared_ptr<Answer<Bytes>> answer, std::shared_ptr<void> question, bool is_kept)
      : answer_(std::move(answer)), question_(std::move(question)), is_kept_(is_kept) {}
  ~DumpSource() override { answer_->Close(); }

  Item Next() override {
    if (!core_) {
      std::optional<Result<Bytes>> came = answer_->Take();
      if (!came) return {};
      if (!came->ok()) return {nullptr, true, came->status()};
      core_ = std::move(*came).value();
    }
    auto chunk = std::make_shared<v1::DumpChunk>();
    const size_t end = std::min(at_ + kChunk, core_->size());
    chunk->set_data(core_->data() + at_, end - at_);
    chunk->set_total_bytes(core_->size());
    chunk->set_kept(is_kept_);
    at_ = end;
    const bool ended = at_ == core_->size();
    if (ended) chunk->set_sha256(Sha256(*core_).Hex());
    return {chunk, ended, {}};
  }

  MessagePtr Heartbeat() override {
    auto chunk = std::make_shared<v1::DumpChunk>();
    chunk->set_heartbeat(true);
    return chunk;
  }
  std::optional<PaceRule> Pace() const override { return kPace; }

 private:
  const std::shared_ptr<Answer<Bytes>> answer_;
  const std::shared_ptr<void> question_;  // null: nothing was asked
  const bool is_kept_;
  std::optional<Bytes> core_;
  size_t at_ = 0;
};

struct Replayed {
  InspectedInstance inspected;
  std::optional<InstanceResult> stored;
};

class ReplaySource : public StreamSource {
 public:
  ReplaySource(ServiceContextRef context, const JobInfo& job,
               std::shared_ptr<Answer<Replayed>> answer, std::shared_ptr<void> question)
      : request_(job.request),
        lines_(context->modules, job.request),
        answer_(std::move(answer)),
        question_(std::move(question)) {}
  ~ReplaySource() override { answer_->Close(); }

  Item Next() override {
    if (!replayed_) {
      std::optional<Result<Replayed>> came = answer_->Take();
      if (!came) return {};
      if (!came->ok()) return {nullptr, true, came->status()};
      replayed_ = std::move(*came).value();
    }
    auto event = std::make_shared<v1::ReplayEvent>();
    const InspectedInstance& inspected = replayed_->inspected;
    const std::vector<SeenLine>& lines = inspected.seen.lines;
    const size_t end = std::min(at_ + kLinesInMessage, lines.size());
    const uint64_t left_out = inspected.seen.line_count - lines.size();
    for (; at_ < end; ++at_) {
      lines_.Add(*inspected.plan->spec.module, lines[at_], left_out + at_ + 1, event.get());
    }
    if (at_ < lines.size()) return {event, false, {}};
    PutEnd(event->mutable_end());
    return {event, true, {}};
  }

  MessagePtr Heartbeat() override {
    auto event = std::make_shared<v1::ReplayEvent>();
    event->set_heartbeat(true);
    return event;
  }
  std::optional<PaceRule> Pace() const override { return kPace; }

 private:
  void PutEnd(v1::ReplayEnd* end) {
    const InspectedInstance& inspected = replayed_->inspected;
    end->set_lines(inspected.seen.line_count);
    end->set_reached(inspected.seen.reached);
    if (inspected.seen.reached) return;
    ResultToProto(inspected.result, request_->shown_steps, end->mutable_result(),
                  request_->recorded);
    lines_.AddTo(end->mutable_result());
    end->set_has_stored(replayed_->stored.has_value());
    if (!replayed_->stored) return;
    end->set_difference(DifferenceOf(*replayed_->stored, inspected.result));
    end->set_is_equal(end->difference().empty());
  }

  const std::shared_ptr<const JobRequest> request_;
  TraceLines lines_;
  const std::shared_ptr<Answer<Replayed>> answer_;
  const std::shared_ptr<void> question_;
  std::optional<Replayed> replayed_;
  size_t at_ = 0;
};

// The offset counts in the functions of the job's own module, which is linked last.
Result<InspectionRequest> RequestOf(const Replaying& replaying, const JobPlan& plan) {
  InspectionRequest request;
  request.detail = replaying.detail;
  request.max_lines = replaying.lines;
  if (!replaying.until) return request;
  request.until = InspectionRequest::Until{*replaying.until, 0, ~0u};
  const std::vector<LinkedInstance>& instances = plan.spec.module->instances;
  const auto own = std::find_if(instances.begin(), instances.end(),
                                [](const LinkedInstance& part) { return part.name.empty(); });
  if (own == instances.end()) return request;
  request.until->from = own->first_function;
  request.until->to = own->first_function + own->functions;
  return request;
}

}  // namespace

Result<std::unique_ptr<StreamSource>> DumpOfInstance(const ServiceContextRef& context,
                                                     const JobInfo& job, uint64_t instance,
                                                     std::function<void()> wake) {
  if (context->inspector == nullptr || context->dumps == nullptr) return NotHere();
  auto answer = std::make_shared<Answer<Bytes>>(std::move(wake));
  Result<Bytes> kept = context->dumps->DumpOf(job.id, instance);
  if (kept.ok()) {
    answer->Set(std::move(kept));
    return std::unique_ptr<StreamSource>(new DumpSource(answer, nullptr, true));
  }
  Inspector::Question question;
  question.instance = instance;
  question.plan = PlanOf(context, job);
  question.request = [most = context->inspector->limits().dump_bytes](
                         const JobPlan&) -> Result<InspectionRequest> {
    InspectionRequest request;
    request.state = true;
    request.max_state_bytes = most;
    return request;
  };
  question.done = [context, job, answer](Result<InspectedInstance> inspected) {
    if (!inspected.ok()) return answer->Set(inspected.status());
    TrapPlaces places(context->modules, job.request);
    answer->Set(CoreOf(JobName(job.id), *inspected, &places));
  };
  WB_ASSIGN(std::shared_ptr<void> asked, context->inspector->Ask(std::move(question)));
  return std::unique_ptr<StreamSource>(new DumpSource(answer, std::move(asked), false));
}

Result<std::unique_ptr<StreamSource>> ReplayOfInstance(const ServiceContextRef& context,
                                                       const JobInfo& job,
                                                       const Replaying& replaying,
                                                       std::function<void()> wake) {
  if (context->inspector == nullptr || context->dumps == nullptr) return NotHere();
  auto answer = std::make_shared<Answer<Replayed>>(std::move(wake));
  Inspector::Question question;
  question.instance = replaying.instance;
  question.plan = PlanOf(context, job);
  question.request = [replaying](const JobPlan& plan) { return RequestOf(replaying, plan); };
  question.done = [context, job, answer](Result<InspectedInstance> inspected) {
    if (!inspected.ok()) return answer->Set(inspected.status());
    Replayed replayed{std::move(inspected).value(), std::nullopt};
    const uint64_t instance = replayed.inspected.result.instance;
    replayed.stored = StoredResultOf(context->intake->store(), job, instance);
    answer->Set(std::move(replayed));
  };
  WB_ASSIGN(std::shared_ptr<void> asked, context->inspector->Ask(std::move(question)));
  return std::unique_ptr<StreamSource>(new ReplaySource(context, job, answer, std::move(asked)));
}

}  // namespace wb
