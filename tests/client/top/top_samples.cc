#include "tests/client/top/top_samples.h"

namespace wb::cli::samples {
namespace {

namespace v1 = wasmburst::v1;

void AddDevice(const std::string& name, uint64_t fuel, v1::ListDevicesResponse* devices) {
  v1::Device* device = devices->add_devices();
  device->set_name(name);
  device->set_healthy(true);
  device->set_state(fuel > 0 ? "bursting" : "idle");
  device->set_gate("open");
  device->set_fuel(fuel);
  device->set_instances(fuel / 1000);
}

void AddJob(const std::string& name, v1::Job::State state, uint64_t fuel,
            v1::ListJobsResponse* jobs) {
  v1::Job* job = jobs->add_jobs();
  job->set_name(name);
  job->set_state(state);
  job->mutable_counts()->set_instances(100);
  job->mutable_usage()->set_fuel(fuel);
  (*job->mutable_labels())["tenant"] = "anna";
}

}  // namespace

TopFacts LookAt(int64_t second) {
  TopFacts facts;
  facts.unix_ns = kBegin + second * kSecond;
  const auto fuel = static_cast<uint64_t>(second + 1) * 1'000'000;
  AddDevice("devices/cpu0", fuel, &facts.devices);
  AddDevice("devices/interpreter0", 0, &facts.devices);
  facts.devices.mutable_devices(0)->mutable_busy()->set_nanos(static_cast<int32_t>(second) *
                                                              250'000'000);
  AddJob("jobs/01C", v1::Job::QUEUED, 0, &facts.jobs);
  AddJob("jobs/01B", v1::Job::RUNNING, fuel, &facts.jobs);
  AddJob("jobs/01A", v1::Job::SUCCEEDED, 7, &facts.jobs);
  facts.jobs.mutable_jobs(0)->set_waiting_for("the device cpu0 rests");
  v1::Counts* counts = facts.jobs.mutable_jobs(1)->mutable_counts();
  counts->set_finished(50);
  counts->set_returned(47);
  counts->set_trapped(3);
  return facts;
}

TopFacts LostAt(int64_t second) {
  TopFacts facts;
  facts.unix_ns = kBegin + second * kSecond;
  facts.trouble = "the socket is gone";
  return facts;
}

std::vector<std::string> TextsOf(const std::vector<TopLine>& lines) {
  std::vector<std::string> texts;
  for (const TopLine& line : lines) {
    std::string text;
    for (const TopSpan& span : line) text += span.text;
    texts.push_back(text);
  }
  return texts;
}

std::string LineWith(const std::vector<TopLine>& lines, const std::string& text) {
  for (const std::string& line : TextsOf(lines)) {
    if (line.find(text) != std::string::npos) return line;
  }
  return "";
}

}  // namespace wb::cli::samples
