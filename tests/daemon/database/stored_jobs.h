#pragma once

// Jobs and blocks of results that tests put into a DurableStore, and what they find there again.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "daemon/database/durable_store.h"

namespace wb::test {

inline JobRow JobOf(const std::string& id) { return {id, "whole", "shown", "record", false}; }

// Of 10 results.
inline BlockRow BlockOf(const std::string& job, uint64_t first, const std::string& data) {
  const ByteView bytes = AsBytes(data);
  return {job, first, 10, "instances", Bytes(bytes.begin(), bytes.end())};
}

inline void MustCommit(DurableStore& store, const StoreChange& change) {
  const Status status = store.Commit(change);
  ASSERT_TRUE(status.ok()) << status.message();
}

struct LoadedJob {
  JobRow row;
  std::vector<BlockHead> blocks;
};
inline std::vector<LoadedJob> LoadAll(DurableStore& store) {
  std::vector<LoadedJob> all;
  const Status status = store.LoadJobs([&](JobRow row, std::vector<BlockHead> blocks) -> Status {
    all.push_back({std::move(row), std::move(blocks)});
    return {};
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return all;
}

}  // namespace wb::test
