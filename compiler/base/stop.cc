#include "compiler/base/stop.h"

namespace wb {

Status CheckStop(const Stop& stop) {
  if (!stop || !stop()) return {};
  return Status(Reason::kCompileTimeout, "The module takes too long to compile.");
}

}  // namespace wb
