// What it costs to map a GPU's memory group by group, beside one allocation of the same size.
//
//   cuda_mapping [DRIVER]
//
// A row for every number of groups of lanes and of granules (2 MiB on today's GPUs) that each gets
// in one piece: milliseconds to reserve the addresses, then microseconds a group to create its
// memory, to map it and to allow access, and to unmap it; all of it in milliseconds, and one
// cuMemAlloc with its cuMemFree. Then the same for one granule more for every group, which is a
// lane that grows. DRIVER: libcuda.so.1 by path. Without a GPU that can map it says why and
// exits 77.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "scheduler/devices/cuda/cuda_context.h"

namespace wb {
namespace {

constexpr int kSkipped = 77;
constexpr uint64_t kGroups[] = {1000, 8448};  // 8,448: all lanes of an H200
constexpr uint64_t kGranules[] = {1, 4, 16};

unsigned long Number(uint64_t number) { return static_cast<unsigned long>(number); }

class Timer {
 public:
  double Milliseconds() {
    const auto now = std::chrono::steady_clock::now();
    const double passed = std::chrono::duration<double, std::milli>(now - begin_).count();
    begin_ = now;
    return passed;
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// Milliseconds, all groups together.
struct Times {
  double reserve = 0, create = 0, map = 0, access = 0, unmap = 0;
};

class Mapping {
 public:
  Mapping(const CudaContext& context, uint64_t groups, uint64_t granules)
      : context_(context), driver_(context.driver()), groups_(groups), granules_(granules) {}

  // Room for one granule more behind each group's piece.
  Status Reserve(Times* times) {
    Timer timer;
    WB_CUDA_TRY(driver_, address_reserve, (&address_, Bytes(), context_.granule(), 0, 0));
    times->reserve = timer.Milliseconds();
    return {};
  }
  // `granules` of every group from `at` on.
  Status MapAll(uint64_t at, uint64_t granules, Times* times) {
    const uint64_t bytes = granules * context_.granule();
    CudaAllocation of;
    CudaAccess access;
    of.place.device = access.place.device = context_.device();
    for (uint64_t group = 0; group < groups_; ++group) {
      uint64_t memory = 0;
      Timer timer;
      WB_CUDA_TRY(driver_, physical_create, (&memory, bytes, &of, 0));
      times->create += timer.Milliseconds();
      const int mapped = driver_.memory_map(AddressOf(group, at), bytes, 0, memory, 0);
      driver_.physical_release(memory);
      if (mapped != 0) return driver_.Error("memory_map", mapped);
      pieces_.push_back({AddressOf(group, at), bytes});
      times->map += timer.Milliseconds();
      WB_CUDA_TRY(driver_, memory_access, (AddressOf(group, at), bytes, &access, 1));
      times->access += timer.Milliseconds();
    }
    return {};
  }
  void UnmapAll(Times* times) {
    Timer timer;
    for (const Piece& piece : pieces_) driver_.memory_unmap(piece.address, piece.bytes);
    if (!pieces_.empty()) times->unmap = timer.Milliseconds();
    pieces_.clear();
  }
  ~Mapping() {
    Times unused;
    UnmapAll(&unused);
    if (address_ != 0) driver_.address_free(address_, Bytes());
  }

 private:
  struct Piece {
    uint64_t address = 0;
    uint64_t bytes = 0;
  };
  uint64_t Bytes() const { return groups_ * (granules_ + 1) * context_.granule(); }
  uint64_t AddressOf(uint64_t group, uint64_t at) const {
    return address_ + (group * (granules_ + 1) + at) * context_.granule();
  }

  const CudaContext& context_;
  const CudaDriver& driver_;
  const uint64_t groups_;
  const uint64_t granules_;
  uint64_t address_ = 0;
  std::vector<Piece> pieces_;
};

Status TimeAllocation(const CudaDriver& driver, uint64_t bytes, double* milliseconds) {
  uint64_t address = 0;
  Timer timer;
  WB_CUDA_TRY(driver, memory_alloc, (&address, bytes));
  WB_CUDA_TRY(driver, memory_free, (address));
  *milliseconds = timer.Milliseconds();
  return {};
}

void Print(const char* what, uint64_t groups, uint64_t granules, const Times& times,
           double allocation) {
  const double each = 1000.0 / static_cast<double>(groups);
  const double all = times.reserve + times.create + times.map + times.access;
  std::printf("%-8s %7lu %8lu   %9.2f %9.1f %9.1f %9.1f %9.1f   %10.1f %10.1f\n", what,
              Number(groups), Number(granules), times.reserve, times.create * each,
              times.map * each, times.access * each, times.unmap * each, all, allocation);
  std::fflush(stdout);
}

Status Row(const CudaContext& context, uint64_t groups, uint64_t granules) {
  const CudaDriver& driver = context.driver();
  double whole = 0, more = 0;
  WB_TRY(TimeAllocation(driver, groups * granules * context.granule(), &whole));
  WB_TRY(TimeAllocation(driver, groups * context.granule(), &more));
  Times first, grown;
  Mapping mapping(context, groups, granules);
  WB_TRY(mapping.Reserve(&first));
  WB_TRY(mapping.MapAll(0, granules, &first));
  WB_TRY(mapping.MapAll(granules, 1, &grown));
  mapping.UnmapAll(&first);  // both
  Print("first", groups, granules, first, whole);
  Print("one more", groups, 1, grown, more);
  return {};
}

int Skip(const std::string& why) {
  std::printf("cuda_mapping: %s\n", why.c_str());
  return kSkipped;
}

int Main(int argc, char** argv) {
  const auto driver = OpenCudaDriver(argc > 1 ? argv[1] : "");
  if (!driver.ok()) return Skip(driver.status().ToString());
  const auto context = CudaContext::Open(*driver, 0);
  if (!context.ok()) return Skip(context.status().ToString());
  const CudaContext& gpu = **context;
  if (gpu.granule() == 0) return Skip("this GPU or its driver maps no memory on demand");
  std::printf("%s: granules of %lu KiB; microseconds a group but for ms\n", gpu.name().c_str(),
              Number(gpu.granule() >> 10));
  std::printf("%-8s %7s %8s   %9s %9s %9s %9s %9s   %10s %10s\n", "", "groups", "granules",
              "reserve ms", "create", "map", "access", "unmap", "all ms", "cuMemAlloc");
  for (const uint64_t groups : kGroups) {
    for (const uint64_t granules : kGranules) {
      const Status status = Row(gpu, groups, granules);
      if (status.ok()) continue;
      std::printf("%-8s %7lu %8lu   %s\n", "", Number(groups), Number(granules),
                  status.ToString().c_str());
      if (status.reason() != Reason::kNoDeviceFits) return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace wb

int main(int argc, char** argv) { return wb::Main(argc, argv); }
