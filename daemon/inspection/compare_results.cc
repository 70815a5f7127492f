#include "daemon/inspection/compare_results.h"

#include <algorithm>

namespace wb {
namespace {

constexpr size_t kReadBytes = size_t{4} << 20;

std::string Differ(const char* what, uint64_t stored, uint64_t again) {
  return std::string(what) + " was " + std::to_string(stored) + " and is " + std::to_string(again);
}

bool IsSameStep(const StepResult& a, const StepResult& b) {
  return a.values == b.values && a.trap == b.trap && a.trap_function == b.trap_function &&
         a.trap_offset == b.trap_offset && a.trap_module == b.trap_module;
}

bool IsSameOutput(const Output& a, const Output& b) {
  return a.name == b.name && a.bytes == b.bytes;
}

}  // namespace

std::optional<InstanceResult> StoredResultOf(const JobStore& store, const JobInfo& job,
                                             uint64_t instance) {
  uint64_t position = job.results_dropped;
  while (true) {
    const Result<ResultRow> row = store.Read(job.id, position, ReadBound(kReadBytes));
    if (!row.ok()) return std::nullopt;
    for (const ResultSlice& slice : row->slices) {
      const std::vector<uint64_t>& instances = slice.batch->instances();
      const auto end = instances.begin() + static_cast<ptrdiff_t>(slice.to);
      const auto at =
          std::find(instances.begin() + static_cast<ptrdiff_t>(slice.from), end, instance);
      if (at != end) return slice.batch->At(static_cast<size_t>(at - instances.begin()));
    }
    if (row->next == position) return std::nullopt;
    position = row->next;
  }
}

std::string DifferenceOf(const InstanceResult& stored, const InstanceResult& again) {
  if (stored.end != again.end) {
    return Differ("the end", static_cast<uint64_t>(stored.end), static_cast<uint64_t>(again.end));
  }
  if (stored.trap != again.trap) {
    return "the trap was [" + std::string(TrapWords(stored.trap)) + "] and is [" +
           std::string(TrapWords(again.trap)) + "]";
  }
  if (stored.trap_function != again.trap_function) {
    return Differ("the function of the trap", stored.trap_function, again.trap_function);
  }
  if (stored.trap_offset != again.trap_offset) {
    return Differ("the offset of the trap", stored.trap_offset, again.trap_offset);
  }
  if (stored.step != again.step) return Differ("the step", stored.step, again.step);
  if (stored.fuel != again.fuel) return Differ("the fuel", stored.fuel, again.fuel);
  if (stored.exit_code != again.exit_code) {
    return Differ("the exit code", stored.exit_code, again.exit_code);
  }
  if (stored.memory_pages != again.memory_pages) {
    return Differ("the memory's pages", stored.memory_pages, again.memory_pages);
  }
  if (!std::ranges::equal(stored.steps, again.steps, IsSameStep)) return "values of steps differ";
  if (!std::ranges::equal(stored.outputs, again.outputs, IsSameOutput)) return "outputs differ";
  return "";
}

}  // namespace wb
