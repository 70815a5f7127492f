#include "client/cli/output/session.h"

#include <cerrno>
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
    case Code::kUnauthenticated: return kNotAllowed;
    case Code::kPermissionDenied: return kNotAllowed;
    case Code::kUnavailable: return 5;
    case Code::kDeadlineExceeded: return 5;
    case Code::kResourceExhausted: return 6;
    case Code::kCancelled: return kInterrupted;
    case Code::kDataLoss: return 70;
    case Code::kInternal: return 70;
  }
  return 70;
}

namespace {

int output_error = 0;  // one thread prints

void NoteOutput(bool worked) {
  if (!worked && output_error == 0) output_error = errno == 0 ? EIO : errno;
}

}  // namespace

void Session::Print(const std::string& text) {
  if (output_error != 0) return;
  NoteOutput(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void Session::PrintMessage(const google::protobuf::Message& message) const {
  std::string text = MessageJson(message, format() == Format::kJson);
  Print(text.ends_with("\n") ? text : text + "\n");
}

void Session::Talk(const std::string& text) const {
  if (!flags_.quiet) std::fprintf(stderr, "%s\n", text.c_str());
}

bool Session::OutputWorks() {
  if (output_error == 0) NoteOutput(std::fflush(stdout) == 0);
  return output_error == 0;
}

int Session::OutputError() { return output_error; }

}  // namespace wb::cli
