#include "daemon/process/fail_point.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "compiler/base/check.h"

namespace wb {
namespace {

constexpr std::string_view kNames[] = {
#define WB_FAIL_POINT(name, text, meaning) text,
#include "daemon/process/fail_points.def"
#undef WB_FAIL_POINT
};

// What the environment asks for.
struct Wish {
  size_t place = std::size(kNames);  // none
  std::atomic<int64_t> left{1};

  Wish() {
    if (const char* text = std::getenv("WASMBURST_FAIL_POINT")) Read(text);
  }
  void Read(const std::string& text) {
    const std::string_view words = text;
    const size_t colon = words.find(':');
    left = colon == std::string_view::npos ? 1 : std::atoll(text.c_str() + colon + 1);
    for (place = 0; place < std::size(kNames); ++place) {
      if (kNames[place] == words.substr(0, colon)) return;
    }
    // A test that asks for what is not there would pass for nothing.
    WB_CHECK(place < std::size(kNames));
  }
};

Wish& TheWish() {
  static Wish wish;
  return wish;
}

}  // namespace

void ArmFailPoint(const std::string& text) { TheWish().Read(text); }

void FailPoint(FailPlace place) {
  Wish& wish = TheWish();
  if (static_cast<size_t>(place) != wish.place || --wish.left != 0) return;
  ::kill(::getpid(), SIGKILL);
  ::pause();
}

}  // namespace wb
