#include "client/cli/session.h"

#include <cstdio>

namespace wb::cli {

int ExitCodeOf(const Status& status) {
  if (status.reason() == Reason::kModuleMissing) return 3;
  if (status.reason() == Reason::kIoError) return 2;
  switch (status.code()) {
    case Code::kOk: return 0;
    case Code::kInvalidArgument: return 2;
    case Code::kFailedPrecondition: return 2;
    case Code::kAlreadyExists: return 2;
    case Code::kOutOfRange: return 2;
    case Code::kNotFound: return 3;
    case Code::kUnavailable: return 5;
    case Code::kDeadlineExceeded: return 5;
    case Code::kResourceExhausted: return 6;
    case Code::kCancelled: return kInterrupted;
    case Code::kInternal: return 70;
  }
  return 70;
}

void Session::Print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void Session::PrintMessage(const google::protobuf::Message& message) const {
  std::string text = MessageJson(message, format() == Format::kJson);
  Print(text.ends_with("\n") ? text : text + "\n");
}

void Session::Talk(const std::string& text) const {
  if (!flags_.quiet) std::fprintf(stderr, "%s\n", text.c_str());
}

bool Session::OutputWorks() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace wb::cli
