#include "client/job_inputs.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

// An uploaded column takes about a hundred bytes of the request; what is shorter is better in it.
constexpr size_t kSmallColumn = 4 << 10;

}  // namespace

std::vector<int> ColumnsToUpload(const wasmburst::v1::CreateJobRequest& request, size_t most) {
  size_t left = request.ByteSizeLong();
  if (left <= most) return {};
  std::vector<std::pair<size_t, int>> by_size;
  for (int i = 0; i < request.job().columns_size(); ++i) {
    by_size.emplace_back(request.job().columns(i).ByteSizeLong(), i);
  }
  std::sort(by_size.rbegin(), by_size.rend());
  std::vector<int> large;
  for (const auto& [size, index] : by_size) {
    if (left <= most || size <= kSmallColumn) break;
    large.push_back(index);
    left -= size;
  }
  std::sort(large.begin(), large.end());
  return large;
}

}  // namespace wb
