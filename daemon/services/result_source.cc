#include "daemon/services/result_source.h"

#include <google/protobuf/arena.h>

#include <chrono>
#include <memory>
#include <utility>

#include "daemon/services/trap_places.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_row.h"
#include "daemon/translate/translate_view.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

using google::protobuf::Arena;

// What a message of results is for: a stream of them alone, or one that began with the job.
enum class Stream : uint8_t { kResults, kRun };

// Results come by the million, each of several parts: they lie in one piece of memory.
struct ResultMessage {
  explicit ResultMessage(Stream stream) {
    google::protobuf::ArenaOptions options;
    options.start_block_size = size_t{64} << 10;
    options.max_block_size = size_t{1} << 20;
    auto arena = std::make_shared<Arena>(options);
    if (stream == Stream::kRun) {
      auto* run = Arena::CreateMessage<v1::RunJobResponse>(arena.get());
      whole = MessagePtr(std::move(arena), run);
      results = run->mutable_results();
    } else {
      results = Arena::CreateMessage<v1::ReadResultsResponse>(arena.get());
      whole = MessagePtr(std::move(arena), results);
    }
  }

  MessagePtr whole;
  v1::ReadResultsResponse* results = nullptr;  // in it
};

class ResultSource : public StreamSource {
 public:
  ResultSource(std::shared_ptr<JobIntake> intake, ModuleStoreRef modules, ResultReading reading,
               JobInfo job, std::shared_ptr<void> subscription, Stream stream)
      : intake_(std::move(intake)),
        places_(std::move(modules), job.request),
        reading_(std::move(reading)),
        job_(std::move(job)),
        subscription_(std::move(subscription)),
        stream_(stream) {}

  Item Next() override {
    JobStore& store = intake_->store();
    Result<ResultRow> row = store.Read(job_.id, reading_.position,
                                       {reading_.message_bytes, reading_.form, !reading_.follow});
    if (!row.ok()) return {nullptr, true, row.status()};
    if (row->slices.empty() && !row->last) return {nullptr, !reading_.follow, {}};
    const ResultMessage message(stream_);
    RowToProto(*row, job_, reading_.form, message.results);
    places_.AddTo(message.results);
    reading_.position = row->next;
    Result<JobInfo> job = store.Get(job_.id);
    if (job.ok()) {
      job_ = *job;
      ProgressToProto(job_, message.results);
      if (row->last) JobToProto(job_, false, message.results->mutable_job());
    }
    return {message.whole, row->last, {}};
  }

  // Of a job that was forgotten meanwhile there is nothing to acknowledge.
  void Delivered() override {
    if (reading_.may_acknowledge) (void)intake_->Acknowledge(job_.id, reading_.position);
  }

  MessagePtr Heartbeat() override {
    const ResultMessage message(stream_);
    message.results->set_heartbeat(true);
    message.results->set_cursor(MakeCursor(job_.id, reading_.position));
    Result<JobInfo> job = intake_->store().Get(job_.id);
    if (job.ok()) ProgressToProto(*job, message.results);
    return message.whole;
  }

  const JobInfo& job() const { return job_; }

 private:
  const std::shared_ptr<JobIntake> intake_;
  TrapPlaces places_;
  ResultReading reading_;
  JobInfo job_;
  const std::shared_ptr<void> subscription_;
  const Stream stream_;
};

// The job first, then what the inner source says.
class RunSource : public StreamSource {
 public:
  explicit RunSource(std::unique_ptr<ResultSource> results) : results_(std::move(results)) {}

  Item Next() override {
    if (!announced_) {
      announced_ = true;
      auto message = std::make_unique<v1::RunJobResponse>();
      JobToProto(results_->job(), false, message->mutable_job());
      return {std::move(message), false, {}};
    }
    return results_->Next();
  }

  void Delivered() override { results_->Delivered(); }

  MessagePtr Heartbeat() override { return results_->Heartbeat(); }

 private:
  const std::unique_ptr<ResultSource> results_;
  bool announced_ = false;
};

// A job that makes progress changes thousands of times a second. Each message is the whole job.
constexpr std::chrono::milliseconds kRestOfChanges(20);

class ChangeSource : public StreamSource {
 public:
  ChangeSource(std::shared_ptr<JobIntake> intake, std::string job, uint64_t version,
               std::shared_ptr<void> subscription)
      : intake_(std::move(intake)),
        job_(std::move(job)),
        version_(version),
        subscription_(std::move(subscription)) {}

  Item Next() override {
    Result<JobInfo> job = intake_->store().Get(job_);
    if (!job.ok()) return {nullptr, true, job.status()};
    if (job->version > version_) {
      version_ = job->version;
      auto message = std::make_unique<v1::JobEvent>();
      message->set_resume_token(MakeCursor(job_, version_));
      JobToProto(*job, false, message->mutable_job());
      return {std::move(message), IsTerminal(job->state), {}};
    }
    return {nullptr, IsTerminal(job->state), {}};
  }

  MessagePtr Heartbeat() override {
    auto message = std::make_unique<v1::JobEvent>();
    message->set_resume_token(MakeCursor(job_, version_));
    message->set_heartbeat(true);
    return message;
  }

  std::chrono::nanoseconds Rest() const override { return kRestOfChanges; }

 private:
  const std::shared_ptr<JobIntake> intake_;
  const std::string job_;
  uint64_t version_;
  const std::shared_ptr<void> subscription_;
};

Result<std::unique_ptr<ResultSource>> Open(std::shared_ptr<JobIntake> intake,
                                           ModuleStoreRef modules, const ResultReading& reading,
                                           Stream stream, std::function<void()> wake) {
  WB_ASSIGN(std::shared_ptr<void> subscription,
            intake->store().Subscribe(reading.job, std::move(wake)));
  WB_ASSIGN(JobInfo job, intake->store().Get(reading.job));
  return std::make_unique<ResultSource>(std::move(intake), std::move(modules), reading,
                                        std::move(job), std::move(subscription), stream);
}

}  // namespace

Result<std::unique_ptr<StreamSource>> ReadResultsOf(std::shared_ptr<JobIntake> intake,
                                                    ModuleStoreRef modules,
                                                    const ResultReading& reading,
                                                    std::function<void()> wake) {
  WB_ASSIGN(std::unique_ptr<StreamSource> source, Open(std::move(intake), std::move(modules),
                                                       reading, Stream::kResults, std::move(wake)));
  return source;
}

Result<std::unique_ptr<StreamSource>> RunAndReadResultsOf(std::shared_ptr<JobIntake> intake,
                                                          ModuleStoreRef modules,
                                                          const ResultReading& reading,
                                                          std::function<void()> wake) {
  WB_ASSIGN(auto results,
            Open(std::move(intake), std::move(modules), reading, Stream::kRun, std::move(wake)));
  std::unique_ptr<StreamSource> source = std::make_unique<RunSource>(std::move(results));
  return source;
}

Result<std::unique_ptr<StreamSource>> WatchChangesOf(std::shared_ptr<JobIntake> intake,
                                                     const std::string& job, uint64_t version,
                                                     std::function<void()> wake) {
  WB_ASSIGN(std::shared_ptr<void> subscription, intake->store().Subscribe(job, std::move(wake)));
  std::unique_ptr<StreamSource> source =
      std::make_unique<ChangeSource>(std::move(intake), job, version, std::move(subscription));
  return source;
}

}  // namespace wb
