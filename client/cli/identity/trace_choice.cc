#include "client/cli/identity/trace_choice.h"

#include "compiler/base/trace_context.h"

namespace wb::cli {

Result<std::string> ChooseTraceParent(const std::string& flag, const std::string& environment) {
  if (!flag.empty()) {
    if (ParseTraceParent(flag)) return flag;
    return Status(Reason::kInvalidArgument,
                  "The trace of --traceparent [" + flag +
                      "] is not of W3C's form, such as "
                      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.",
                  {{"flag", "--traceparent"}});
  }
  if (ParseTraceParent(environment)) return environment;
  return TraceParentOf(TraceOfCall(""));
}

}  // namespace wb::cli
