#include "scheduler/devices/metal/metal_fault.h"

#include <string_view>

namespace wb {
namespace {

struct Known {
  int64_t code;              // of MTLCommandBufferError; 0: known by its text alone
  std::string_view in_text;  // the driver's own name, more telling than the code where it is there
  std::string_view meaning;
};

// In order: texts first, since the driver reports several of them under one code.
constexpr Known kTexts[] = {
    {0, "ImpactingInteractivity", "the system ended it because the display waited for the GPU"},
    {0, "SubmissionsIgnored", "the system ignores this process after its earlier errors"},
    {0, "ErrorHang", "the GPU hung"},
};
constexpr Known kCodes[] = {
    {1, "", "the driver had an internal error"},
    {2, "", "it took too long for the system's watchdog"},
    {3, "", "it touched memory that is not there"},
    {4, "", "the system ignores this process after its earlier errors"},
    {7, "", "this process may not use the GPU; a daemon outside the login session may not"},
    {8, "", "there was not enough memory to run it"},
    {9, "", "it named memory that was freed"},
    {10, "", "the GPU ran out of internal memory"},
    {11, "", "the GPU was removed"},
    {12, "", "the kernel's own stack overflowed"},
};

std::string_view MeaningOf(const MetalError& error) {
  for (const Known& known : kTexts) {
    if (error.text.find(known.in_text) != std::string::npos) return known.meaning;
  }
  if (error.domain == "MTLCommandBufferErrorDomain") {
    for (const Known& known : kCodes) {
      if (known.code == error.code) return known.meaning;
    }
  }
  return "for a reason this version does not know";
}

}  // namespace

Status StatusOfFault(const MetalError& error) {
  return {Reason::kDeviceLost, "The GPU did not finish a slice: " + std::string(MeaningOf(error)) +
                                   " ([" + error.domain + "] code [" + std::to_string(error.code) +
                                   "]: [" + error.text + "])."};
}

}  // namespace wb
