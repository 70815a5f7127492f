#include "daemon/cluster/claim_size.h"

#include <algorithm>
#include <limits>

namespace wb {
namespace {

constexpr uint64_t kMost = 9'000'000'000'000'000'000;  // the sum of two does not wrap

uint64_t Whole(double instances) {
  return instances < static_cast<double>(kMost) ? static_cast<uint64_t>(std::max(instances, 0.0))
                                                : kMost;
}

uint64_t RoundUp(uint64_t instances, uint64_t group) {
  const uint64_t groups = instances / group + (instances % group != 0 ? 1 : 0);
  return std::min(groups, std::numeric_limits<uint64_t>::max() / group) * group;
}

// Instances that are to wait behind those that run.
double Ahead(const ClaimFacts& facts, const ClaimRule& rule) {
  const double part = static_cast<double>(facts.open) * rule.part / std::max(facts.hosts, 1u);
  return std::min(facts.per_second * rule.ahead, std::max(part, facts.per_second * rule.least));
}

// What the host lacks; 0 where it has enough.
uint64_t Lacking(const ClaimFacts& facts, const ClaimRule& rule) {
  const uint64_t empty = std::min(facts.lanes - std::min(facts.lanes, facts.held), kMost);
  const uint64_t waiting = facts.held - std::min(facts.lanes, facts.held);
  const uint64_t ahead = Whole(Ahead(facts, rule));
  const uint64_t low = Whole(Ahead(facts, rule) * rule.low);
  return empty > 0 || waiting < low ? empty + ahead - std::min(ahead, waiting) : 0;
}

}  // namespace

uint64_t ClaimSize(const ClaimFacts& facts, const ClaimRule& rule) {
  if (facts.open == 0 || facts.lanes == 0) return 0;
  const uint64_t group = std::max(facts.group, 1u);
  const uint64_t wanted = std::min(Lacking(facts, rule), facts.open);
  const uint64_t whole = RoundUp(wanted, group);
  if (facts.room >= std::min(whole, facts.open)) return whole;
  return facts.room / group * group;
}

}  // namespace wb
