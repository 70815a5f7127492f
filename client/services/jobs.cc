#include "client/services/jobs.h"

#include <algorithm>
#include <climits>
#include <optional>
#include <utility>
#include <vector>

#include "client/connection.h"
#include "client/job_inputs.h"
#include "client/request_id.h"
#include "client/result_columns.h"
#include "client/services/inputs.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

// Of a CreateJob: below the daemon's smallest sensible limit.
constexpr size_t kLargestRequest = 8 << 20;
// Inputs that no job uses yet may have to make room for others' before the job is there.
constexpr int kAttemptsOfInputs = 3;

bool IsMissingInput(const Status& status) {
  const Detail input{"resource_type", "input"};
  return status.reason() == Reason::kNotFound &&
         std::count(status.details().begin(), status.details().end(), input) > 0;
}

// `index`: of the column in its job, for messages.
Result<v1::Input> UploadColumn(Client& client, const v1::Column& column, int index,
                               const OnUpload& on_upload) {
  std::optional<InputSource> source = SourceOf(column);
  if (!source) {
    return Status(Reason::kLimitTooHigh,
                  "The column [" + std::to_string(index) + "] has [" +
                      std::to_string(column.ByteSizeLong()) + "] bytes of numbers; [" +
                      std::to_string(INT_MAX) + "] are the most. Split the job.",
                  {{"field", "job.columns[" + std::to_string(index) + "]"}});
  }
  return UploadInput(client, *source, on_upload);
}

// The daemon takes a stream that was read to its end for acknowledged. Before its end it needs to
// be told where a job may wait for it, or where much is held for it.
bool EndAcknowledges(const v1::ReadResultsResponse& message, uint64_t owed) {
  constexpr uint64_t kMostOwed = uint64_t{1} << 20;
  const v1::Counts& counts = message.counts();
  const bool all_ended = message.has_counts() && counts.finished() == counts.instances();
  return message.has_job() || (all_ended && owed < kMostOwed);
}

}  // namespace

Result<v1::Job> CreateJob(Client& client, v1::CreateJobRequest request, const OnUpload& on_upload) {
  ClientConnection& connection = client.connection();
  if (request.request_id().empty()) request.set_request_id(NewRequestId());
  const std::vector<int> large = ColumnsToUpload(request, kLargestRequest);
  std::vector<v1::Column> columns(large.size());
  uint64_t bytes = 0;
  for (size_t i = 0; i < large.size(); ++i) {
    columns[i].Swap(request.mutable_job()->mutable_columns(large[i]));
    bytes += columns[i].ByteSizeLong();
  }
  for (int attempt = 1;; ++attempt) {
    uint64_t before = 0;
    for (size_t i = 0; i < large.size(); ++i) {
      const OnUpload on_part = [&](uint64_t sent, uint64_t) {
        if (on_upload) on_upload(before + sent, bytes);
      };
      WB_ASSIGN(const v1::Input input, UploadColumn(client, columns[i], large[i], on_part));
      before += input.size_bytes();
      request.mutable_job()->mutable_columns(large[i])->mutable_uploaded()->set_input(input.name());
    }
    Result<v1::Job> job = connection.Unary(*connection.jobs, &v1::Jobs::Stub::CreateJob, request);
    if (large.empty() || attempt == kAttemptsOfInputs || !IsMissingInput(job.status())) return job;
  }
}

Result<v1::Job> GetJob(Client& client, const std::string& name) {
  ClientConnection& connection = client.connection();
  v1::GetJobRequest request;
  request.set_name(name);
  return connection.Unary(*connection.jobs, &v1::Jobs::Stub::GetJob, request);
}

Result<v1::ListJobsResponse> ListJobs(Client& client, const v1::ListJobsRequest& request) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.jobs, &v1::Jobs::Stub::ListJobs, request);
}

Result<v1::Job> CancelJob(Client& client, const std::string& name) {
  ClientConnection& connection = client.connection();
  v1::CancelJobRequest request;
  request.set_name(name);
  return connection.Unary(*connection.jobs, &v1::Jobs::Stub::CancelJob, request);
}

Result<v1::Job> CheckpointJob(Client& client, const std::string& name) {
  ClientConnection& connection = client.connection();
  v1::CheckpointJobRequest request;
  request.set_name(name);
  return connection.Unary(*connection.jobs, &v1::Jobs::Stub::CheckpointJob, request);
}

Result<v1::Job> ResumeJob(Client& client, const v1::ResumeJobRequest& request) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.jobs, &v1::Jobs::Stub::ResumeJob, request);
}

Status DeleteJob(Client& client, const std::string& name) {
  ClientConnection& connection = client.connection();
  v1::DeleteJobRequest request;
  request.set_name(name);
  return connection.Unary(*connection.jobs, &v1::Jobs::Stub::DeleteJob, request).status();
}

Status ReadResults(Client& client, v1::ReadResultsRequest request, const OnResults& on_results) {
  ClientConnection& connection = client.connection();
  uint64_t owed = 0;  // bytes of messages since the last acknowledgement
  Status damaged;
  const bool whole = !request.columns();
  request.set_columns(true);
  const auto deliver = [&](const v1::ReadResultsResponse& message) {
    if (!whole || message.columns_size() == 0) return on_results(message);
    const Result<v1::ReadResultsResponse> results = WholeResults(message);
    damaged = results.status();
    return results.ok() && on_results(*results);
  };
  const Status ended = connection.Stream<v1::ReadResultsResponse>(
      [&](grpc::ClientContext* context) { return connection.jobs->ReadResults(context, request); },
      [&](const v1::ReadResultsResponse& message) {
        if (!deliver(message)) return false;
        request.set_cursor(message.cursor());
        if (message.results_size() == 0 && message.columns_size() == 0) return true;
        owed += message.ByteSizeLong();
        if (EndAcknowledges(message, owed)) return true;
        connection.Acknowledge(request.name(), message.cursor());
        owed = 0;
        return true;
      });
  return damaged.ok() ? ended : damaged;
}

Status WatchJob(Client& client, v1::WatchJobRequest request, const OnEvent& on_event) {
  ClientConnection& connection = client.connection();
  return connection.Stream<v1::JobEvent>(
      [&](grpc::ClientContext* context) { return connection.jobs->WatchJob(context, request); },
      [&](const v1::JobEvent& event) {
        request.set_resume_token(event.resume_token());
        return on_event(event);
      });
}

}  // namespace wb
