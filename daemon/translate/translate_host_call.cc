#include "daemon/translate/translate_host_call.h"

#include <utility>

#include "daemon/translate/translate_value.h"

namespace wb {

namespace v1 = wasmburst::v1;

Result<CallBytes> CallBytesFromProto(const v1::CallBytes& proto, const std::string& field) {
  CallBytes bytes;
  bytes.pointer = proto.pointer();
  switch (proto.length_case()) {
    case v1::CallBytes::kLengthArgument:
      bytes.how = CallBytes::Length::kArgument;
      bytes.length = proto.length_argument();
      return bytes;
    case v1::CallBytes::kConstantLength:
      bytes.how = CallBytes::Length::kConstant;
      bytes.length = proto.constant_length();
      return bytes;
    case v1::CallBytes::kUntilZero:
      bytes.how = CallBytes::Length::kUntilZero;
      if (proto.until_zero()) return bytes;
      break;
    case v1::CallBytes::LENGTH_NOT_SET: break;
  }
  return FieldError(field, "needs length_argument, constant_length or until_zero");
}

void CallBytesToProto(const CallBytes& bytes, v1::CallBytes* proto) {
  proto->set_pointer(bytes.pointer);
  switch (bytes.how) {
    case CallBytes::Length::kArgument: proto->set_length_argument(bytes.length); break;
    case CallBytes::Length::kConstant: proto->set_constant_length(bytes.length); break;
    case CallBytes::Length::kUntilZero: proto->set_until_zero(true); break;
  }
}

void HostCallToProto(const HostCall& call, const std::string& import, v1::HostCall* proto) {
  proto->set_instance(call.instance);
  proto->set_number(call.number);
  proto->set_import(import);
  for (const Value& value : call.args) ValueToProto(value, proto->add_args());
  for (const Bytes& bytes : call.bytes) proto->add_bytes(bytes.data(), bytes.size());
}

HostAnswer HostAnswerFromProto(const v1::HostAnswer& proto) {
  HostAnswer answer;
  answer.instance = proto.instance();
  answer.number = proto.number();
  answer.error = proto.error();
  for (int i = 0; i < proto.results_size() && answer.error.empty(); ++i) {
    const Result<Value> value =
        ValueFromProto(proto.results(i), "answer.results[" + std::to_string(i) + "]");
    if (value.ok()) {
      answer.results.push_back(*value);
    } else {
      answer.error = value.status().message();
    }
  }
  for (const v1::MemoryWrite& write : proto.writes()) {
    const auto* data = reinterpret_cast<const uint8_t*>(write.data().data());
    answer.writes.push_back({write.pointer(), Bytes(data, data + write.data().size())});
  }
  return answer;
}

}  // namespace wb
