#include "client/cli/top/looker.h"

#include "client/cli/output/first_traps.h"
#include "client/cli/output/forecast_text.h"
#include "client/services/devices.h"
#include "client/services/jobs.h"
#include "client/services/server.h"
#include "client/services/tenants.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr uint64_t kMostFailures = 3;
constexpr uint64_t kMostMessages = 256;

// How an instance failed that did not trap; empty: it did not.
std::string FailureLine(const v1::InstanceResult& result) {
  const bool exited_well = result.end() == v1::EXITED && result.exit_code() == 0;
  if (result.end() == v1::RETURNED || exited_well) return "";
  const std::string how = result.end() == v1::EXITED
                              ? "exited with " + std::to_string(result.exit_code())
                              : "ended " + v1::End_Name(result.end());
  return "instance " + std::to_string(result.instance()) + " " + how + " after " +
         std::to_string(result.fuel()) + " instructions\n";
}

}  // namespace

Result<TopFacts> TopLooker::Look(const TopInterest& interest) {
  TopFacts facts;
  WB_ASSIGN(facts.devices, ListDevices(*client_));
  v1::ListJobsRequest jobs;
  jobs.set_page_size(kMostJobs);
  WB_ASSIGN(facts.jobs, ListJobs(*client_, jobs));
  LookAtBursts(&facts);
  if (looks_++ % kSeldom == 0) LookSeldom(&facts);
  LookCloser(interest, &facts);
  facts.unix_ns = UnixNow();
  return facts;
}

// What fails here is shown as it was before.
void TopLooker::LookSeldom(TopFacts* facts) {
  if (auto server = GetServerInfo(*client_); server.ok()) facts->server = std::move(*server);
  if (auto cache = ListCache(*client_); cache.ok()) {
    cache->clear_entries();
    facts->cache = std::move(*cache);
  }
}

void TopLooker::LookAtBursts(TopFacts* facts) {
  v1::WatchBurstsRequest request;
  request.set_resume_token(burst_token_);
  (void)WatchBursts(*client_, request, [&](const v1::BurstEvent& event) {
    if (!event.resume_token().empty()) burst_token_ = event.resume_token();
    facts->bursts.MergeFrom(event);
    return true;
  });
}

void TopLooker::LookCloser(const TopInterest& interest, TopFacts* facts) {
  if (interest.view == TopView::kTenants) {
    auto tenants = ListTenants(*client_);
    if (tenants.ok()) {
      facts->tenants = std::move(*tenants);
    } else {
      facts->tenants_trouble = tenants.status().message();
    }
  }
  if (interest.job.empty()) return;
  auto job = GetJob(*client_, interest.job);
  if (job.ok()) {
    facts->page = std::move(*job);
  } else {
    facts->page_trouble = job.status().message();
  }
}

TopAnswer ReadFirstFailures(Client& client, const std::string& job) {
  FirstTraps traps;
  std::string others;
  uint64_t found = 0;
  uint64_t messages = 0;
  v1::ReadResultsRequest request;
  request.set_name(job);
  const Status status = ReadResults(client, request, [&](const v1::ReadResultsResponse& message) {
    for (const v1::InstanceResult& result : message.results()) {
      const std::string line = FailureLine(result);
      if (line.empty() || found >= kMostFailures) continue;
      ++found;
      if (result.end() == v1::TRAPPED) {
        traps.Add(result);
      } else {
        others += line;
      }
    }
    return found < kMostFailures && ++messages < kMostMessages;
  });
  if (!status.ok()) return {status.message(), job, ""};
  if (found == 0) return {"None of the results that can still be read is a failure.", job, ""};
  const std::string trapped = traps.Text();
  return {"", job, trapped + (trapped.empty() ? "" : "\n") + others};
}

TopAnswer CancelByKey(Client& client, const std::string& job) {
  const Result<v1::Job> cancelled = CancelJob(client, job);
  if (!cancelled.ok()) return {cancelled.status().message(), "", ""};
  return {job + " is " + v1::Job::State_Name(cancelled->state()) + ".", "", ""};
}

}  // namespace wb::cli
