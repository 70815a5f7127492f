#include "client/cli/output/burst_rows.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <vector>

#include "client/cli/output/print.h"
#include "client/cli/output/result_csv.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

std::string Text(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string Milliseconds(const google::protobuf::Duration& duration) {
  return Text("%.1f ms", Seconds(duration) * 1e3);
}

std::string TimeOfDay(const google::protobuf::Timestamp& time) {
  const std::time_t seconds = time.seconds();
  std::tm parts = {};
  char text[32] = "-";
  if (gmtime_r(&seconds, &parts) == nullptr) return text;
  const size_t length = std::strftime(text, sizeof text, "%H:%M:%S", &parts);
  std::snprintf(text + length, sizeof text - length, ".%03d", time.nanos() / 1'000'000);
  return text;
}

std::string RestBefore(const v1::Burst& burst) {
  if (!burst.has_rest_before()) return "-";
  return Milliseconds(burst.rest_before()) + " " + burst.rest_before_cause();
}

// How it ended, and the rest that follows.
std::string Ending(const v1::Burst& burst) {
  if (!burst.has_rest_after()) return burst.end();
  return burst.end() + ", " + burst.rest_after_cause() + " " + Milliseconds(burst.rest_after());
}

// One by its name, or how many.
std::string Jobs(const v1::Burst& burst) {
  if (burst.job_count() != 1 || burst.jobs_size() != 1 || burst.jobs(0).job().empty()) {
    return std::to_string(burst.job_count());
  }
  const std::string& name = burst.jobs(0).job();
  return name.substr(name.find('/') + 1);
}

struct Column {
  std::string_view name;
  int width;  // in tables, where the next column begins
  std::string (*text)(const v1::Burst&);
};

constexpr Column kTable[] = {
    {"DEVICE", 14, [](const v1::Burst& b) { return b.device().substr(b.device().find('/') + 1); }},
    {"NO", 7, [](const v1::Burst& b) { return std::to_string(b.number()); }},
    {"START (UTC)", 14, [](const v1::Burst& b) { return TimeOfDay(b.start_time()); }},
    {"TIME", 11, [](const v1::Burst& b) { return Milliseconds(b.duration()); }},
    {"REST BEFORE", 20, RestBefore},
    {"LAUNCHES", 10, [](const v1::Burst& b) { return std::to_string(b.launches()); }},
    {"LANES", 14,
     [](const v1::Burst& b) {
       return Text("%.0f", b.lanes_useful()) + "/" + Text("%.0f", b.lanes_resident());
     }},
    {"INSTANCES", 11, [](const v1::Burst& b) { return std::to_string(b.instances()); }},
    {"FUEL", 10, [](const v1::Burst& b) { return CountText(static_cast<double>(b.fuel())); }},
    {"HEAT", 7,
     [](const v1::Burst& b) { return b.has_celsius() ? Text("%.0f C", b.celsius()) : "-"; }},
    {"POWER", 8,
     [](const v1::Burst& b) { return b.has_watts() ? Text("%.0f W", b.watts()) : "-"; }},
    {"END", 27, Ending},
    {"JOBS", 0, Jobs},
};

std::string SecondsText(const google::protobuf::Duration& duration) {
  return Text("%.9f", Seconds(duration));
}

// In Unix time, to the microsecond: a double holds no more.
std::string UnixText(const google::protobuf::Timestamp& time) {
  return Text("%.6f", static_cast<double>(time.seconds()) + time.nanos() / 1e9);
}

// "ID instances fuel BUILD", joined by "; "; of other tenants "-".
std::string JobsText(const v1::Burst& burst) {
  std::string text;
  for (const v1::BurstJob& job : burst.jobs()) {
    const std::string name = job.job().empty() ? "-" : job.job();
    text += (text.empty() ? "" : "; ") + name + " " + std::to_string(job.instances()) + " " +
            std::to_string(job.fuel()) + " " + v1::Build_Name(job.build());
  }
  return text;
}

constexpr Column kCsv[] = {
    {"device", 0, [](const v1::Burst& b) { return b.device(); }},
    {"number", 0, [](const v1::Burst& b) { return std::to_string(b.number()); }},
    {"start", 0, [](const v1::Burst& b) { return UnixText(b.start_time()); }},
    {"duration", 0, [](const v1::Burst& b) { return SecondsText(b.duration()); }},
    {"busy", 0, [](const v1::Burst& b) { return SecondsText(b.busy()); }},
    {"rest_before", 0,
     [](const v1::Burst& b) { return b.has_rest_before() ? SecondsText(b.rest_before()) : ""; }},
    {"rest_before_cause", 0, [](const v1::Burst& b) { return b.rest_before_cause(); }},
    {"rest_after", 0,
     [](const v1::Burst& b) { return b.has_rest_after() ? SecondsText(b.rest_after()) : ""; }},
    {"rest_after_cause", 0, [](const v1::Burst& b) { return b.rest_after_cause(); }},
    {"end", 0, [](const v1::Burst& b) { return b.end(); }},
    {"launches", 0, [](const v1::Burst& b) { return std::to_string(b.launches()); }},
    {"instances", 0, [](const v1::Burst& b) { return std::to_string(b.instances()); }},
    {"fuel", 0, [](const v1::Burst& b) { return std::to_string(b.fuel()); }},
    {"lanes_resident", 0, [](const v1::Burst& b) { return Text("%.1f", b.lanes_resident()); }},
    {"lanes_useful", 0, [](const v1::Burst& b) { return Text("%.1f", b.lanes_useful()); }},
    {"celsius", 0,
     [](const v1::Burst& b) { return b.has_celsius() ? Text("%.1f", b.celsius()) : ""; }},
    {"watts", 0, [](const v1::Burst& b) { return b.has_watts() ? Text("%.1f", b.watts()) : ""; }},
    {"job_count", 0, [](const v1::Burst& b) { return std::to_string(b.job_count()); }},
    {"jobs", 0, JobsText},
};

// Columns have a width of their own, since rows come one at a time.
std::string Cell(std::string text, int width) {
  if (width == 0) return text;
  text += ' ';
  if (text.size() < static_cast<size_t>(width)) text.resize(static_cast<size_t>(width), ' ');
  return text;
}

}  // namespace

std::string BurstHeader() {
  std::string line;
  for (const Column& column : kTable) line += Cell(std::string(column.name), column.width);
  return line;
}

std::string BurstRow(const v1::Burst& burst) {
  std::string line;
  for (const Column& column : kTable) line += Cell(column.text(burst), column.width);
  return line;
}

std::string BurstCsvHeader() {
  std::string line;
  for (const Column& column : kCsv) line += (line.empty() ? "" : ",") + std::string(column.name);
  return line + "\n";
}

std::string BurstCsvRow(const v1::Burst& burst) {
  std::string line;
  for (const Column& column : kCsv) {
    if (!line.empty()) line += ",";
    line += CsvField(column.text(burst));
  }
  return line + "\n";
}

}  // namespace wb::cli
