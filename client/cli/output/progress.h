#pragma once

// The line on standard error that says how far an upload or a job is; only on a terminal.

#include <chrono>
#include <cstdint>
#include <string>

#include "wasmburst/v1/jobs.pb.h"

namespace wb::cli {

// "512/1024 instances, 203/s": since `seconds`, 0: without a rate. Pure.
std::string ProgressText(const wasmburst::v1::Counts& counts, double seconds);

// "uploading [##########          ] 12 of 24 MiB"; pure.
std::string UploadText(uint64_t sent, uint64_t of);
// The same of what comes: "receiving [...".
std::string DownloadText(uint64_t received, uint64_t of);

class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();  // clears the line
  // "512/1024 instances, 203/s, 1.2 G instructions/s, 2 to 3 s left": what the message has of it.
  void Show(const wasmburst::v1::ReadResultsResponse& message);
  void ShowUpload(uint64_t sent, uint64_t of);
  void ShowDownload(uint64_t received, uint64_t of);
  void ShowWords(const std::string& words);
  void Clear();

 private:
  bool IsDue();
  void Write(const std::string& text);

  using Clock = std::chrono::steady_clock;
  const bool active_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point last_{};
  bool shown_ = false;
};

}  // namespace wb::cli
