#pragma once

// MemoryBudget: how much of a device's memory its dispatches hold, how much of that each tenant
// has, and how much the inputs that the device keeps. Pure; one thread.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace wb {

class MemoryBudget {
 public:
  void SetTotal(uint64_t bytes) { total_ = bytes; }
  uint64_t total() const { return total_; }

  // What a new dispatch may take: half of what is left, so that others find room beside it ...
  uint64_t Share() const { return left() / 2; }
  // ... or all of it, where half is too little for one lane.
  uint64_t left() const { return total_ - std::min(total_, held_ + kept_); }
  bool empty() const { return held_ == 0; }  // no dispatch holds any
  uint64_t held() const { return held_; }

  // Of inputs. What is given up helps nobody who waits: those that nothing reads make room at once.
  void Keep(uint64_t bytes) { kept_ += bytes; }
  void GiveUp(uint64_t bytes) { kept_ -= bytes; }

  void Hold(uint64_t bytes, const std::string& tenant = "") {
    HoldForAll(bytes);
    Lend(bytes, tenant);
  }
  void Free(uint64_t bytes, const std::string& tenant = "") {
    FreeForAll(bytes);
    TakeBack(bytes, tenant);
  }
  // What several tenants use is held for none of them; each is lent what its seats take.
  void HoldForAll(uint64_t bytes) { held_ += bytes; }
  void FreeForAll(uint64_t bytes) {
    held_ -= bytes;
    ++version_;
  }
  void Lend(uint64_t bytes, const std::string& tenant) { by_tenant_[tenant] += bytes; }
  void TakeBack(uint64_t bytes, const std::string& tenant) {
    ++version_;
    const auto its = by_tenant_.find(tenant);
    its->second -= bytes;
    if (its->second == 0) by_tenant_.erase(its);
  }
  uint64_t HeldBy(const std::string& tenant) const {
    const auto its = by_tenant_.find(tenant);
    return its == by_tenant_.end() ? 0 : its->second;
  }
  // Grows when memory was freed: a job that waits for some tries again then.
  uint64_t version() const { return version_; }

 private:
  uint64_t total_ = 0;
  uint64_t held_ = 0;
  uint64_t kept_ = 0;
  uint64_t version_ = 0;
  std::map<std::string, uint64_t> by_tenant_;  // of tenants that hold some
};

// The budget as a tenant's job sees it.
class TenantMemory {
 public:
  // The tenant may hold `most` bytes; 0: any number. `all` outlives this.
  TenantMemory(MemoryBudget& all, std::string tenant, uint64_t most)
      : all_(all), tenant_(std::move(tenant)), most_(most == 0 ? ~uint64_t{0} : most) {}

  uint64_t Share() const { return std::min(all_.Share(), OwnLeft()); }
  uint64_t left() const { return std::min(all_.left(), OwnLeft()); }
  // What does not fit now never will: no other job holds what it could get.
  bool IsAllThereIs() const { return all_.empty() || (OwnLeft() == most_ && all_.left() >= most_); }
  bool HasLimit() const { return most_ != ~uint64_t{0}; }
  // Its tenant's limit is what leaves it so little.
  bool IsLimited() const { return OwnLeft() < all_.left(); }
  uint64_t held() const { return all_.HeldBy(tenant_); }
  uint64_t most() const { return most_; }
  uint64_t held_by_all() const { return all_.held(); }

  void Hold(uint64_t bytes) { all_.Hold(bytes, tenant_); }
  void Free(uint64_t bytes) { all_.Free(bytes, tenant_); }
  // Of what was held for all.
  void Borrow(uint64_t bytes) { all_.Lend(bytes, tenant_); }
  void Return(uint64_t bytes) { all_.TakeBack(bytes, tenant_); }
  uint64_t OwnLeft() const { return most_ - std::min(most_, held()); }
  uint64_t version() const { return all_.version(); }

 private:
  MemoryBudget& all_;
  const std::string tenant_;
  const uint64_t most_;
};

}  // namespace wb
