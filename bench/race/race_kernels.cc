// The kernels of the race on one engine: ours on an NVIDIA GPU beside CUDA written by hand, or ours
// on the processors.
//
//   race_kernels cuda|cpu|interpreter FOLDER [--rounds N] [--only NAME,...] [--lanes N] [--seconds
//   S]
//                [--joules] [--results FOLDER] [--json FILE] [--built FOLDER]
//   race_kernels build FOLDER --built FOLDER [--only NAME,...]
//
// FOLDER is what build_guests.sh makes. Each kernel runs in a process of its own, so that one that
// fails leaves the others; each may take --most-seconds (300). On a GPU everything runs in turns
// within a round after one that warms up; times are the device's own, of one launch that starts and
// ends all lanes, and every lane's digest must be the same in all of them. The first digests must
// be the interpreter's too. --joules measures power as well. A line for each row: kernel, what,
// variant, lanes, then seconds of an instance, median, lowest and highest, and joules of one.
// `build` needs NVRTC and no GPU, and makes what `cuda --built` launches.
// --results keeps digests, 4 bytes each, in RESULTS/KERNEL.ENGINE. Exit 1: a kernel failed.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>

#include "bench/race/built_kernels.h"
#include "bench/race/race_rounds.h"

namespace wb::bench {
namespace {

using nlohmann::ordered_json;

struct Arguments {
  std::string engine;
  RaceSettings race;
  std::string only;  // "NAME,..."; empty: all
  std::string json;
  unsigned most_seconds = 300;
};

// Of a function in a process of its own; {"error"} where that fails.
ordered_json Isolated(const std::function<ordered_json()>& function, unsigned most_seconds) {
  int ends[2];
  std::fflush(stdout);
  if (pipe(ends) != 0) return {{"error", "no pipe"}};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    alarm(most_seconds);
    const std::string text = function().dump();
    for (size_t at = 0; at < text.size();) {
      const ssize_t written = write(ends[1], text.data() + at, text.size() - at);
      if (written <= 0) _exit(1);
      at += static_cast<size_t>(written);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t got; (got = read(ends[0], part, sizeof part)) > 0;) {
    text.append(part, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return {{"error", "no process"}};
  if (WIFSIGNALED(status)) {
    return {{"error", "ended by signal " + std::to_string(WTERMSIG(status))}};
  }
  if (WEXITSTATUS(status) != 0) {
    return {{"error", "ended with " + std::to_string(WEXITSTATUS(status))}};
  }
  ordered_json json = ordered_json::parse(text, nullptr, false);
  return json.is_object() ? json : ordered_json{{"error", "no result"}};
}

ordered_json Race(const RaceKernel& kernel, const Arguments& arguments) {
  if (arguments.engine == "build") return BuildAhead(kernel, arguments.race);
  if (arguments.engine != "cuda") {
    return RaceOnProcessors(kernel, arguments.race, arguments.engine);
  }
  ordered_json result = RaceOnGpu(kernel, arguments.race);
  RaceSettings once = arguments.race;
  once.rounds = 1;
  const ordered_json wanted = RaceOnProcessors(kernel, once, "interpreter").at("digests");
  for (size_t i = 0; i < wanted.size() && !result.contains("error"); ++i) {
    if (i < result["digests"].size() && wanted[i] != result["digests"][i]) {
      result["error"] = "the digest of instance " + std::to_string(i) + " is not the interpreter's";
    }
  }
  return result;
}

void PrintRows(const ordered_json& result) {
  if (result.contains("seconds")) {
    std::printf("%s built %.1f\n", result.at("kernel").get<std::string>().c_str(),
                result.at("seconds").get<double>());
  }
  if (result.contains("lanes_in_memory")) {
    std::printf("%s memory %llu\n", result.at("kernel").get<std::string>().c_str(),
                static_cast<unsigned long long>(result.at("lanes_in_memory").get<uint64_t>()));
  }
  for (const ordered_json& row : result.value("rows", ordered_json::array())) {
    std::vector<double> seconds = row.at("seconds_each");
    std::sort(seconds.begin(), seconds.end());
    std::string variant = row.at("variant");
    std::replace(variant.begin(), variant.end(), ' ', '_');
    std::printf("%s %s %s %u %.6g %.6g %.6g", result.at("kernel").get<std::string>().c_str(),
                row.at("what").get<std::string>().c_str(), variant.c_str(),
                result.at("lanes").get<uint32_t>(), seconds[seconds.size() / 2], seconds.front(),
                seconds.back());
    if (row.contains("joules_each")) std::printf(" %.6g", row.at("joules_each").get<double>());
    std::printf("\n");
  }
}

void KeepDigests(const ordered_json& result, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  for (const uint32_t digest : result.value("digests", std::vector<uint32_t>())) {
    file.write(reinterpret_cast<const char*>(&digest), 4);
  }
}

// Of a kernel, for the file: so many digests as all columns have.
ordered_json Shortened(ordered_json result, const RaceKernel& kernel) {
  auto digests = result.value("digests", std::vector<uint32_t>());
  digests.resize(std::min<size_t>(digests.size(), kernel.check));
  result["digests"] = digests;
  return result;
}

bool IsNamed(const std::string& only, const std::string& name) {
  return only.empty() || ("," + only + ",").find("," + name + ",") != std::string::npos;
}

int Run(const Arguments& arguments) {
  ordered_json all = {{"engine", arguments.engine}};
  const bool is_gpu = arguments.engine == "cuda";
  if (is_gpu) {
    all["copies"] = Isolated([] { return MeasureCopies(); }, arguments.most_seconds);
    std::printf("copy %g\n", all["copies"].value("copy_bytes_per_s", 0.0));
  }
  int failed = 0, ran = 0;
  for (const RaceKernel& kernel : ReadKernels(arguments.race.folder)) {
    if (!IsNamed(arguments.only, kernel.name)) continue;
    ++ran;
    const ordered_json result =
        Isolated([&] { return Race(kernel, arguments); }, arguments.most_seconds);
    if (result.contains("error")) {
      ++failed;
      std::fprintf(stderr, "race_kernels: %s on %s FAILED: %s\n", kernel.name.c_str(),
                   arguments.engine.c_str(), result.at("error").get<std::string>().c_str());
    }
    PrintRows(result);
    std::fflush(stdout);
    const std::string& results = arguments.race.results;
    if (!results.empty()) KeepDigests(result, results + "/" + kernel.name + "." + arguments.engine);
    all["kernels"][kernel.name] = Shortened(result, kernel);
    // Anew each time: what was measured stays where the run is cut off.
    if (!arguments.json.empty()) std::ofstream(arguments.json) << all.dump(1) << "\n";
  }
  if (ran == 0) std::fprintf(stderr, "race_kernels: no kernel has such a name\n");
  return ran == 0 ? 2 : failed == 0 ? 0 : 1;
}

// False: it is no such argument, or its value is none.
bool Take(const std::string& name, const char* value, Arguments* arguments) {
  RaceSettings& race = arguments->race;
  const double number = std::atof(value);
  if (name == "--only") {
    arguments->only = value;
  } else if (name == "--results") {
    race.results = value;
  } else if (name == "--built") {
    race.built = value;
  } else if (name == "--json") {
    arguments->json = value;
  } else if (number <= 0) {
    return false;
  } else if (name == "--rounds") {
    race.rounds = static_cast<uint32_t>(number);
  } else if (name == "--lanes") {
    race.lanes = static_cast<uint32_t>(number);
  } else if (name == "--seconds") {
    race.seconds = number;
  } else if (name == "--most-seconds") {
    arguments->most_seconds = static_cast<unsigned>(number);
  } else {
    return false;
  }
  return true;
}

std::optional<Arguments> Parse(int argc, char** argv) {
  if (argc < 3) return std::nullopt;
  Arguments arguments{.engine = argv[1], .race = {.folder = argv[2]}, .only = {}, .json = {}};
  const std::string& engine = arguments.engine;
  const auto engines = {"cuda", "cpu", "interpreter", "build"};
  if (std::find(engines.begin(), engines.end(), engine) == engines.end()) return std::nullopt;
  for (int i = 3; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--joules") {
      arguments.race.joules = true;
    } else if (++i == argc || !Take(name, argv[i], &arguments)) {
      return std::nullopt;
    }
  }
  if (engine == "build" && arguments.race.built.empty()) return std::nullopt;
  return arguments;
}

int Main(int argc, char** argv) {
  const auto arguments = Parse(argc, argv);
  if (!arguments) {
    std::fprintf(stderr,
                 "usage: race_kernels cuda|cpu|interpreter FOLDER [--rounds N] [--only NAME,...]\n"
                 "       [--lanes N] [--seconds S] [--most-seconds N] [--joules]\n"
                 "       [--results FOLDER] [--json FILE] [--built FOLDER]\n"
                 "       race_kernels build FOLDER --built FOLDER [--only NAME,...]\n");
    return 2;
  }
  return Run(*arguments);
}

}  // namespace
}  // namespace wb::bench

int main(int argc, char** argv) { return wb::bench::Main(argc, argv); }
