#include "daemon/metrics/process_facts.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "daemon/process/log.h"

namespace wb {
namespace {

double TimevalSeconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void AddCpu(Samples* samples) {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return;
  samples->push_back(
      {Metric::kProcessCpu, {}, TimevalSeconds(usage.ru_utime) + TimevalSeconds(usage.ru_stime)});
}

void AddDescriptors(Samples* samples) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    samples->push_back({Metric::kProcessMaxFds, {}, static_cast<double>(limit.rlim_cur)});
  }
  std::error_code error;
  double open = 0;
  for (std::filesystem::directory_iterator at("/proc/self/fd", error), end; !error && at != end;
       at.increment(error)) {
    ++open;
  }
  // One of them is that of the listing.
  if (!error && open > 0) samples->push_back({Metric::kProcessOpenFds, {}, open - 1});
}

void AddMemory(Samples* samples) {
  std::ifstream file("/proc/self/statm");
  uint64_t all = 0;
  uint64_t resident = 0;
  if (!(file >> all >> resident)) return;
  const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
  samples->push_back({Metric::kProcessResident, {}, static_cast<double>(resident) * page});
}

#ifdef __linux__
double Now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// Seconds from the start of the machine to that of the process: the 22nd field of its line. The
// second one is the program's name, which may hold anything.
std::optional<double> StartAfterBoot() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  size_t at = line.rfind(')');
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = line.find(' ', at + 1);
  if (at == std::string::npos) return std::nullopt;
  const double ticks = std::strtod(line.c_str() + at, nullptr);
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::optional<double> FindStart() {
  const std::optional<double> start = StartAfterBoot();
  if (!start) return std::nullopt;
  return Now(CLOCK_REALTIME) - Now(CLOCK_BOOTTIME) + *start;
}
#else
std::optional<double> FindStart() { return std::nullopt; }
#endif

void AddStart(Samples* samples) {
  // Once: a clock that is set does not make it another process.
  static const std::optional<double> start = FindStart();
  if (start) samples->push_back({Metric::kProcessStart, {}, *start});
}

void AddLogLines(Samples* samples) {
  const LogLines lines = LinesLogged();
  const auto add = [samples](const char* level, uint64_t count) {
    samples->push_back({Metric::kLogLines, {level}, static_cast<double>(count)});
  };
  add("debug", lines.debug);
  add("info", lines.info);
  add("warning", lines.warning);
  add("error", lines.error);
}

}  // namespace

void AddProcessSamples(Samples* samples) {
  AddCpu(samples);
  AddDescriptors(samples);
  AddMemory(samples);
  AddStart(samples);
  AddLogLines(samples);
}

}  // namespace wb
