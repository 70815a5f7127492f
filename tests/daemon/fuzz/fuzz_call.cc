#include "tests/daemon/fuzz/fuzz_call.h"

#include <algorithm>

#include "compiler/base/check.h"
#include "wasmburst/v1/admin.pb.h"
#include "wasmburst/v1/inputs.pb.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/modules.pb.h"
#include "wasmburst/v1/session.pb.h"
#include "wasmburst/v1/tenants.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kLongest = 0xffff;  // bytes of a message

// What is left of an input; behind its end there are zeros.
class Unread {
 public:
  explicit Unread(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }
  std::string Text(size_t size) {
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(text.size());
    return text;
  }

 private:
  std::string_view bytes_;
};

std::vector<FuzzMethod> AllMethods() {
  std::vector<FuzzMethod> methods;
  for (const google::protobuf::FileDescriptor* file :
       {v1::CreateModuleRequest::descriptor()->file(), v1::UploadInputRequest::descriptor()->file(),
        v1::CreateJobRequest::descriptor()->file(), v1::CordonDeviceRequest::descriptor()->file(),
        v1::CreateTokenRequest::descriptor()->file(),
        v1::OpenSessionRequest::descriptor()->file()}) {
    const google::protobuf::ServiceDescriptor* service = file->service(0);
    for (int i = 0; i < service->method_count(); ++i) {
      const google::protobuf::MethodDescriptor* method = service->method(i);
      methods.push_back({"/" + service->full_name() + "/" + method->name(), method->input_type()});
    }
  }
  return methods;
}

}  // namespace

FuzzCalls DecodeCalls(std::string_view bytes) {
  Unread rest(bytes);
  FuzzCalls calls;
  while (!rest.empty() && calls.size() < kMostFuzzCalls) {
    FuzzCall call;
    call.method = static_cast<uint8_t>(rest.Byte() % FuzzMethods().size());
    const uint8_t shape = rest.Byte();
    call.caller = shape >> 3;
    for (int i = 0; i < (shape & 7); ++i) {
      const size_t low = rest.Byte();
      call.messages.push_back(rest.Text(low | size_t{rest.Byte()} << 8));
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

std::string EncodeCalls(const FuzzCalls& calls) {
  std::string bytes;
  for (size_t i = 0; i < std::min(calls.size(), kMostFuzzCalls); ++i) {
    const FuzzCall& call = calls[i];
    const size_t messages = std::min(call.messages.size(), kMostFuzzMessages);
    bytes += static_cast<char>(call.method);
    bytes += static_cast<char>(call.caller << 3 | messages);
    for (size_t m = 0; m < messages; ++m) {
      const std::string message = call.messages[m].substr(0, kLongest);
      bytes += static_cast<char>(message.size() & 0xff);
      bytes += static_cast<char>(message.size() >> 8);
      bytes += message;
    }
  }
  return bytes;
}

const std::vector<FuzzMethod>& FuzzMethods() {
  static const std::vector<FuzzMethod>* const methods = new std::vector<FuzzMethod>(AllMethods());
  return *methods;
}

uint8_t FuzzMethodNumber(std::string_view path) {
  const std::vector<FuzzMethod>& methods = FuzzMethods();
  const auto at = std::find_if(methods.begin(), methods.end(),
                               [path](const FuzzMethod& method) { return method.path == path; });
  WB_CHECK(at != methods.end());
  return static_cast<uint8_t>(at - methods.begin());
}

}  // namespace wb
