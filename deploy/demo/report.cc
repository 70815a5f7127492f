// Prints the demo's table and its last line:
//   report ENGINE JOB.json INTERPRETER_JOB.json PICTURE.png [V8_SECONDS PROCESSORS]
// Both jobs are as `wasmburstctl job run --report` writes them: wasmburst.v1.Job in JSON. V8 ran
// all instances of the first in so many seconds, on so many processors.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace {

using Json = nlohmann::json;

// What the table says of a job. Rates are over the time in launches, so that they compare engines
// and not the compiler or the pauses between bursts.
struct Figures {
  uint64_t instances = 0;
  double fuel = 0;  // wasm instructions
  uint64_t launches = 0;
  double device_seconds = 0;
  double compile_seconds = 0;

  double instances_per_s() const { return static_cast<double>(instances) / device_seconds; }
  double instructions_per_s() const { return fuel / device_seconds; }
};

// 64-bit integers are texts in protobuf's JSON.
uint64_t Count(const Json& object, const char* name) {
  const Json& value = object.at(name);
  return value.is_string() ? std::stoull(value.get<std::string>()) : value.get<uint64_t>();
}

// "1.5s"
double Seconds(const Json& object, const char* name) {
  return object.contains(name) ? std::stod(object.at(name).get<std::string>()) : 0;
}

Figures Read(const char* path) {
  std::ifstream file(path);
  const Json job = Json::parse(file);
  const Json& usage = job.at("usage");
  Figures figures;
  figures.instances = Count(job.at("counts"), "returned");
  figures.fuel = static_cast<double>(Count(usage, "fuel"));
  figures.launches = Count(usage, "bursts");
  figures.device_seconds = Seconds(usage, "device_time");
  figures.compile_seconds = Seconds(usage, "compile_time");
  return figures;
}

// "9.07 G"
std::string Scaled(double number) {
  constexpr const char* kUnits[] = {"", " k", " M", " G", " T"};
  size_t unit = 0;
  for (; number >= 1000 && unit < 4; ++unit) number /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%.3g%s", number, kUnits[unit]);
  return text;
}

void PrintRow(const char* engine, const Figures& figures, double speed_up) {
  std::printf("%-12s %9llu %12.1f %16s %9.1fx %9.2f s %8llu\n", engine,
              static_cast<unsigned long long>(figures.instances), figures.instances_per_s(),
              Scaled(figures.instructions_per_s()).c_str(), speed_up, figures.compile_seconds,
              static_cast<unsigned long long>(figures.launches));
}

struct V8 {
  double seconds = 0;
  std::string processors;
};

void Report(const std::string& engine, const char* job_path, const char* interpreter_path,
            const char* picture, const std::optional<V8>& v8) {
  const Figures job = Read(job_path);
  const Figures interpreter = Read(interpreter_path);
  const double speed_up = job.instructions_per_s() / interpreter.instructions_per_s();
  std::printf("%-12s %9s %12s %16s %10s %11s %8s\n", "engine", "instances", "instances/s",
              "instructions/s", "speed-up", "compile", "launches");
  PrintRow(engine.c_str(), job, speed_up);
  PrintRow("interpreter", interpreter, 1);
  std::printf("demo: %llu instances, %.1fx over the interpreter, ",
              static_cast<unsigned long long>(job.instances), speed_up);
  if (v8) {
    std::printf("%.2fx over V8 on %s processors, ", v8->seconds / job.device_seconds,
                v8->processors.c_str());
  }
  std::printf("picture %s\n", picture);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 && argc != 7) {
    std::cerr
        << "use: report ENGINE JOB.json INTERPRETER_JOB.json PICTURE.png [V8_SECONDS PROCESSORS]\n";
    return 2;
  }
  try {
    std::optional<V8> v8;
    if (argc == 7) v8 = V8{std::stod(argv[5]), argv[6]};
    Report(argv[1], argv[2], argv[3], argv[4], v8);
  } catch (const std::exception& error) {
    std::cerr << "report: The jobs' reports could not be read: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
