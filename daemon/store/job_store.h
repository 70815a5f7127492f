#pragma once

// JobStore: what is known about jobs, and their results. An interface, so that a store on disk can
// take the place of the one in memory.
//
// Threads: every method from any thread; none blocks on a device, a client or a long computation.

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "compiler/base/trace_context.h"
#include "compiler/link/binding.h"
#include "daemon/store/request_ledger.h"
#include "scheduler/job/host_calls/host_call_queue.h"
#include "scheduler/job/job.h"
#include "scheduler/job/job_progress.h"
#include "scheduler/job/result_batch.h"
#include "scheduler/scheduler.h"

namespace wb {

enum class JobState : uint8_t {
  kQueued,
  kCompiling,
  kRunning,
  kCancelling,
  kSucceeded,
  kFailed,
  kCancelled,
  kCheckpointed,  // stopped and not ended: no scheduler has it
};
inline constexpr size_t kJobStates = static_cast<size_t>(JobState::kCheckpointed) + 1;
bool IsTerminal(JobState state);
std::string JobStateName(JobState state);  // "queued"

// As a bit set for JobFilter: jobs that go on unless a client ends them.
inline constexpr uint32_t kActiveStates =
    1u << static_cast<int>(JobState::kQueued) | 1u << static_cast<int>(JobState::kCompiling) |
    1u << static_cast<int>(JobState::kRunning) | 1u << static_cast<int>(JobState::kCheckpointed);

struct JobCounts {
  uint64_t finished = 0;
  uint64_t running = 0;
  uint64_t by_end[kEnds] = {};  // by the number of End
};

// How a job ends of whose scheduler this was heard.
struct JobEnding {
  JobState state = JobState::kSucceeded;
  Status error;
};
// `leaving`: a job that would be cancelled is checkpointed.
JobEnding EndingOf(Status status, bool cancelled, bool leaving, const JobCounts& counts);

struct JobStateChange {
  JobState state = JobState::kQueued;
  int64_t unix_ns = 0;
};

struct LinkedModuleName {
  std::string name;
  Digest module;
};

// A request as its caller sent it, for a store that outlives the daemon: bytes of whoever parses
// them again.
struct SentRequest {
  std::string whole;  // with its columns; needed until the job has ended, then kept if it is short
  std::string shown;  // what is shown again
};

// What the caller asked for, as far as it is shown again. Of an ended job long steps are missing.
struct JobRequest {
  Digest module;
  std::vector<LinkedModuleName> linked;  // in the order in which they are instantiated
  std::vector<Binding> bindings;
  std::vector<RecordedImport> recorded;       // what they record
  std::shared_ptr<HostCallQueue> host_calls;  // where the caller answers calls; null: it does not
  std::optional<std::chrono::nanoseconds> host_call_timeout;
  std::string session;  // whose call it is; empty: of none
  std::vector<Step> steps;
  size_t shown_steps = SIZE_MAX;        // of a program: steps behind them are the system layer's
  bool has_command = false;             // a program: the system layer is linked in front of it
  std::vector<uint32_t> input_columns;  // JobSpec::inputs
  std::vector<std::string> streams;     // JobSpec::streams
  uint64_t instances = 0;
  JobLimits limits;
  Placement placement = Placement::kAuto;
  bool fast32 = false;
  LaneHint hint = LaneHint::kNone;  // of the caller; the module's counts where there is none
  uint32_t profile_instances = 0;   // of a profile that is made when it has ended; 0: none
  std::map<std::string, std::string> labels;
  std::string tenant;         // the label of this name
  int32_t priority = 0;       // likewise
  uint32_t dump_on_trap = 0;  // traps that a dump is kept of (services/dump_keeper.h)
  TraceContext trace;
  std::string request_id;          // empty: not idempotent
  Digest body;                     // of the request, to tell a repetition from another request
  uint64_t most_result_bytes = 0;  // that a result may hold (MostHeldBytes)
  uint64_t most_part_bytes = UINT64_MAX;  // ... whose output fits into its record
  uint32_t group = 1;                     // instances that start together (JobPlan::group)
  RequestHolds holds;                     // in memory until the job has ended
  RequestHolds inputs;                    // uploaded ones that it uses until then
  // For KeptRequest. A store on disk takes it out of memory; without a disk long ones are null.
  std::shared_ptr<const SentRequest> sent;
};

Status NoSuchJob(const std::string& id);  // NOT_FOUND
// REQUEST_ID_REUSED: the id made that job of another request.
Status RequestIdReused(const std::string& request_id, const std::string& job);
// JOB_TERMINAL: what its instances were given is not kept any more.
Status RequestIsGone(const std::string& id);

// When a running job is expected to end.
struct JobEta {
  int64_t earliest_unix_ns = 0;
  int64_t latest_unix_ns = 0;
};

// A job at one moment.
struct JobInfo {
  std::string id;  // names.h
  JobId number = 0;
  std::shared_ptr<const JobRequest> request;
  JobState state = JobState::kQueued;
  Status error;  // with kFailed
  JobCounts counts;
  JobUsage usage;
  std::optional<double> instructions_per_second;  // JobForecast's, while it runs
  std::optional<JobEta> eta;                      // likewise
  std::string waiting_for;
  std::string device;
  std::string placement_reason;
  std::vector<JobStateChange> history;  // the first is the creation
  int64_t expire_unix_ns = 0;           // of an ended job
  uint64_t results_dropped = 0;         // of an ended job: the oldest, which made room for others
  // Why results keep the job from starting instances; empty: they do not.
  std::string held_by_results;
  bool held_by_others = false;  // and they are those of other jobs
  uint64_t version = 0;         // rises with every change; starts at 1
};

// Which jobs a list has.
struct JobFilter {
  uint32_t states = ~0u;              // bit = number of the state
  std::optional<std::string> tenant;  // of this one alone
};
inline JobFilter ActiveJobs() { return {kActiveStates, std::nullopt}; }

struct JobPage {
  std::vector<JobInfo> jobs;
  bool more = false;
};

// How many results are read at a time: what takes about so many bytes in this form; one at least.
struct ReadBound {
  ReadBound(size_t most, ResultForm as = ResultForm::kWhole, bool looks_anew = false)
      : bytes(most), form(as), anew(looks_anew) {}
  size_t bytes;
  ResultForm form;
  bool anew;  // the reader does not wait for more: what others have brought by now counts
};

// A row of results without copies: parts of the batches in which they came.
struct ResultSlice {
  std::shared_ptr<const ResultBatch> batch;
  size_t from = 0;
  size_t to = 0;
};
struct ResultRow {
  std::vector<ResultSlice> slices;
  uint64_t next = 0;       // position after the last of them
  bool last = false;       // the job has ended and nothing comes after `next`
  uint64_t available = 0;  // results that lie after `next` already
};

// Results that lie elsewhere: those of the batch whose first has the position `first`, behind the
// first `skip`.
struct StoredPlace {
  uint64_t first = 0;
  uint64_t skip = 0;
};

// What a store holds, of all jobs.
struct JobStoreFigures {
  uint64_t jobs = 0;
  uint64_t result_bytes = 0;
  uint64_t request_bytes = 0;  // steps, columns and linked modules
  std::array<uint64_t, kJobStates> by_state{};
};

// Called from a thread of the store's.
struct StoreListener {
  std::function<void(JobId)> room_came;  // a job has room again that no Acknowledge made
};

class JobStore {
 public:
  virtual ~JobStore() = default;
  // From now on; no call to the listener before is under way then. An empty one ends it.
  virtual void Listen(StoreListener) {}
  // The daemon ends: jobs that are cancelled from now on, and not by a client, go on in the next
  // one, where the store outlives this one.
  virtual void Suspend() {}

  struct Created {
    JobInfo job;
    bool existed = false;  // the same request came before
    // Every daemon that shares the store may run it: it is there for all, and who created it does
    // not submit it.
    bool is_shared = false;
  };
  // Reserves a job, invisible until Publish; where the store is on disk, it is there when this
  // returns, which may take some milliseconds. NOSPACE: the disk is full; QUEUE_FULL (jobs, or
  // what their requests hold); REQUEST_ID_REUSED when the id came with another body; UNAVAILABLE
  // when the same request is being created at this moment.
  virtual Result<Created> Create(JobRequest request) = 0;
  virtual JobInfo Publish(const std::string& id) = 0;
  virtual void Discard(const std::string& id) = 0;  // the scheduler refused it

  virtual Result<JobInfo> Get(const std::string& id) const = 0;  // NOT_FOUND
  // Newest first, those older than the id `after` ("" is none), at most `limit`.
  virtual JobPage List(const JobFilter& filter, const std::string& after, size_t limit) const = 0;
  // JOB_TERMINAL, NOT_FOUND. A job that is being cancelled stays so.
  virtual Result<JobInfo> MarkCancelling(const std::string& id) = 0;
  // When its scheduler stops it, it is checkpointed, unless a client cancels it first.
  // JOB_TERMINAL, NOT_FOUND; INVALID_ARGUMENT: it is so already.
  virtual Result<JobInfo> MarkLeaving(const std::string& id) = 0;
  virtual void StayOn(const std::string& id) = 0;  // its scheduler does not stop it
  // A checkpointed job is queued again, with this placement where there is one. NOT_FOUND;
  // INVALID_ARGUMENT: it is not checkpointed.
  virtual Result<JobInfo> MarkResumed(const std::string& id,
                                      std::optional<Placement> placement) = 0;
  virtual Status Delete(const std::string& id) = 0;  // JOB_RUNNING, NOT_FOUND

  // The request as its caller sent it (SentRequest::whole), also of an ended job, if it is not too
  // long to be kept. NOT_FOUND; JOB_TERMINAL: it was not kept.
  virtual Result<std::string> KeptRequest(const std::string& id) const = 0;

  // Where the scheduler brings what happens to the job. Any number of them; the store outlives
  // them. An id that is unknown, or whose job has ended: there is no room, and what comes has no
  // effect.
  virtual std::shared_ptr<ResultSink> SinkOf(const std::string& id) = 0;

  // --- the reader's side
  // Results after `position`, as many as `bound` says, if there are any. NOT_FOUND;
  // CURSOR_EXPIRED with the oldest position when they were dropped; INVALID_ARGUMENT when the
  // position lies beyond the last result.
  virtual Result<ResultRow> Read(const std::string& id, uint64_t position,
                                 ReadBound bound) const = 0;
  // A client has the results before `position` and will not ask for them again: they are dropped
  // when room is short. True: the job has room again. INVALID_ARGUMENT when the position lies
  // beyond the last result; NOT_FOUND.
  virtual Result<bool> Acknowledge(const std::string& id, uint64_t position) = 0;

  // Calls `changed` after every change of the job, until the returned handle is dropped; a call
  // that is under way then still ends. The call comes from the thread that made the change, which
  // may hold locks of the scheduler: it only posts. NOT_FOUND.
  virtual Result<std::shared_ptr<void>> Subscribe(const std::string& id,
                                                  std::function<void()> changed) = 0;

  virtual void Expire() = 0;  // forgets ended jobs whose time has come
  virtual JobStoreFigures Figures() const = 0;
};

}  // namespace wb
