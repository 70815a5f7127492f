#include "daemon/page/method_json.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/support/status.h>

#include "daemon/translate/translate_status.h"
#include "google/rpc/status.pb.h"

namespace wb {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::MessageFactory;
using google::protobuf::MethodDescriptor;

constexpr std::string_view kPackage = "wasmburst.v1.";

std::string JsonOf(const Message& message) {
  std::string json;
  return google::protobuf::util::MessageToJsonString(message, &json).ok() ? json : "{}";
}

std::string ErrorOf(const google::rpc::Status& status) {
  return "{\"error\":" + JsonOf(status) + "}\n";
}

// The parser quotes what it read, which may be no UTF-8.
std::string Shown(std::string_view words) {
  std::string shown(words.substr(0, 500));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  return shown;
}

const Message* Prototype(const google::protobuf::Descriptor* type) {
  return MessageFactory::generated_factory()->GetPrototype(type);
}

}  // namespace

Result<BridgedMethod> FindMethod(std::string_view name) {
  std::string full(name);
  const size_t slash = full.find('/');
  if (slash != std::string::npos) full[slash] = '.';
  const MethodDescriptor* method = nullptr;
  if (slash != std::string::npos && full.starts_with(kPackage)) {
    method = DescriptorPool::generated_pool()->FindMethodByName(full);
  }
  if (method == nullptr) {
    return Status(Reason::kNotFound, "There is no method [" + Shown(name) + "].");
  }
  if (method->client_streaming()) {
    return Status(Reason::kInvalidArgument,
                  "The method [" + Shown(name) + "] reads a stream, for which it needs gRPC.");
  }
  return BridgedMethod{"/" + std::string(name), method->server_streaming(),
                       Prototype(method->input_type()), Prototype(method->output_type())};
}

Result<MessagePtr> ReadJson(const BridgedMethod& method, const std::string& json) {
  MessagePtr message(method.request->New());
  const auto status = google::protobuf::util::JsonStringToMessage(json, message.get());
  if (status.ok()) return message;
  return Status(Reason::kMalformedRequest,
                "The body is no JSON of the message [" + message->GetTypeName() + "]: " +
                    Shown(std::string_view(status.message().data(), status.message().size())),
                {{"field", "request"}, {"type", message->GetTypeName()}});
}

std::string MessageLine(const Message& message) {
  return "{\"message\":" + JsonOf(message) + "}\n";
}

std::string ErrorLine(const Status& status) {
  google::rpc::Status error;
  ToProto(status, &error);
  return ErrorOf(error);
}

std::string ErrorLine(const grpc::Status& status) {
  google::rpc::Status error;
  if (!error.ParseFromString(status.error_details()) || error.code() == 0) {
    error.Clear();
    error.set_code(status.error_code());
    error.set_message(status.error_message());
  }
  return ErrorOf(error);
}

}  // namespace wb
