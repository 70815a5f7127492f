#pragma once

// Compilers' processes that are there before their texts. To start one and to load its libraries
// takes as long as a small text does. So a few wait, each in the folder of a compile to come, with
// everything loaded. The next compile takes one; when no compile is left, others begin to wait.
// Each process still compiles one text, within the same bounds.

#include <chrono>
#include <memory>
#include <string>
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
  // As RunChild in the folder. A process that waits gets the words behind the first; if it does not
  // end well, a new one does it again and says why, in the time that is left. Called once.
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
  ChildReport RunWaiting(const std::vector<std::string>& argv, const ChildLimits& limits,
                         std::chrono::steady_clock::time_point deadline);
  static void End(Place& place);  // the child, with all that it has started

  std::unique_ptr<Place> place_;          // null: moved from
  std::shared_ptr<WarmProcesses> owner_;  // null: its process never waited
};

// Any thread.
class WarmProcesses : public std::enable_shared_from_this<WarmProcesses> {
 public:
  // In the folder of a process that waits: a pipe for its words, each with a zero byte behind it.
  static constexpr const char* kWords = "words";

  // `argv`: a program that, once it is ready, opens kWords to read, and does what those words say.
  // `parent`: takes the folders; empty: the temporary folder. `most` begin to wait at once.
  static std::shared_ptr<WarmProcesses> Create(std::vector<std::string> argv, std::string parent,
                                               const ChildLimits& limits, size_t most);
  ~WarmProcesses();
  WarmProcesses(const WarmProcesses&) = delete;
  WarmProcesses& operator=(const WarmProcesses&) = delete;

  // MACHINE_FAULT, IO_ERROR: there can be no folder.
  Result<OneCompile> Begin();

 private:
  friend class OneCompile;
  using Place = OneCompile::Place;

  WarmProcesses(std::vector<std::string> argv, std::string parent, const ChildLimits& limits,
                size_t most)
      : argv_(std::move(argv)), parent_(std::move(parent)), limits_(limits), most_(most) {}
  std::unique_ptr<Place> TakeReady();
  void EndOne();  // a compile of Begin
  // Up to `most_`. Without them compiles take longer, so no error is told.
  void Refill() WB_REQUIRES(mutex_);
  std::unique_ptr<Place> StartOne() const;

  const std::vector<std::string> argv_;
  const std::string parent_;
  const ChildLimits limits_;
  const size_t most_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Place>> waiting_ WB_GUARDED_BY(mutex_);
  size_t compiles_ WB_GUARDED_BY(mutex_) = 0;  // that have begun and not ended
};

}  // namespace wb
