#pragma once

// Reads JSON from a text that nothing has checked. What is not JSON breaks the cursor: it then
// stands at the end, and every further read gives nothing. Depth costs nothing. Pure; linear in the
// text.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wb {

class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : text_(text) {}

  bool ok() const { return ok_; }
  // White space is passed over. True, and it is read: `c` comes next.
  bool Take(char c);
  bool NextIs(char c);
  // A text in quotes, as UTF-8. A surrogate without its partner becomes U+FFFD.
  std::string Text();
  // A number from 0 to 2^32 - 1, in digits alone.
  uint32_t Unsigned();
  // Any value. Brackets must match in number; more is not checked.
  void Skip();
  void Break();

 private:
  void PassSpace();
  void AddEscaped(std::string* text);
  unsigned Unit();  // four hexadecimal digits

  std::string_view text_;
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace wb
