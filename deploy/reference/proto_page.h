#pragma once

// A file of proto/ as a page of the reference: its services, messages and enumerations, with what
// their comments say.

#include <string>

namespace google::protobuf {
class FileDescriptor;
}

namespace wb {

// In Markdown. `file` was made with its source info, else there are no comments. Pure.
std::string ProtoPage(const google::protobuf::FileDescriptor& file);

}  // namespace wb
