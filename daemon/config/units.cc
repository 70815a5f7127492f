#include "daemon/config/units.h"

#include <array>
#include <cmath>

#include "compiler/base/decimal.h"

namespace wb {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 6> kTimeUnits = {
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}}};

constexpr std::array<Unit, 10> kSizeUnits = {{{"", 1},
                                              {"B", 1},
                                              {"kB", 1e3},
                                              {"MB", 1e6},
                                              {"GB", 1e9},
                                              {"TB", 1e12},
                                              {"KiB", 1024.0},
                                              {"MiB", 1048576.0},
                                              {"GiB", 1073741824.0},
                                              {"TiB", 1099511627776.0}}};

// The largest product that is still exact in a double and fits 63 bits.
constexpr double kHighest = 9007199254740992.0 * 1024.0;

template <size_t N>
std::optional<double> ParseWithUnit(std::string_view text, const std::array<Unit, N>& units) {
  const std::optional<double> number = TakeDecimal(&text);
  if (!number) return std::nullopt;
  for (const Unit& unit : units) {
    if (text != unit.name) continue;
    double product = std::round(*number * unit.factor);
    if (product >= kHighest) return std::nullopt;
    return product;
  }
  return std::nullopt;
}

struct WholeUnit {
  std::string_view name;
  uint64_t factor;
};

// By the first unit, the largest, of which the number is a whole one.
template <size_t N>
std::string WholeText(uint64_t number, const std::array<WholeUnit, N>& units) {
  for (const WholeUnit& unit : units) {
    if (number % unit.factor != 0 || (number == 0 && unit.factor != 1)) continue;
    return std::to_string(number / unit.factor) + std::string(unit.name);
  }
  return std::to_string(number);
}

}  // namespace

std::optional<int64_t> ParseDuration(std::string_view text) {
  if (text == "0") return 0;
  std::optional<double> value = ParseWithUnit(text, kTimeUnits);
  if (!value) return std::nullopt;
  return static_cast<int64_t>(*value);
}

std::optional<uint64_t> ParseByteSize(std::string_view text) {
  std::optional<double> value = ParseWithUnit(text, kSizeUnits);
  if (!value) return std::nullopt;
  return static_cast<uint64_t>(*value);
}

std::string DurationText(int64_t nanoseconds) {
  constexpr std::array<WholeUnit, 6> kUnits = {{{"h", 3'600'000'000'000},
                                                {"m", 60'000'000'000},
                                                {"s", 1'000'000'000},
                                                {"ms", 1'000'000},
                                                {"us", 1'000},
                                                {"ns", 1}}};
  if (nanoseconds == 0) return "0s";
  return WholeText(static_cast<uint64_t>(nanoseconds), kUnits);
}

std::string ByteSizeText(uint64_t bytes) {
  constexpr std::array<WholeUnit, 5> kUnits = {{{"TiB", uint64_t{1} << 40},
                                                {"GiB", uint64_t{1} << 30},
                                                {"MiB", uint64_t{1} << 20},
                                                {"KiB", uint64_t{1} << 10},
                                                {"", 1}}};
  return WholeText(bytes, kUnits);
}

}  // namespace wb
