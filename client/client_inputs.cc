// Client's calls about inputs, and jobs whose columns are too long for a message.

#include <algorithm>
#include <climits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/client.h"
#include "client/connection.h"
#include "client/job_inputs.h"
#include "compiler/base/digest.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kChunk = 1 << 20;
// Of a CreateJob: below the daemon's smallest sensible limit.
constexpr size_t kLargestRequest = 8 << 20;
// Inputs that no job uses yet may have to make room for others' before the job is there.
constexpr int kAttemptsOfInputs = 3;
// A line slower than this is too slow for uploads.
constexpr uint64_t kBytesPerSecond = 1 << 20;

grpc::Status SendInput(v1::Inputs::Stub& inputs, grpc::ClientContext* context,
                       std::string_view column, const std::string& sha256,
                       const Client::OnUpload& on_upload, v1::Input* input) {
  auto writer = inputs.UploadInput(context, input);
  for (size_t at = 0; at < column.size(); at += kChunk) {
    if (on_upload) on_upload(at, column.size());
    v1::UploadInputRequest chunk;
    chunk.set_data(std::string(column.substr(at, kChunk)));
    if (at == 0) {
      chunk.set_sha256(sha256);
      chunk.set_size_bytes(column.size());
    }
    if (!writer->Write(chunk)) break;  // Finish says why
  }
  writer->WritesDone();
  return writer->Finish();
}

bool IsMissingInput(const Status& status) {
  const Detail input{"resource_type", "input"};
  return status.reason() == Reason::kNotFound &&
         std::count(status.details().begin(), status.details().end(), input) > 0;
}

// `index`: of the column in its job, for messages.
Result<v1::Input> UploadColumn(Client* client, const v1::Column& column, int index,
                               const Client::OnUpload& on_upload) {
  const std::optional<std::string> message = InputMessage(column);
  if (!message) {
    return Status(Reason::kLimitTooHigh,
                  "The column [" + std::to_string(index) + "] has [" +
                      std::to_string(column.ByteSizeLong()) + "] bytes of numbers; [" +
                      std::to_string(INT_MAX) + "] are the most. Split the job.",
                  {{"field", "job.columns[" + std::to_string(index) + "]"}});
  }
  return client->UploadInput(*message, on_upload);
}

}  // namespace

Result<v1::Input> Client::UploadInput(std::string_view column, const OnUpload& on_upload) {
  const std::string sha256 = Sha256(AsBytes(column)).Hex();
  Result<v1::Input> known = GetInput("inputs/sha256:" + sha256);
  if (known.ok() || known.status().reason() != Reason::kNotFound) return known;
  v1::Input input;
  const auto time =
      connection_->options.timeout + std::chrono::seconds(column.size() / kBytesPerSecond);
  WB_TRY(connection_->Retry(
      [&](grpc::ClientContext* context) {
        return SendInput(*connection_->inputs, context, column, sha256, on_upload, &input);
      },
      time));
  if (on_upload) on_upload(column.size(), column.size());
  return input;
}

Result<v1::Input> Client::GetInput(const std::string& name) {
  v1::GetInputRequest request;
  request.set_name(name);
  return connection_->Unary(*connection_->inputs, &v1::Inputs::Stub::GetInput, request);
}

Status Client::DeleteInput(const std::string& name) {
  v1::DeleteInputRequest request;
  request.set_name(name);
  return connection_->Unary(*connection_->inputs, &v1::Inputs::Stub::DeleteInput, request).status();
}

Result<v1::Job> Client::CreateJob(v1::CreateJobRequest request, const OnUpload& on_upload) {
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
      WB_ASSIGN(const v1::Input input, UploadColumn(this, columns[i], large[i], on_part));
      before += input.size_bytes();
      request.mutable_job()->mutable_columns(large[i])->mutable_uploaded()->set_input(input.name());
    }
    Result<v1::Job> job =
        connection_->Unary(*connection_->jobs, &v1::Jobs::Stub::CreateJob, request);
    if (large.empty() || attempt == kAttemptsOfInputs || !IsMissingInput(job.status())) return job;
  }
}

}  // namespace wb
