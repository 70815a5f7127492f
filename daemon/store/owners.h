#pragma once

// Owners: which tenants uploaded a module or an input. Those of equal bytes are stored once,
// however many tenants have them; for a tenant that did not upload it a blob does not exist.
//
// Threads: any.

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "compiler/base/digest.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"

namespace wb {

class Registry;

enum class OwnedKind : uint8_t { kModule, kInput };

class Owners {
 public:
  // `registry`: where they outlive the daemon; null: they do not.
  explicit Owners(std::shared_ptr<Registry> registry) : registry_(std::move(registry)) {}

  // Before all else, and again where other daemons have uploads too. IO_ERROR.
  Status Load();
  // Load, for a caller that asks for what is not known here; not again within a tenth of a second,
  // so that callers who ask for what nobody has cost no more than that.
  Status LoadAgain();
  // On the disk when it returns. NOSPACE, IO_ERROR.
  Status Add(OwnedKind kind, const Digest& digest, const std::string& tenant);
  bool Has(OwnedKind kind, const Digest& digest, const std::string& tenant) const;
  bool HasAny(OwnedKind kind, const Digest& digest) const;
  // True: nobody owns it any more.
  Result<bool> Remove(OwnedKind kind, const Digest& digest, const std::string& tenant);
  Status RemoveAll(OwnedKind kind, const Digest& digest);
  std::set<Digest> All(OwnedKind kind) const;
  size_t count(OwnedKind kind) const;  // of blobs with an owner

  // Blobs without an owner may be from before owners were kept, and are to be given to one. Until
  // EndAdoption, in this daemon or a later one.
  bool AdoptsUnowned() const;
  Status EndAdoption();

 private:
  using Key = std::pair<OwnedKind, Digest>;

  const std::shared_ptr<Registry> registry_;
  Mutex changes_;  // one change at a time: the registry and what is here agree
  mutable Mutex mutex_;
  std::map<Key, std::set<std::string>> tenants_ WB_GUARDED_BY(mutex_);
  bool adopts_ WB_GUARDED_BY(mutex_) = false;
  std::chrono::steady_clock::time_point asked_ WB_GUARDED_BY(mutex_);  // LoadAgain, last
};

}  // namespace wb
