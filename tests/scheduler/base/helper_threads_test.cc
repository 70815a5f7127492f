#include "scheduler/base/helper_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace wb {
namespace {

TEST(HelperThreadsTest, EveryPartIsDoneOnceAndTakenInOrderByTheOwner) {
  for (const uint32_t threads : {0u, 1u, 3u}) {
    HelperThreads helpers(threads);
    for (const size_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> done(count);
      std::vector<size_t> taken;
      const auto owner = std::this_thread::get_id();
      helpers.Run(
          count, [&](size_t part) { ++done[part]; },
          [&](size_t part) {
            EXPECT_EQ(done[part].load(), 1);
            EXPECT_EQ(std::this_thread::get_id(), owner);
            taken.push_back(part);
          });
      ASSERT_EQ(taken.size(), count);
      for (size_t i = 0; i < count; ++i) EXPECT_EQ(taken[i], i);
    }
  }
}

TEST(HelperThreadsTest, ThePartsAreShared) {
  HelperThreads helpers(2);
  Mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<uint32_t> inside{0};
  helpers.Run(
      3,
      [&](size_t) {
        {
          MutexLock lock(mutex);
          threads.insert(std::this_thread::get_id());
        }
        // No thread leaves before all three are here, so none can have two parts.
        for (++inside; inside < 3;) std::this_thread::yield();
      },
      [](size_t) {});
  EXPECT_EQ(threads.size(), 3u);
}

}  // namespace
}  // namespace wb
