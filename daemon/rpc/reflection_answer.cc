#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <grpcpp/support/status.h>

#include <set>

#include "daemon/rpc/reflection.h"
#include "grpc/reflection/v1/reflection.pb.h"

namespace wb {
namespace {

namespace v1 = grpc::reflection::v1;
using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;

const DescriptorPool& Pool() { return *DescriptorPool::generated_pool(); }

// The file before what it imports, each file once.
void AddFile(const FileDescriptor& file, std::set<const FileDescriptor*>* seen,
             v1::FileDescriptorResponse* response) {
  if (!seen->insert(&file).second) return;
  google::protobuf::FileDescriptorProto proto;
  file.CopyTo(&proto);
  response->add_file_descriptor_proto(proto.SerializeAsString());
  for (int i = 0; i < file.dependency_count(); ++i) AddFile(*file.dependency(i), seen, response);
}

void Refuse(const std::string& what, const std::string& name, v1::ErrorResponse* error) {
  error->set_error_code(grpc::StatusCode::NOT_FOUND);
  error->set_error_message("There is no " + what + " [" + name.substr(0, 200) + "].");
}

void AnswerFile(const FileDescriptor* file, const std::string& what, const std::string& name,
                v1::ServerReflectionResponse* response) {
  if (file == nullptr) {
    Refuse(what, name, response->mutable_error_response());
    return;
  }
  std::set<const FileDescriptor*> seen;
  AddFile(*file, &seen, response->mutable_file_descriptor_response());
}

void AnswerExtension(const v1::ExtensionRequest& request, v1::ServerReflectionResponse* response) {
  const Descriptor* type = Pool().FindMessageTypeByName(request.containing_type());
  const FieldDescriptor* extension =
      type == nullptr ? nullptr : Pool().FindExtensionByNumber(type, request.extension_number());
  AnswerFile(extension == nullptr ? nullptr : extension->file(), "extension",
             request.containing_type() + " " + std::to_string(request.extension_number()),
             response);
}

void AnswerNumbers(const std::string& name, v1::ServerReflectionResponse* response) {
  const Descriptor* type = Pool().FindMessageTypeByName(name);
  if (type == nullptr) {
    Refuse("message", name, response->mutable_error_response());
    return;
  }
  std::vector<const FieldDescriptor*> extensions;
  Pool().FindAllExtensions(type, &extensions);
  v1::ExtensionNumberResponse* numbers = response->mutable_all_extension_numbers_response();
  numbers->set_base_type_name(name);
  for (const FieldDescriptor* extension : extensions) {
    numbers->add_extension_number(extension->number());
  }
}

}  // namespace

v1::ServerReflectionResponse ReflectionAnswer(const v1::ServerReflectionRequest& request,
                                              const std::vector<std::string>& services) {
  v1::ServerReflectionResponse response;
  response.set_valid_host(request.host());
  *response.mutable_original_request() = request;
  switch (request.message_request_case()) {
    case v1::ServerReflectionRequest::kFileByFilename:
      AnswerFile(Pool().FindFileByName(request.file_by_filename()), "file",
                 request.file_by_filename(), &response);
      break;
    case v1::ServerReflectionRequest::kFileContainingSymbol:
      AnswerFile(Pool().FindFileContainingSymbol(request.file_containing_symbol()), "symbol",
                 request.file_containing_symbol(), &response);
      break;
    case v1::ServerReflectionRequest::kFileContainingExtension:
      AnswerExtension(request.file_containing_extension(), &response);
      break;
    case v1::ServerReflectionRequest::kAllExtensionNumbersOfType:
      AnswerNumbers(request.all_extension_numbers_of_type(), &response);
      break;
    case v1::ServerReflectionRequest::kListServices:
      for (const std::string& name : services) {
        response.mutable_list_services_response()->add_service()->set_name(name);
      }
      break;
    case v1::ServerReflectionRequest::MESSAGE_REQUEST_NOT_SET:
      response.mutable_error_response()->set_error_code(grpc::StatusCode::INVALID_ARGUMENT);
      response.mutable_error_response()->set_error_message("The request asks for nothing.");
      break;
  }
  return response;
}

}  // namespace wb
