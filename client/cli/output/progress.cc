#include "client/cli/output/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "client/cli/output/forecast_text.h"

namespace wb::cli {

std::string ProgressText(const wasmburst::v1::Counts& counts, double seconds) {
  std::string text =
      std::to_string(counts.finished()) + "/" + std::to_string(counts.instances()) + " instances";
  if (counts.finished() == 0 || seconds <= 0) return text;
  double rate = static_cast<double>(counts.finished()) / seconds;
  char number[64];
  std::snprintf(number, sizeof(number), ", %.3g/s", rate);
  return text + number;
}

namespace {

std::string BarText(const char* verb, uint64_t done, uint64_t of) {
  constexpr uint64_t kMiB = 1 << 20;
  constexpr uint64_t kWidth = 20;
  const uint64_t part = of == 0 ? kWidth : std::min(done, of) * kWidth / of;
  return std::string(verb) + " [" + std::string(part, '#') + std::string(kWidth - part, ' ') +
         "] " + std::to_string(done / kMiB) + " of " + std::to_string((of + kMiB - 1) / kMiB) +
         " MiB";
}

}  // namespace

std::string UploadText(uint64_t sent, uint64_t of) { return BarText("uploading", sent, of); }

std::string DownloadText(uint64_t received, uint64_t of) {
  return BarText("receiving", received, of);
}

Progress::Progress(bool quiet) : active_(!quiet && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { Clear(); }

bool Progress::IsDue() {
  const Clock::time_point now = Clock::now();
  if (!active_ || now - last_ < std::chrono::milliseconds(100)) return false;
  last_ = now;
  return true;
}

void Progress::Write(const std::string& text) {
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
}

void Progress::Show(const wasmburst::v1::ReadResultsResponse& message) {
  if (!message.has_counts() || !IsDue()) return;
  const double seconds = std::chrono::duration<double>(last_ - start_).count();
  const std::string forecast = ForecastText(message.forecast(), UnixNow());
  Write(ProgressText(message.counts(), seconds) + (forecast.empty() ? "" : ", " + forecast));
}

void Progress::ShowUpload(uint64_t sent, uint64_t of) {
  if (IsDue()) Write(UploadText(sent, of));
}

void Progress::ShowDownload(uint64_t received, uint64_t of) {
  if (IsDue()) Write(DownloadText(received, of));
}

void Progress::ShowWords(const std::string& words) {
  if (IsDue()) Write(words);
}

void Progress::Clear() {
  if (!shown_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace wb::cli
