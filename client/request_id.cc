#include "client/request_id.h"

#include <random>
#include <string_view>

namespace wb {

std::string NewRequestId() {
  std::random_device random;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string id;
  for (int i = 0; i < 32; ++i) id += kDigits[random() & 15];
  return id;
}

}  // namespace wb
