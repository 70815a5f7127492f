#include "compiler/base/status.h"

#include "compiler/base/check.h"

namespace wb {
namespace {

struct ErrorRow {
  std::string_view name;
  Code code;
  std::string_view advice;
};

constexpr ErrorRow kErrors[] = {
    {"OK", Code::kOk, ""},
#define WB_ERROR(name, reason, code, advice) {reason, Code::k##code, advice},
#include "compiler/base/errors.def"
#undef WB_ERROR
};

}  // namespace

std::string_view ReasonName(Reason reason) { return kErrors[static_cast<size_t>(reason)].name; }
std::string_view ReasonAdvice(Reason reason) { return kErrors[static_cast<size_t>(reason)].advice; }
Code ReasonCode(Reason reason) { return kErrors[static_cast<size_t>(reason)].code; }
bool IsOfMachine(Reason reason) {
  return reason == Reason::kMachineFault || reason == Reason::kIoError ||
         reason == Reason::kDeviceLost;
}

std::string Status::ToString() const {
  std::string text(ReasonName(reason_));
  if (ok()) return text;
  text += ": " + message_;
  for (const Detail& detail : details_) text += " [" + detail.key + " " + detail.value + "]";
  return text;
}

}  // namespace wb
