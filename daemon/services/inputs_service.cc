#include <google/protobuf/empty.pb.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "compiler/base/digest_stream.h"
#include "daemon/services/owned.h"
#include "daemon/services/services.h"
#include "daemon/services/stored_inputs.h"
#include "daemon/services/upload_places.h"
#include "daemon/store/input_store.h"
#include "daemon/store/names.h"
#include "daemon/translate/input_column.h"
#include "daemon/translate/translate_time.h"
#include "daemon/translate/translate_value.h"
#include "wasmburst/v1/inputs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using google::protobuf::Empty;

constexpr size_t kMostChunk = 4 << 20;

v1::Input ToProto(const StoredInput& input) {
  v1::Input proto;
  proto.set_name(InputName(input.digest));
  proto.set_size_bytes(input.size_bytes);
  proto.set_values(input.values);
  TimeToProto(input.create_unix_ns, proto.mutable_create_time());
  return proto;
}

Status InputTooLarge(uint64_t size, uint64_t most) {
  return Status(Reason::kLimitTooHigh,
                "The input has [" + std::to_string(size) + "] bytes; inputs.max_bytes allows [" +
                    std::to_string(most) + "]. Split the job, or raise it.",
                {{"field", "size_bytes"}, {"maximum", std::to_string(most)}});
}

// An upload in chunks. Its bytes count in the store as they come; memory for what was announced and
// has not come costs nothing.
class InputUpload : public StreamTarget {
 public:
  InputUpload(ServiceContextRef context, Caller caller, std::shared_ptr<void> place, Whose whose)
      : context_(std::move(context)),
        caller_(std::move(caller)),
        place_(std::move(place)),
        room_(context_->inputs->OpenRoom(whose)) {}

  Status Add(const Message& message) override {
    const auto& chunk = static_cast<const v1::UploadInputRequest&>(message);
    if (!announced_) WB_TRY(Announce(chunk));
    const std::string& data = chunk.data();
    if (data.size() > kMostChunk) {
      return FieldError("data", "has [" + std::to_string(data.size()) + "] bytes; a message has [" +
                                    std::to_string(kMostChunk) + "] at most");
    }
    if (data.size() > block_.size - filled_) {
      return FieldError("size_bytes",
                        "says [" + std::to_string(block_.size) + "], but more bytes came");
    }
    WB_TRY(room_->Grow(data.size()));
    std::memcpy(block_.bytes.get() + filled_, data.data(), data.size());
    digest_.Add(AsBytes(data));
    filled_ += data.size();
    return {};
  }

  Result<MessagePtr> Finish() override {
    if (!announced_) return FieldError("size_bytes", "is needed in the first message; none came");
    if (filled_ != block_.size) {
      return FieldError("size_bytes", "says [" + std::to_string(block_.size) + "], but [" +
                                          std::to_string(filled_) + "] bytes came");
    }
    StoredInput input;
    input.digest = digest_.Finish();
    input.size_bytes = filled_;
    if (input.digest != announced_) {
      return Status(Reason::kDigestMismatch,
                    "The bytes that came have the digest [" + input.digest.Hex() +
                        "], not the one announced.",
                    {{"field", "sha256"}});
    }
    MutexLock lock(*context_->input_changes);
    WB_TRY(KeepInput(*context_, input.digest, {block_.bytes.get(), filled_}));
    Result<Column> column = ReadInputColumn(std::move(block_), input.digest,
                                            [this](uint64_t bytes) { return room_->Grow(bytes); });
    if (!column.ok()) {
      ForgetInput(*context_, input.digest);
      return column.status();
    }
    input.column = std::move(column).value();
    input.values = input.column.count();
    WB_ASSIGN(const StoredInput stored, context_->inputs->Put(std::move(input), std::move(room_)));
    WB_TRY(context_->owners->Add(OwnedKind::kInput, stored.digest, caller_.tenant));
    ForgetOwnersOfGoneInputs(*context_);
    return MessagePtr(std::make_unique<v1::Input>(ToProto(stored)));
  }

 private:
  Status Announce(const v1::UploadInputRequest& first) {
    const uint64_t most = context_->config->Get()->max_input_bytes;
    if (first.size_bytes() == 0) return FieldError("size_bytes", "is needed in the first message");
    if (first.size_bytes() > most) return InputTooLarge(first.size_bytes(), most);
    announced_ = Digest::FromHex(first.sha256());
    if (!announced_) {
      return FieldError("sha256", "must be 64 lower-case hex digits in the first message");
    }
    block_ = ByteBlock::Of(first.size_bytes());
    return {};
  }

  const ServiceContextRef context_;
  const Caller caller_;
  const std::shared_ptr<void> place_;
  std::unique_ptr<InputRoom> room_;
  std::optional<Digest> announced_;
  DigestStream digest_;
  ByteBlock block_;
  size_t filled_ = 0;
};

}  // namespace

MethodTable InputsService(ServiceContextRef context) {
  MethodTable table("wasmburst.v1.Inputs");
  auto places = std::make_shared<UploadPlaces>(context->config->Get()->max_input_uploads,
                                               "inputs.max_uploads");
  table.AddClientStream<v1::UploadInputRequest>(
      "UploadInput",
      [context, places](const Caller& caller,
                        Whose whose) -> Result<std::unique_ptr<StreamTarget>> {
        WB_ASSIGN(std::shared_ptr<void> place, places->Take(whose));
        return std::unique_ptr<StreamTarget>(
            std::make_unique<InputUpload>(context, caller, std::move(place), whose));
      });
  table.AddUnary<v1::GetInputRequest>(
      "GetInput", RunOn::kPool,
      [context](const v1::GetInputRequest& request, const Call& call) -> Result<v1::Input> {
        WB_ASSIGN(const Digest digest, ParseInputName(request.name(), "name"));
        WB_ASSIGN(const StoredInput input, InputFor(*context, call.caller, digest));
        return ToProto(input);
      });
  table.AddUnary<v1::DeleteInputRequest>(
      "DeleteInput", RunOn::kPool,
      [context](const v1::DeleteInputRequest& request, const Call& call) -> Result<Empty> {
        WB_ASSIGN(const Digest digest, ParseInputName(request.name(), "name"));
        MutexLock lock(*context->input_changes);
        WB_TRY(InputFor(*context, call.caller, digest).status());
        WB_ASSIGN(const bool is_last, Disown(*context, call.caller, OwnedKind::kInput, digest));
        if (is_last) WB_TRY(DeleteInput(*context, digest));
        return Empty();
      });
  return table;
}

}  // namespace wb
