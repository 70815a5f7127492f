#pragma once

// Test only: a module's bytes section by section, for what no text can say.

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "compiler/base/bytes.h"

namespace wb::test {

inline void AppendLeb(Bytes* out, uint32_t value) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<uint8_t>(value | 0x80));
  out->push_back(static_cast<uint8_t>(value));
}

inline void Append(Bytes* out, const Bytes& bytes) {
  out->insert(out->end(), bytes.begin(), bytes.end());
}

// Copies what it has so far, until that is enough: one by one, millions take seconds under a
// sanitizer.
inline Bytes Repeat(const Bytes& unit, uint32_t count) {
  Bytes bytes(unit.size() * count);
  if (bytes.empty()) return bytes;
  std::memcpy(bytes.data(), unit.data(), unit.size());
  for (size_t done = unit.size(); done < bytes.size();) {
    const size_t more = std::min(done, bytes.size() - done);
    std::memcpy(bytes.data() + done, bytes.data(), more);
    done += more;
  }
  return bytes;
}

class BinaryBuilder {
 public:
  BinaryBuilder& Section(uint8_t id, const Bytes& content) {
    bytes_.push_back(id);
    AppendLeb(&bytes_, static_cast<uint32_t>(content.size()));
    Append(&bytes_, content);
    return *this;
  }

  // Type 0 is () -> (), function 0 has it and this body: local declarations and operators.
  BinaryBuilder& OneFunction(const Bytes& body) {
    Section(1, {1, 0x60, 0, 0}).Section(3, {1, 0});
    Bytes code = {1};
    AppendLeb(&code, static_cast<uint32_t>(body.size()));
    Append(&code, body);
    return Section(10, code);
  }

  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_ = {0, 'a', 's', 'm', 1, 0, 0, 0};
};

}  // namespace wb::test
