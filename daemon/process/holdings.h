#pragma once

// What tenants, and within a tenant its connections, hold of a bound. Pure; its owner locks.

#include <cstdint>
#include <map>

#include "daemon/process/turns.h"

namespace wb {

class Holdings {
 public:
  struct Held {
    uint64_t all = 0;
    uint64_t of_tenant = 0;
    uint64_t of_connection = 0;
  };
  Held Of(Whose whose) const;
  void Add(Whose whose, uint64_t amount);
  void Remove(Whose whose, uint64_t amount);  // that was added

 private:
  // Neither holds zeros.
  std::map<uint64_t, uint64_t> tenants_;
  std::map<Whose, uint64_t> connections_;
  uint64_t all_ = 0;
};

}  // namespace wb
