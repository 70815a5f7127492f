// Client's calls about inputs, and jobs whose columns are too long for a message.

#include <algorithm>
#include <climits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/client.h"
#include "client/connection.h"
#include "client/job_inputs.h"
#include "compiler/base/digest_stream.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kInputChunk = 1 << 20;
// Of a CreateJob: below the daemon's smallest sensible limit.
constexpr size_t kLargestRequest = 8 << 20;
// Inputs that no job uses yet may have to make room for others' before the job is there.
constexpr int kAttemptsOfInputs = 3;
// A line slower than this is too slow for uploads.
constexpr uint64_t kBytesPerSecond = 1 << 20;

Status Changed(const InputSource& source) {
  return Status(Reason::kIoError,
                source.name +
                    " changed while it was read: its bytes are of two times, and no input "
                    "was made of them. Try again when nobody writes to it.");
}

Result<std::string> DigestOf(const InputSource& source, ClientConnection* connection) {
  DigestStream digest;
  uint64_t bytes = 0;
  WB_TRY(source.write([&](std::string_view part) {
    digest.Add(AsBytes(part));
    bytes += part.size();
    return connection->CheckGoesOn();
  }));
  if (bytes != source.bytes) return Changed(source);
  return digest.Finish().Hex();
}

// One attempt to send an input. The last message waits until the digest of all bytes is known to be
// the one announced: the daemon never has a whole input of other bytes.
class InputUpload {
 public:
  InputUpload(const InputSource& source, const std::string& sha256,
              const Client::OnUpload& on_upload)
      : source_(source), sha256_(sha256), on_upload_(on_upload) {}

  // `read`: why the source gave other bytes than it should; the daemon's answer is none then.
  grpc::Status Send(v1::Inputs::Stub& inputs, grpc::ClientContext* context, v1::Input* input,
                    Status* read);

 private:
  Status Take(std::string_view part);
  Status SendMessage();

  const InputSource& source_;
  const std::string& sha256_;
  const Client::OnUpload& on_upload_;
  std::unique_ptr<grpc::ClientWriter<v1::UploadInputRequest>> writer_;
  v1::UploadInputRequest message_;
  DigestStream digest_;
  uint64_t taken_ = 0;  // bytes of the source
  uint64_t sent_ = 0;   // of them
  bool is_broken_ = false;
};

Status InputUpload::SendMessage() {
  if (on_upload_) on_upload_(sent_, source_.bytes);
  if (sent_ == 0) {
    message_.set_sha256(sha256_);
    message_.set_size_bytes(source_.bytes);
  }
  sent_ += message_.data().size();
  is_broken_ = !writer_->Write(message_);
  message_.Clear();
  return is_broken_ ? Status(Reason::kUnavailable, "The stream is closed.") : Status();
}

Status InputUpload::Take(std::string_view part) {
  taken_ += part.size();
  if (taken_ > source_.bytes) return Changed(source_);
  digest_.Add(AsBytes(part));
  while (!part.empty()) {
    std::string& data = *message_.mutable_data();
    if (data.size() == kInputChunk) {
      WB_TRY(SendMessage());
      continue;
    }
    const size_t taken = std::min(part.size(), kInputChunk - data.size());
    data.append(part.substr(0, taken));
    part.remove_prefix(taken);
  }
  return {};
}

grpc::Status InputUpload::Send(v1::Inputs::Stub& inputs, grpc::ClientContext* context,
                               v1::Input* input, Status* read) {
  writer_ = inputs.UploadInput(context, input);
  *read = source_.write([this](std::string_view part) { return Take(part); });
  if (read->ok() && digest_.Finish().Hex() != sha256_) *read = Changed(source_);
  if (read->ok()) (void)SendMessage();
  if (is_broken_) {
    *read = Status();
    return writer_->Finish();  // says why
  }
  if (!read->ok()) {
    context->TryCancel();
    return writer_->Finish();
  }
  writer_->WritesDone();
  return writer_->Finish();
}

bool IsMissingInput(const Status& status) {
  const Detail input{"resource_type", "input"};
  return status.reason() == Reason::kNotFound &&
         std::count(status.details().begin(), status.details().end(), input) > 0;
}

// `index`: of the column in its job, for messages.
Result<v1::Input> UploadColumn(Client* client, const v1::Column& column, int index,
                               const Client::OnUpload& on_upload) {
  std::optional<InputSource> source = SourceOf(column);
  if (!source) {
    return Status(Reason::kLimitTooHigh,
                  "The column [" + std::to_string(index) + "] has [" +
                      std::to_string(column.ByteSizeLong()) + "] bytes of numbers; [" +
                      std::to_string(INT_MAX) + "] are the most. Split the job.",
                  {{"field", "job.columns[" + std::to_string(index) + "]"}});
  }
  return client->UploadInput(*source, on_upload);
}

}  // namespace

Result<v1::Input> Client::UploadInput(const InputSource& source, const OnUpload& on_upload) {
  WB_ASSIGN(const std::string sha256, DigestOf(source, connection_.get()));
  Result<v1::Input> known = GetInput("inputs/sha256:" + sha256);
  if (known.ok() || known.status().reason() != Reason::kNotFound) return known;
  v1::Input input;
  Status read;
  const auto time =
      connection_->options.timeout + std::chrono::seconds(source.bytes / kBytesPerSecond);
  const Status sent = connection_->Retry(
      [&](grpc::ClientContext* context) {
        return InputUpload(source, sha256, on_upload)
            .Send(*connection_->inputs, context, &input, &read);
      },
      time);
  WB_TRY(read);
  WB_TRY(sent);
  if (on_upload) on_upload(source.bytes, source.bytes);
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
