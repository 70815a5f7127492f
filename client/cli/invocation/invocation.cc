#include "client/cli/invocation/invocation.h"

#include <cstdio>

#include "client/cli/output/standard_output.h"

namespace wb::cli {

void Invocation::PrintMessage(const google::protobuf::Message& message) const {
  const std::string text = MessageJson(message, format() == Format::kJson);
  Print(text.ends_with("\n") ? text : text + "\n");
}

void Invocation::Talk(const std::string& text) const {
  if (!flags_.quiet) std::fprintf(stderr, "%s\n", text.c_str());
}

}  // namespace wb::cli
