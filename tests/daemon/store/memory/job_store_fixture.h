#pragma once

// A store in memory with small limits and a clock of the test's own.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "daemon/store/memory/memory_job_store.h"

namespace wb {

class JobStoreTest : public testing::Test {
 protected:
  JobRequest Request(const std::string& request_id = "", const std::string& body = "") {
    JobRequest request;
    request.instances = 10;
    request.request_id = request_id;
    request.body = Sha256(AsBytes(body));
    return request;
  }
  std::string NewJob(const std::string& request_id = "") {
    Result<JobStore::Created> created = store_.Create(Request(request_id));
    EXPECT_TRUE(created.ok());
    return store_.Publish(created->job.id).id;
  }
  static std::vector<InstanceResult> Results(uint64_t first, uint64_t count, size_t bytes = 0) {
    std::vector<InstanceResult> results;
    for (uint64_t i = 0; i < count; ++i) {
      InstanceResult result;
      result.instance = first + i;
      if (bytes > 0) result.outputs.push_back({"out", Bytes(bytes)});
      results.push_back(result);
    }
    return results;
  }
  static std::vector<uint64_t> InstancesOf(const ResultRow& row) {
    std::vector<uint64_t> instances;
    for (const ResultSlice& slice : row.slices) {
      for (size_t i = slice.from; i < slice.to; ++i) {
        instances.push_back(slice.batch->instances()[i]);
      }
    }
    return instances;
  }

  int64_t now_ = 1'700'000'000'000'000'000;
  JobStoreLimits limits_{5, {1 << 20, 0, 100'000}, 1000};
  MemoryJobStore store_{limits_, [this] { return now_; }};
};

}  // namespace wb
