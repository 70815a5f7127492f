#include "compiler/passes/rows/table_lookups.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>

namespace wb {
namespace {

// Types that are equal have equal keys.
std::string KeyOf(const FunctionType& type) {
  std::string key;
  for (ValueType param : type.params) key += static_cast<char>(param);
  key += static_cast<char>(0xff);
  for (ValueType result : type.results) key += static_cast<char>(result);
  return key;
}

std::vector<uint32_t> FirstEqualTypes(const Module& module) {
  std::unordered_map<std::string, uint32_t> first;
  std::vector<uint32_t> types;
  for (uint32_t i = 0; i < module.types.size(); ++i) {
    types.push_back(first.try_emplace(KeyOf(module.types[i]), i).first->second);
  }
  return types;
}

}  // namespace

TableLookups::TableLookups(const Module& module, const StateUse& use, ir::Program& program,
                           uint32_t& next_function)
    : program_(program),
      next_function_(next_function),
      first_of_(FirstEqualTypes(module)),
      numbers_of_(module.types.size()) {
  std::vector<uint32_t> functions;
  for (uint32_t i = 0; i < module.functions.size(); ++i) {
    if (use.address_taken[i]) functions.push_back(i);
  }
  const auto type_of = [&](uint32_t function) {
    return first_of_[module.functions[function].type];
  };
  std::stable_sort(functions.begin(), functions.end(),
                   [&](uint32_t a, uint32_t b) { return type_of(a) < type_of(b); });
  program.callee_numbers.assign(module.functions.size(), 0);
  function_of_.push_back(ir::kNoFunction);
  for (uint32_t function : functions) {
    const uint32_t number = static_cast<uint32_t>(function_of_.size());
    program.callee_numbers[function] = number;
    function_of_.push_back(function);
    auto& [first, count] = numbers_of_[type_of(function)];
    if (count++ == 0) first = number;
  }
}

const std::vector<uint32_t>& TableLookups::NumbersIn(uint32_t table) {
  const auto [found, fresh] = numbers_in_.try_emplace(table);
  std::vector<uint32_t>& numbers = found->second;
  if (!fresh) return numbers;
  for (uint32_t element : program_.tables[table].elements) {
    if (element != ir::kNullReference) numbers.push_back(program_.callee_numbers[element - 1]);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

ir::Lookup TableLookups::Make(uint32_t table, uint32_t type) {
  ir::Lookup lookup;
  lookup.type = type;
  std::tie(lookup.first, lookup.count) = numbers_of_[type];
  const uint32_t end = lookup.first + lookup.count;
  if (table == kAnyInLane) {
    lookup.others = lookup.count + 1 != function_of_.size();
    lookup.callees.assign(function_of_.begin() + lookup.first, function_of_.begin() + end);
  } else {
    const std::vector<uint32_t>& numbers = NumbersIn(table);
    auto number = std::lower_bound(numbers.begin(), numbers.end(), lookup.first);
    for (; number != numbers.end() && *number < end; ++number) {
      lookup.callees.push_back(function_of_[*number]);
    }
    lookup.others = lookup.callees.size() != numbers.size();
  }
  if (lookup.callees.size() > kMaxNativeCallees) lookup.trampoline = next_function_++;
  return lookup;
}

uint32_t TableLookups::Find(uint32_t table, uint32_t type) {
  const uint32_t held = program_.tables[table].in_lane ? kAnyInLane : table;
  const std::pair<uint32_t, uint32_t> key{held, first_of_[type]};
  const auto [found, fresh] = index_of_.try_emplace(key, static_cast<uint32_t>(lookups_.size()));
  if (fresh) lookups_.push_back(Make(key.first, key.second));
  return found->second;
}

uint32_t TableLookups::TailTrampoline(uint32_t lookup) {
  uint32_t& function = lookups_[lookup].tail_trampoline;
  if (function == ir::kNoFunction) function = next_function_++;
  return function;
}

}  // namespace wb
