#include "client/services/inputs.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "client/connection.h"
#include "compiler/base/digest_stream.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kInputChunk = 1 << 20;
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
  InputUpload(const InputSource& source, const std::string& sha256, const OnUpload& on_upload)
      : source_(source), sha256_(sha256), on_upload_(on_upload) {}

  // `read`: why the source gave other bytes than it should; the daemon's answer is none then.
  grpc::Status Send(v1::Inputs::Stub& inputs, grpc::ClientContext* context, v1::Input* input,
                    Status* read);

 private:
  Status Take(std::string_view part);
  Status SendMessage();

  const InputSource& source_;
  const std::string& sha256_;
  const OnUpload& on_upload_;
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

}  // namespace

Result<v1::Input> UploadInput(Client& client, const InputSource& source,
                              const OnUpload& on_upload) {
  ClientConnection& connection = client.connection();
  WB_ASSIGN(const std::string sha256, DigestOf(source, &connection));
  Result<v1::Input> known = GetInput(client, "inputs/sha256:" + sha256);
  if (known.ok() || known.status().reason() != Reason::kNotFound) return known;
  v1::Input input;
  Status read;
  const auto time =
      connection.options.timeout + std::chrono::seconds(source.bytes / kBytesPerSecond);
  const Status sent = connection.Retry(
      [&](grpc::ClientContext* context) {
        return InputUpload(source, sha256, on_upload)
            .Send(*connection.inputs, context, &input, &read);
      },
      time);
  WB_TRY(read);
  WB_TRY(sent);
  if (on_upload) on_upload(source.bytes, source.bytes);
  return input;
}

Result<v1::Input> GetInput(Client& client, const std::string& name) {
  ClientConnection& connection = client.connection();
  v1::GetInputRequest request;
  request.set_name(name);
  return connection.Unary(*connection.inputs, &v1::Inputs::Stub::GetInput, request);
}

Status DeleteInput(Client& client, const std::string& name) {
  ClientConnection& connection = client.connection();
  v1::DeleteInputRequest request;
  request.set_name(name);
  return connection.Unary(*connection.inputs, &v1::Inputs::Stub::DeleteInput, request).status();
}

}  // namespace wb
