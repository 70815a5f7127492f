#include "daemon/services/restore.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "daemon/checkpoints/checkpoints.h"
#include "daemon/process/clock.h"
#include "daemon/process/log.h"
#include "daemon/services/prepare_job.h"
#include "daemon/services/stored_inputs.h"
#include "daemon/translate/translate_job.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using std::chrono::nanoseconds;

JobBefore BeforeOf(const LoadedJob& job) {
  const DurableRecord& record = job.record;
  const int64_t now = UnixNow();
  JobBefore before;
  before.finished = job.finished;
  // Of a checkpointed job nothing ran that may run again.
  const bool is_left = record.info.state == JobState::kCheckpointed;
  before.attempt = record.attempt + (is_left ? 0 : 1);
  before.fuel = record.totals.fuel;
  before.result_bytes = record.totals.result_bytes;
  if (record.first_turn_unix_ns != 0) {
    before.clock_ran = nanoseconds(std::max<int64_t>(now - record.first_turn_unix_ns, 0));
  }
  if (!record.info.history.empty()) {
    before.age = nanoseconds(std::max<int64_t>(now - record.info.history.front().unix_ns, 0));
  }
  return before;
}

Result<Submission> SubmissionOf(const ServiceContext& context, const LoadedJob& job) {
  WB_ASSIGN(Submission submission, PrepareKept(context, job.sent.whole));
  if (job.record.placement) submission.request.placement = *job.record.placement;
  if (context.dumps != nullptr) {
    const auto sent = std::make_shared<const SentRequest>(job.sent);
    // A bound that is lower now costs the dumps alone.
    (void)KeepForInspection(context, sent, &submission);
  }
  return submission;
}

void LogLost(const std::string& id, const Status& why) {
  Log(LogLevel::kError, "job_not_restored", {{"job", id}, {"error", why.message()}});
}

// As far as it can be shown.
Result<JobInfo> ShowAgain(DurableJobStore* store, const LoadedJob& job) {
  WB_ASSIGN(JobRequest request, ReadShownRequest(job.sent.shown));
  return store->Restore(job, std::move(request));
}

// With the states that are kept of it; one that is checkpointed waits for its client.
void GoOn(const ServiceContext& context, const LoadedJob& job, const JobInfo& restored,
          Submission submission) {
  JobBefore before = BeforeOf(job);
  context.checkpoints->files().Adopt(restored.id, restored.request->tenant);
  if (restored.state == JobState::kCheckpointed) {
    return context.checkpoints->RememberLeft(restored.id, std::move(before));
  }
  context.intake->Resume(restored, std::move(submission),
                         context.checkpoints->BeginOf(restored, std::move(before)));
}

// An error: it stays as it is, and the start ends.
Status RestoreOpen(const ServiceContext& context, DurableJobStore* store, const LoadedJob& job) {
  const std::string& id = job.record.info.id;
  JobUsage usage;
  usage.fuel = job.record.totals.fuel;
  // It needs nothing any more, not even its module.
  if (job.record.info.state == JobState::kCancelling) {
    const Status shown = ShowAgain(store, job).status();
    shown.ok() ? store->SinkOf(id)->OnEnd({}, true, usage) : LogLost(id, shown);
    return {};
  }
  Result<Submission> submission = SubmissionOf(context, job);
  if (submission.status().reason() == Reason::kMachineFault) return submission.status();
  const Result<JobInfo> restored =
      submission.ok() ? store->Restore(job, submission->request) : ShowAgain(store, job);
  if (!restored.ok()) {
    LogLost(id, restored.status());
  } else if (submission.ok()) {
    GoOn(context, job, *restored, std::move(submission).value());
  } else {
    LogLost(id, submission.status());
    store->SinkOf(id)->OnEnd(submission.status(), false, usage);
  }
  return {};
}

Status RestoreJob(const ServiceContext& context, DurableJobStore* store, const LoadedJob& job) {
  if (!IsTerminal(job.record.info.state)) return RestoreOpen(context, store, job);
  const Status shown = ShowAgain(store, job).status();
  if (!shown.ok()) LogLost(job.record.info.id, shown);
  return {};
}

void LogOf(const Digest& digest, const Status& status) {
  if (status.ok()) return;
  Log(LogLevel::kError, "owner_not_kept", {{"blob", digest.Hex()}, {"error", status.message()}});
}

// Those without an owner get one.
Status AdoptUnowned(const ServiceContext& context) {
  const auto adopt = [&context](OwnedKind kind, const BlobStore& blobs) -> Status {
    WB_ASSIGN(const std::vector<BlobStore::Entry> entries, blobs.Entries());
    for (const BlobStore::Entry& entry : entries) {
      if (context.owners->HasAny(kind, entry.digest)) continue;
      WB_TRY(context.owners->Add(kind, entry.digest, ""));
    }
    return {};
  };
  WB_TRY(adopt(OwnedKind::kModule, *context.module_blobs));
  WB_TRY(adopt(OwnedKind::kInput, *context.input_blobs));
  return context.owners->EndAdoption();
}

Status RemoveUnowned(const ServiceContext& context) {
  WB_ASSIGN(const std::vector<BlobStore::Entry> modules, context.module_blobs->Entries());
  for (const BlobStore::Entry& entry : modules) {
    if (context.owners->HasAny(OwnedKind::kModule, entry.digest)) continue;
    LogOf(entry.digest, RemoveModule(context, entry.digest));
  }
  WB_ASSIGN(const std::vector<BlobStore::Entry> inputs, context.input_blobs->Entries());
  for (const BlobStore::Entry& entry : inputs) {
    if (!context.owners->HasAny(OwnedKind::kInput, entry.digest)) {
      ForgetInput(context, entry.digest);
    }
  }
  return {};
}

// Inputs make room for others, and damaged blobs are moved away.
Status RemoveOwnersOfNothing(const ServiceContext& context) {
  const auto remove = [&context](OwnedKind kind, const BlobStore& blobs) -> Status {
    std::set<Digest> gone = context.owners->All(kind);
    WB_ASSIGN(const std::vector<BlobStore::Entry> entries, blobs.Entries());
    for (const BlobStore::Entry& entry : entries) gone.erase(entry.digest);
    for (const Digest& digest : gone) LogOf(digest, context.owners->RemoveAll(kind, digest));
    return {};
  };
  WB_TRY(remove(OwnedKind::kModule, *context.module_blobs));
  return remove(OwnedKind::kInput, *context.input_blobs);
}

}  // namespace

Result<JobRequest> ReadShownRequest(const std::string& shown) {
  v1::Job proto;
  if (proto.ParseFromString(shown)) return ShownJobFromProto(proto);
  return Status(Reason::kIoError, "The stored request of the job is damaged.");
}

Status RefreshModules(const ServiceContext& context) {
  WB_ASSIGN(const std::vector<BlobStore::Entry> entries, context.module_blobs->Entries());
  std::set<Digest> there;
  for (const BlobStore::Entry& entry : entries) {
    there.insert(entry.digest);
    if (context.modules->Get(entry.digest).ok()) continue;
    const Result<Bytes> wasm = context.module_blobs->Get(entry.digest);
    if (wasm.ok()) LogOf(entry.digest, RestoreModule(context, *wasm, entry.unix_ns));
  }
  for (const StoredModule& module : context.modules->List(nullptr, SIZE_MAX)) {
    const Digest digest = module.module->digest();
    if (!there.contains(digest)) (void)context.modules->Delete(digest);
  }
  return {};
}

Status RestoreModules(const ServiceContext& context) {
  if (context.module_blobs == nullptr) return {};
  uint64_t restored = 0;
  WB_ASSIGN(const std::vector<BlobStore::Entry> entries, context.module_blobs->Entries());
  for (const BlobStore::Entry& entry : entries) {
    if (context.modules->Get(entry.digest).ok()) {
      ++restored;
      continue;
    }
    Result<Bytes> wasm = context.module_blobs->Get(entry.digest);
    Status status = wasm.status();
    if (status.reason() == Reason::kMachineFault) return status;
    if (wasm.ok()) status = RestoreModule(context, *wasm, entry.unix_ns);
    if (status.ok()) {
      ++restored;
    } else {
      Log(LogLevel::kError, "module_not_restored",
          {{"module", entry.digest.Hex()}, {"error", status.message()}});
    }
  }
  if (restored > 0) {
    Log(LogLevel::kInfo, "modules_restored", {{"count", std::to_string(restored)}});
  }
  return {};
}

Status RestoreJobs(const ServiceContext& context, DurableJobStore* store) {
  uint64_t jobs = 0;
  uint64_t open = 0;
  Status restored;
  WB_TRY(store->Load([&](const LoadedJob& job) {
    if (!restored.ok()) return;
    ++jobs;
    if (!IsTerminal(job.record.info.state)) ++open;
    if (store->Get(job.record.info.id).ok()) return;  // by a call that failed at a later one
    restored = RestoreJob(context, store, job);
  }));
  WB_TRY(restored);
  context.checkpoints->files().RemoveOthers();
  if (jobs > 0) {
    Log(LogLevel::kInfo, "jobs_restored",
        {{"count", std::to_string(jobs)}, {"unfinished", std::to_string(open)}});
  }
  return {};
}

Status RestoreOwners(const ServiceContext& context) {
  if (context.module_blobs == nullptr) return {};
  if (context.owners->AdoptsUnowned()) WB_TRY(AdoptUnowned(context));
  WB_TRY(RemoveUnowned(context));
  return RemoveOwnersOfNothing(context);
}

}  // namespace wb
