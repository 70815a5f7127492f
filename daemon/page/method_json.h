#pragma once

// The methods of proto/ by their names, and their messages as JSON (the mapping of protobuf). Pure.

#include <memory>
#include <string>
#include <string_view>

#include "compiler/base/status.h"
#include "daemon/rpc/rpc.h"

namespace grpc {
class Status;
}

namespace wb {

struct BridgedMethod {
  std::string path;                   // "/wasmburst.v1.Jobs/GetJob"
  bool is_stream = false;             // the daemon answers with many messages
  const Message* request = nullptr;   // of its type, empty
  const Message* response = nullptr;  // likewise
};

// "wasmburst.v1.Jobs/GetJob". NOT_FOUND; INVALID_ARGUMENT: the method reads a stream.
Result<BridgedMethod> FindMethod(std::string_view name);

// MALFORMED_REQUEST says where.
Result<MessagePtr> ReadJson(const BridgedMethod& method, const std::string& json);

// {"message":{...}}, and a line end.
std::string MessageLine(const Message& message);
// {"error":{"code":5,"message":...,"details":[...]}}, as google.rpc.Status, and a line end.
std::string ErrorLine(const Status& status);
std::string ErrorLine(const grpc::Status& status);

}  // namespace wb
