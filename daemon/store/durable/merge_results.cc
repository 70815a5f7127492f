#include "daemon/store/durable/merge_results.h"

#include <map>
#include <string>
#include <utility>

namespace wb {

void MergeResults(std::vector<JobEvent>* events) {
  std::vector<JobEvent> merged;
  std::map<std::string, size_t> last;  // event of results, by job
  for (JobEvent& event : *events) {
    if (event.kind != JobEventKind::kResults) {
      last.erase(event.id);
      merged.push_back(std::move(event));
      continue;
    }
    const auto at = last.find(event.id);
    JobEvent* const before = at == last.end() ? nullptr : &merged[at->second];
    if (before != nullptr && before->results->size() + event.results->size() <= kMostMerged) {
      before->results->Append(*event.results);
      before->totals.Add(event.totals);
      continue;
    }
    last[event.id] = merged.size();
    merged.push_back(std::move(event));
  }
  *events = std::move(merged);
}

}  // namespace wb
