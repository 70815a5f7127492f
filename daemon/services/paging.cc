#include "daemon/services/paging.h"

#include <sstream>
#include <string_view>

#include "daemon/store/names.h"
#include "daemon/translate/translate_value.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

constexpr size_t kDefaultSize = 100;
constexpr size_t kLargestSize = 1000;
constexpr uint32_t kAllStates = (1u << kJobStates) - 1;

}  // namespace

Result<size_t> PageSize(int32_t asked) {
  if (asked < 0) return FieldError("page_size", "must not be negative");
  if (asked == 0) return kDefaultSize;
  return std::min(static_cast<size_t>(asked), kLargestSize);
}

Result<uint32_t> ParseStateFilter(const std::string& filter) {
  if (filter.find_first_not_of(' ') == std::string::npos) return kAllStates;
  std::istringstream words(filter);
  uint32_t states = 0;
  std::string field, equals, name, joiner = "OR";
  while (joiner == "OR") {
    wasmburst::v1::Job::State state;
    bool parsed = static_cast<bool>(words >> field >> equals >> name) && field == "state" &&
                  equals == "=" && wasmburst::v1::Job::State_Parse(name, &state) &&
                  state != wasmburst::v1::Job::STATE_UNSPECIFIED;
    if (!parsed) break;
    states |= 1u << (static_cast<int>(state) - 1);
    if (!(words >> joiner)) return states;
  }
  return FieldError("filter", "has the value [" + filter.substr(0, 200) +
                                  "]; it must be like [state = RUNNING OR state = QUEUED]");
}

std::string MakeJobPageToken(const JobPageToken& token) {
  return std::to_string(token.states) + "-" + token.after;
}

Result<std::string> ParseJobPageToken(const std::string& token, uint32_t states) {
  if (token.empty()) return std::string();
  std::string prefix = std::to_string(states) + "-";
  if (token.starts_with(prefix) && IsJobId(token.substr(prefix.size()))) {
    return token.substr(prefix.size());
  }
  return FieldError("page_token", "was not given for this list and filter");
}

}  // namespace wb
