#include "daemon/store/owners.h"

#include <optional>
#include <utility>
#include <vector>

#include "daemon/database/registry.h"

namespace wb {
namespace {

constexpr const char* kKindNames[] = {"module", "input"};
constexpr const char* kUnknown = "unknown";  // schema.cc
constexpr std::chrono::milliseconds kLoadPause{100};

OwnerRow RowOf(OwnedKind kind, const Digest& digest, const std::string& tenant) {
  return {kKindNames[static_cast<size_t>(kind)], digest.Hex(), tenant};
}

std::optional<OwnedKind> KindNamed(const std::string& name) {
  for (const OwnedKind kind : {OwnedKind::kModule, OwnedKind::kInput}) {
    if (name == kKindNames[static_cast<size_t>(kind)]) return kind;
  }
  return std::nullopt;
}

}  // namespace

Status Owners::Load() {
  if (registry_ == nullptr) return {};
  MutexLock changing(changes_);
  WB_ASSIGN(const std::vector<OwnerRow> rows, registry_->Owners());
  bool adopts = false;
  std::map<Key, std::set<std::string>> tenants;
  for (const OwnerRow& row : rows) {
    adopts = adopts || row.kind == kUnknown;
    const std::optional<OwnedKind> kind = KindNamed(row.kind);
    const std::optional<Digest> digest = Digest::FromHex(row.digest);
    if (kind && digest) tenants[{*kind, *digest}].insert(row.tenant);
  }
  MutexLock lock(mutex_);
  adopts_ = adopts;
  tenants_ = std::move(tenants);
  return {};
}

Status Owners::LoadAgain() {
  {
    MutexLock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < kLoadPause) return {};
    asked_ = now;
  }
  return Load();
}

Status Owners::Add(OwnedKind kind, const Digest& digest, const std::string& tenant) {
  MutexLock changing(changes_);
  if (Has(kind, digest, tenant)) return {};
  if (registry_ != nullptr) WB_TRY(registry_->AddOwner(RowOf(kind, digest, tenant)));
  MutexLock lock(mutex_);
  tenants_[{kind, digest}].insert(tenant);
  return {};
}

bool Owners::Has(OwnedKind kind, const Digest& digest, const std::string& tenant) const {
  MutexLock lock(mutex_);
  const auto at = tenants_.find({kind, digest});
  return at != tenants_.end() && at->second.contains(tenant);
}

bool Owners::HasAny(OwnedKind kind, const Digest& digest) const {
  MutexLock lock(mutex_);
  return tenants_.contains({kind, digest});
}

Result<bool> Owners::Remove(OwnedKind kind, const Digest& digest, const std::string& tenant) {
  MutexLock changing(changes_);
  if (registry_ != nullptr) WB_TRY(registry_->RemoveOwner(RowOf(kind, digest, tenant)));
  MutexLock lock(mutex_);
  const auto at = tenants_.find({kind, digest});
  if (at == tenants_.end()) return true;
  at->second.erase(tenant);
  if (!at->second.empty()) return false;
  tenants_.erase(at);
  return true;
}

Status Owners::RemoveAll(OwnedKind kind, const Digest& digest) {
  std::set<std::string> tenants;
  {
    MutexLock lock(mutex_);
    const auto at = tenants_.find({kind, digest});
    if (at != tenants_.end()) tenants = at->second;
  }
  for (const std::string& tenant : tenants) WB_TRY(Remove(kind, digest, tenant).status());
  return {};
}

bool Owners::AdoptsUnowned() const {
  MutexLock lock(mutex_);
  return adopts_;
}

Status Owners::EndAdoption() {
  MutexLock changing(changes_);
  if (registry_ != nullptr) WB_TRY(registry_->RemoveOwner({kUnknown, "", ""}));
  MutexLock lock(mutex_);
  adopts_ = false;
  return {};
}

size_t Owners::count(OwnedKind kind) const {
  MutexLock lock(mutex_);
  size_t count = 0;
  for (const auto& [key, tenants] : tenants_) count += key.first == kind ? 1 : 0;
  return count;
}

std::set<Digest> Owners::All(OwnedKind kind) const {
  MutexLock lock(mutex_);
  std::set<Digest> digests;
  for (const auto& [key, tenants] : tenants_) {
    if (key.first == kind) digests.insert(key.second);
  }
  return digests;
}

}  // namespace wb
