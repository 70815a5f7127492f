#include "client/cli/program/duration.h"

#include <array>
#include <string_view>

#include "compiler/base/decimal.h"

namespace wb::cli {

Result<int64_t> ParseDuration(const std::string& text) {
  struct Unit {
    std::string_view name;
    double nanoseconds;
  };
  constexpr std::array<Unit, 5> kUnits = {
      {{"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}}};
  std::string_view name = text;
  const double number = TakeDecimal(&name).value_or(0);
  for (const Unit& unit : kUnits) {
    const bool right = name == unit.name && number > 0 && number * unit.nanoseconds < 1e18;
    if (right) return static_cast<int64_t>(number * unit.nanoseconds);
  }
  return Status(Reason::kInvalidArgument,
                "The time [" + text + "] is not like 500ms, 10s, 2m, 1h or 30d.",
                {{"value", text}});
}

}  // namespace wb::cli
