#include "client/cli/top/top_tables.h"

#include <algorithm>
#include <cstdio>

#include "client/cli/output/print.h"
#include "client/cli/output/trap_text.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

std::string Formatted(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

ViewCell CountCell(uint64_t count) {
  return NumberCell(std::to_string(count), static_cast<double>(count));
}

ViewCell HeatCell(const v1::Telemetry& telemetry) {
  const std::string slowed = telemetry.throttled() ? " slowed" : "";
  if (telemetry.has_celsius()) {
    return NumberCell(Formatted("%.0f C", telemetry.celsius()) + slowed, telemetry.celsius());
  }
  const std::string state = telemetry.thermal_state().empty() ? "-" : telemetry.thermal_state();
  return NumberCell(state + slowed, -1);
}

ViewCell PowerCell(const v1::Telemetry& telemetry) {
  if (!telemetry.has_watts()) return NumberCell("-", -1);
  return NumberCell(Formatted("%.0f W", telemetry.watts()), telemetry.watts());
}

// Lanes that had an instance, of those that had memory, in the last burst.
ViewCell LanesCell(const v1::Burst* burst) {
  if (burst == nullptr || burst->lanes_resident() <= 0) return NumberCell("-", -1);
  return NumberCell(
      Formatted("%.0f", burst->lanes_useful()) + "/" + Formatted("%.0f", burst->lanes_resident()),
      burst->lanes_useful() / burst->lanes_resident());
}

std::string DeviceState(const v1::Device& device) {
  const std::string gate =
      device.gate().empty() || device.gate() == "open" ? "" : ", " + device.gate();
  return (device.healthy() ? device.state() : "unhealthy") + gate;
}

Tone DeviceTone(const v1::Device& device) {
  if (!device.healthy()) return Tone::kBad;
  if (!device.gate().empty() && device.gate() != "open") return Tone::kWarn;
  return device.state() == "bursting" ? Tone::kGood : Tone::kPlain;
}

ViewRow DeviceRow(const v1::Device& device, const TopHistory& history, int64_t now_unix_ns,
                  Glyphs glyphs) {
  // A launch is counted at its end, so that a look may see a little more than its own time.
  const double busy = std::min(history.BusyShare(device.name()), 1.0);
  const double instances = history.InstancesPerSecond(device.name());
  const double rate = history.InstructionsPerSecond(device.name());
  uint64_t running = 0;
  for (const v1::DeviceJob& job : device.jobs()) running += job.running();
  ViewRow row;
  row.name = device.name();
  row.tone = DeviceTone(device);
  row.cells = {{Printable(ShortName(device.name()))},
               {Printable(DeviceState(device))},
               CountCell(device.job_count()),
               CountCell(running),
               NumberCell(busy < 0 ? "-" : Formatted("%.0f %%", busy * 100), busy),
               NumberCell(RateNumber(instances), instances),
               NumberCell(RateNumber(rate), rate),
               HeatCell(device.telemetry()),
               PowerCell(device.telemetry()),
               LanesCell(history.LastBurst(device.name())),
               {Timeline(history.Bursts(device.name()), now_unix_ns - kTimelineNs, now_unix_ns,
                         kTimelineWidth, glyphs)},
               {Sparkline(history.Rates(device.name()), kSparklineWidth, glyphs)}};
  return row;
}

Tone JobTone(const v1::Job& job) {
  if (job.state() == v1::Job::FAILED) return Tone::kBad;
  if (JobHasEnded(job.state())) return Tone::kDim;
  if (job.state() != v1::Job::RUNNING) return Tone::kPlain;
  return job.waiting_for().empty() ? Tone::kGood : Tone::kWarn;
}

ViewCell DoneCell(const v1::Counts& counts) {
  const double share = counts.instances() == 0 ? 0
                                               : static_cast<double>(counts.finished()) /
                                                     static_cast<double>(counts.instances());
  return NumberCell(Formatted("%3.0f %%", share * 100), share);
}

ViewRow JobRowOf(const v1::Job& job, const TopHistory& history, Glyphs glyphs) {
  const bool runs = job.state() == v1::Job::RUNNING;
  const double rate = runs ? history.InstructionsPerSecond(job.name()) : -1;
  const auto tenant = job.labels().find("tenant");
  const std::string why =
      job.waiting_for().empty() && job.has_error() ? job.error().message() : job.waiting_for();
  const auto instances = static_cast<double>(job.counts().instances());
  ViewRow row;
  row.name = job.name();
  row.tone = JobTone(job);
  row.cells = {{Printable(ShortName(job.name()))},
               {v1::Job::State_Name(job.state())},
               DoneCell(job.counts()),
               NumberCell(CountText(instances), instances),
               CountCell(job.counts().running()),
               CountCell(FailedInstances(job.counts())),
               NumberCell(RateNumber(rate), rate),
               {Printable(job.device().empty() ? "-" : job.device())},
               {Printable(tenant == job.labels().end() ? "-" : tenant->second)},
               {Sparkline(history.Rates(job.name()), kSparklineWidth, glyphs)},
               {Printable(why)}};
  return row;
}

std::string OfMost(uint64_t count, uint64_t most) {
  return std::to_string(count) + (most == 0 ? "" : "/" + std::to_string(most));
}

}  // namespace

uint64_t FailedInstances(const v1::Counts& counts) {
  return counts.trapped() + counts.out_of_fuel() + counts.output_limit() + counts.deadline() +
         counts.failed() + counts.job_out_of_fuel() + counts.results_limit() + counts.expired();
}

bool JobHasEnded(v1::Job::State state) {
  return state == v1::Job::SUCCEEDED || state == v1::Job::FAILED || state == v1::Job::CANCELLED;
}

std::string RateNumber(double rate) { return rate < 0 ? "-" : CountText(rate); }

std::string ShortName(const std::string& name) { return name.substr(name.find('/') + 1); }

ViewTable DeviceRows(const TopFacts& facts, const TopHistory& history, int64_t now_unix_ns,
                     Glyphs glyphs) {
  ViewTable table;
  table.columns = {
      {"NAME", 0},        {"STATE", 1},         {"JOBS", 7, true},           {"RUNNING", 10, true},
      {"BUSY", 2, true},  {"INST/S", 11, true}, {"INSTR/S", 3, true},        {"HEAT", 5, true},
      {"POWER", 6, true}, {"LANES", 8, true},   {"LAST MINUTE'S BURSTS", 4}, {"LAST MINUTES", 9}};
  for (const v1::Device& device : facts.devices.devices()) {
    table.rows.push_back(DeviceRow(device, history, now_unix_ns, glyphs));
  }
  return table;
}

ViewTable JobRows(const TopFacts& facts, const TopHistory& history, Glyphs glyphs) {
  ViewTable table;
  table.columns = {{"JOB", 0},           {"STATE", 1},           {"DONE", 2, true},
                   {"OF", 9, true},      {"RUNNING", 10, true},  {"FAILED", 4, true},
                   {"INSTR/S", 3, true}, {"DEVICE", 6},          {"TENANT", 8},
                   {"LAST MINUTES", 5},  {"WAITS FOR, ERROR", 7}};
  for (const v1::Job& job : facts.jobs.jobs()) {
    table.rows.push_back(JobRowOf(job, history, glyphs));
  }
  return table;
}

ViewTable TenantRows(const v1::ListTenantsResponse& tenants) {
  ViewTable table;
  table.columns = {{"TENANT", 0},        {"WEIGHT", 3, true}, {"JOBS", 1, true},
                   {"RUNNING", 2, true}, {"ENDED", 4, true},  {"INSTRUCTIONS OF KEPT JOBS", 5}};
  for (const v1::Tenant& tenant : tenants.tenants()) {
    const auto fuel = static_cast<double>(tenant.fuel());
    ViewRow row;
    row.name = tenant.name();
    row.cells = {
        {Printable(tenant.name())},
        CountCell(tenant.weight()),
        NumberCell(OfMost(tenant.jobs(), tenant.max_jobs()), static_cast<double>(tenant.jobs())),
        NumberCell(OfMost(tenant.running_jobs(), tenant.max_running_jobs()),
                   static_cast<double>(tenant.running_jobs())),
        CountCell(tenant.ended_jobs()),
        NumberCell(CountText(fuel), fuel)};
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace wb::cli
