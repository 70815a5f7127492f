#include "client/cli/output/exit_code.h"

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

}  // namespace wb::cli
