// What an engine host of the end-to-end tests is told by its environment, where no test can call:
//   WB_STANDIN_ORDERS  a file of lines "NAME NUMBER", names as below. It is removed as it is read:
//                      it holds for one process and not for the one that takes over.
//   WB_STANDIN_LOG     a file that gets a line for each thing a listener is told.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "compiler/base/check.h"
#include "tests/standin/metal/standin.h"

namespace wb::standin {
namespace {

void Obey(const std::string& path) {
  std::ifstream file(path);
  if (!file) return;
  Traits traits = Now();
  Fault fault;
  const std::map<std::string, std::function<void(int64_t)>> orders = {
      {"command_ms", [&](int64_t n) { traits.command_time = std::chrono::milliseconds(n); }},
      {"thermal_state", [&](int64_t n) { traits.thermal_state = n; }},
      {"low_power_mode", [&](int64_t n) { traits.low_power_mode = n != 0; }},
      {"headless", [&](int64_t n) { traits.headless = n != 0; }},
      {"captures", [&](int64_t n) { traits.captures = n != 0; }},
      {"fault", [&](int64_t n) { fault.code = n; }},
      {"after", [&](int64_t n) { fault.after = static_cast<uint64_t>(n); }},
      {"then_ignored", [&](int64_t n) { fault.then_ignored = static_cast<uint64_t>(n); }},
  };
  std::string name;
  int64_t number = 0;
  while (file >> name >> number) {
    const auto order = orders.find(name);
    WB_CHECK(order != orders.end());
    order->second(number);
  }
  std::remove(path.c_str());
  Set(traits);
  Fail(fault);
}

bool ReadEnvironment() {
  if (const char* path = std::getenv("WB_STANDIN_ORDERS")) Obey(path);
  if (const char* path = std::getenv("WB_STANDIN_LOG")) {
    Listen([path = std::string(path)](const std::string& event) {
      std::ofstream(path, std::ios::app) << event << '\n';
    });
  }
  return true;
}
[[maybe_unused]] const bool kHasRead = ReadEnvironment();

}  // namespace
}  // namespace wb::standin
