#pragma once

// ClusterTest: several daemons over one store in memory, each with a scheduler that is a fake.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/cluster/cluster_member.h"
#include "tests/daemon/cluster/model_store.h"
#include "tests/daemon/cluster/shared_model.h"
#include "tests/daemon/fake_scheduler.h"

namespace wb::test {

inline constexpr uint64_t kMostResults = uint64_t{1} << 30;  // bytes, of all jobs
inline constexpr auto kPatience = std::chrono::seconds(30);

// Also what is kept of the request, and what is shown of it: "FUNCTION INSTANCES TENANT".
inline std::string TextOf(const std::string& function, uint64_t instances,
                          const std::string& tenant = "") {
  return function + " " + std::to_string(instances) + " " + tenant;
}

inline JobRequest RequestOf(const std::string& text) {
  const size_t blank = text.find(' ');
  JobRequest request;
  size_t digits = 0;
  request.instances = std::stoull(text.substr(blank), &digits);
  if (blank + digits < text.size()) request.tenant = text.substr(blank + digits + 1);
  request.most_result_bytes = request.most_part_bytes = 100;
  CallStep call;
  call.function = text.substr(0, blank);
  request.steps.push_back(call);
  const auto sent = std::make_shared<SentRequest>();
  sent->whole = sent->shown = text;
  request.sent = sent;
  return request;
}

// Without a ClusterMember it hears no news.
inline std::shared_ptr<ClusterJobStore> JobsOf(const std::shared_ptr<SharedModelStore>& store) {
  JobStoreLimits limits;
  limits.results.max_bytes = limits.results.max_tenant_bytes = kMostResults;
  limits.ttl_ns = int64_t{3600} * 1'000'000'000;
  const auto read = [](const std::string& shown) -> Result<JobRequest> { return RequestOf(shown); };
  return std::make_shared<ClusterJobStore>(store, limits, read, [] { return int64_t{1'000'000}; });
}

class Host {
 public:
  Host(const std::shared_ptr<SharedModel>& model, const std::string& name, double per_second = 0)
      : store(std::make_shared<SharedModelStore>(model, name)),
        scheduler(7, per_second),
        jobs(JobsOf(store)) {
    ClusterMember::Parts parts;
    parts.store = store;
    parts.jobs = jobs;
    parts.scheduler = &scheduler;
    parts.prepare = [](const std::string& whole) -> Result<Submission> {
      return Submission{RequestOf(whole), {}, nullptr, nullptr};
    };
    parts.facts = [name] { return "devices of " + name; };
    parts.lease = std::chrono::milliseconds(100);
    parts.max_memory_bytes = uint64_t{1} << 30;
    member = std::move(ClusterMember::Start(std::move(parts))).value();
  }

  std::string Create(const std::string& function, uint64_t instances,
                     const std::string& tenant = "") {
    return jobs->Create(RequestOf(TextOf(function, instances, tenant)))->job.id;
  }

  std::shared_ptr<SharedModelStore> store;
  FakeScheduler scheduler;
  std::shared_ptr<ClusterJobStore> jobs;
  std::unique_ptr<ClusterMember> member;
};

class ClusterTest : public testing::Test {
 protected:
  template <typename Predicate>
  static bool Await(Predicate&& holds) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!holds()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }

  static JobInfo AwaitEnd(const Host& host, const std::string& id) {
    EXPECT_TRUE(Await([&] {
      const Result<JobInfo> job = host.jobs->Get(id);
      return job.ok() && IsTerminal(job->state);
    })) << JobStateName(host.jobs->Get(id)->state);
    return *host.jobs->Get(id);
  }

  // The instances of the results, as a reader has them.
  static std::vector<uint64_t> ReadAll(const Host& host, const std::string& id) {
    std::vector<uint64_t> instances;
    uint64_t position = 0;
    while (true) {
      const Result<ResultRow> row = host.jobs->Read(id, position, 1000);
      EXPECT_TRUE(row.ok()) << row.status().ToString();
      if (!row.ok()) return instances;
      for (const ResultSlice& slice : row->slices) {
        for (size_t i = slice.from; i < slice.to; ++i) {
          instances.push_back(slice.batch->instances()[i]);
        }
      }
      position = row->next;
      if (row->last) return instances;
    }
  }

  static void ExpectEachOnce(const Host& host, const std::string& id, uint64_t instances) {
    const std::vector<uint64_t> all = ReadAll(host, id);
    EXPECT_EQ(all.size(), instances);
    EXPECT_EQ(std::set<uint64_t>(all.begin(), all.end()).size(), instances);
  }

  // As if the job's results were of so many bytes.
  void Fill(const std::string& id, uint64_t bytes) {
    const std::lock_guard lock(model_->mutex);
    SharedModel::Job& job = model_->jobs.at(id);
    job.row.bytes = bytes;
    ++job.row.version;
    model_->changes[id] = ++model_->last_change;
    model_->news.notify_all();
  }

  bool HasClaimed(const Host& host) {
    const std::lock_guard lock(model_->mutex);
    for (const auto& [id, held] : model_->chunks) {
      if (held.host == host.store->hosts().id() && !held.left.empty()) return true;
    }
    return false;
  }

  const std::shared_ptr<SharedModel> model_ = std::make_shared<SharedModel>();
};

}  // namespace wb::test
