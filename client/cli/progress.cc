#include "client/cli/progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace wb::cli {

std::string ProgressText(const wasmburst::v1::Counts& counts, double seconds) {
  std::string text =
      std::to_string(counts.finished()) + "/" + std::to_string(counts.instances()) + " instances";
  if (counts.finished() == 0 || seconds <= 0) return text;
  double rate = static_cast<double>(counts.finished()) / seconds;
  char number[64];
  std::snprintf(number, sizeof(number), ", %.3g/s", rate);
  text += number;
  uint64_t left = counts.instances() - counts.finished();
  if (left > 0) {
    std::snprintf(number, sizeof(number), ", %.0f s left",
                  std::ceil(static_cast<double>(left) / rate));
    text += number;
  }
  return text;
}

Progress::Progress(bool quiet) : active_(!quiet && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { Clear(); }

void Progress::Show(const wasmburst::v1::Counts& counts) {
  Clock::time_point now = Clock::now();
  if (!active_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  std::string text = ProgressText(counts, std::chrono::duration<double>(now - start_).count());
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
}

void Progress::Clear() {
  if (!shown_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace wb::cli
