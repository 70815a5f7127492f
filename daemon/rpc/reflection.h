#pragma once

// Server reflection v1 (proto/grpc/reflection/v1) over the messages linked into the program.

#include <memory>
#include <string>
#include <vector>

namespace grpc {
class Service;
namespace reflection::v1 {
class ServerReflectionRequest;
class ServerReflectionResponse;
}  // namespace reflection::v1
}  // namespace grpc

namespace wb {

// Pure. `services`: the names of those that the server has.
grpc::reflection::v1::ServerReflectionResponse ReflectionAnswer(
    const grpc::reflection::v1::ServerReflectionRequest& request,
    const std::vector<std::string>& services);

// Answers each message of a stream with one.
std::unique_ptr<grpc::Service> MakeReflectionService(std::vector<std::string> services);

}  // namespace wb
