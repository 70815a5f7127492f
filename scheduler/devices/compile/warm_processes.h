#pragma once

// Compilers' processes that are there before their texts. To start one and to load its libraries
// takes as long as a small text does. So a few wait, each in the folder of a compile to come, with
// everything loaded. The next compile takes one; soon after the last has ended others begin to
// wait, for some minutes. Each process still compiles one text, within the same bounds.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "scheduler/base/unique_fd.h"
#include "scheduler/devices/compile/compile_process.h"
#include "scheduler/devices/compile/private_folder.h"

namespace wb {

class WarmProcesses;

// One compile: its folder, and perhaps a process that waits in it. One thread at a time.
class OneCompile {
 public:
  explicit OneCompile(PrivateFolder folder)  // no process waits
      : place_(new Place{std::move(folder), {}, false, {}}) {}
  OneCompile(OneCompile&&) noexcept = default;
  OneCompile& operator=(OneCompile&&) = delete;
  ~OneCompile();

  const PrivateFolder& folder() const { return place_->folder; }
  // As RunChild in the folder. A process that waits gets the words behind the first. Where it has
  // not read them, or ends with another code than 0 and 1 (1: the text is wrong), a new one does it
  // again, in the time that is left. Called once.
  Result<ChildReport> Run(const std::vector<std::string>& argv, const ChildLimits& limits);

 private:
  friend class WarmProcesses;
  struct Place {
    PrivateFolder folder;
    ChildProcess child;
    bool has_child = false;  // not reaped
    UniqueFd words;          // open: the child reads them
  };

  OneCompile(std::unique_ptr<Place> place, std::shared_ptr<WarmProcesses> owner)
      : place_(std::move(place)), owner_(std::move(owner)) {}
  // Nothing: it has not read its words.
  std::optional<ChildReport> RunWaiting(const std::vector<std::string>& argv,
                                        const ChildLimits& limits,
                                        std::chrono::steady_clock::time_point deadline);
  static void End(Place& place);  // the child, with all that it has started

  std::unique_ptr<Place> place_;          // null: moved from
  std::shared_ptr<WarmProcesses> owner_;  // null: its process never waited
};

struct WarmPlan {
  // A program that, once it is ready, opens WarmProcesses::kWords to read, and does what it says.
  std::vector<std::string> argv;
  std::string parent;  // takes the folders; empty: the temporary folder
  ChildLimits limits;
  size_t most = 1;                     // that wait at once
  std::chrono::seconds patience{600};  // after the last compile those that wait are ended
  size_t beside = 0;                   // others begin to wait beside so many compiles, not more
};

// Any thread; it has one of its own.
class WarmProcesses : public std::enable_shared_from_this<WarmProcesses> {
 public:
  // In the folder of a process that waits: a pipe for its words, each with a zero byte behind it.
  static constexpr const char* kWords = "words";

  // The first begin to wait.
  static std::shared_ptr<WarmProcesses> Create(WarmPlan plan);
  ~WarmProcesses();
  WarmProcesses(const WarmProcesses&) = delete;
  WarmProcesses& operator=(const WarmProcesses&) = delete;

  // MACHINE_FAULT, IO_ERROR: there can be no folder.
  Result<OneCompile> Begin();

 private:
  friend class OneCompile;
  using Place = OneCompile::Place;

  explicit WarmProcesses(WarmPlan plan) : plan_(std::move(plan)) {}
  std::unique_ptr<Place> TakeReady();
  void EndOne();  // a compile of Begin
  bool MayRefill(std::chrono::steady_clock::time_point now) const WB_REQUIRES(mutex_);
  // Up to the most. Without them compiles take longer, so no error is told.
  void Refill() WB_REQUIRES(mutex_);
  std::unique_ptr<Place> StartOne() const;
  void EndAll() WB_REQUIRES(mutex_);  // that wait
  void RefillAndEnd();                // the thread's, each at its time

  const WarmPlan plan_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<std::unique_ptr<Place>> waiting_ WB_GUARDED_BY(mutex_);
  size_t compiles_ WB_GUARDED_BY(mutex_) = 0;  // that have begun and not ended
  // Others begin to wait at this time; nothing: none are to.
  std::optional<std::chrono::steady_clock::time_point> refill_at_ WB_GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point until_ WB_GUARDED_BY(mutex_);  // those that wait do
  bool ends_ WB_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace wb
