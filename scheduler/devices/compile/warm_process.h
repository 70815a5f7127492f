#pragma once

// A compiler's process that is there before its text. To start one and to load its libraries takes
// as long as a small text does. So one waits, in the folder of a compile to come, with everything
// loaded. The next compile takes it; when that is done, another begins to wait. Each process still
// compiles one text, within the same bounds.

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

class WarmProcess;

// One compile: its folder, and perhaps a process that waits in it. One thread at a time.
class OneCompile {
 public:
  OneCompile(OneCompile&&) noexcept = default;
  OneCompile& operator=(OneCompile&&) = delete;
  ~OneCompile();

  const PrivateFolder& folder() const { return place_->folder; }
  // As RunChild in the folder. A process that waits gets the words behind the first; if it does not
  // end well, a new one does it again and says why, in the time that is left. Called once.
  Result<ChildReport> Run(const std::vector<std::string>& argv, std::chrono::milliseconds max_time);

 private:
  friend class WarmProcess;
  struct Place {
    PrivateFolder folder;
    ChildProcess child;
    bool has_child = false;  // not reaped
    UniqueFd words;          // open: the child reads them
  };

  OneCompile(std::unique_ptr<Place> place, std::shared_ptr<WarmProcess> owner)
      : place_(std::move(place)), owner_(std::move(owner)) {}
  ChildReport RunWaiting(const std::vector<std::string>& argv,
                         std::chrono::steady_clock::time_point deadline);
  static void End(Place& place);  // the child, with all that it has started

  std::unique_ptr<Place> place_;
  std::shared_ptr<WarmProcess> owner_;
};

// Any thread.
class WarmProcess : public std::enable_shared_from_this<WarmProcess> {
 public:
  // In the folder of a process that waits: a pipe for its words, each with a zero byte behind it.
  static constexpr const char* kWords = "words";

  // `argv`: a program that, once it is ready, opens kWords to read, and does what those words say.
  // `parent`: takes the folders; empty: the temporary folder. One begins to wait at once.
  static std::shared_ptr<WarmProcess> Create(std::vector<std::string> argv, std::string parent,
                                             const ChildLimits& limits);
  ~WarmProcess();
  WarmProcess(const WarmProcess&) = delete;
  WarmProcess& operator=(const WarmProcess&) = delete;

  // MACHINE_FAULT, IO_ERROR: there can be no folder.
  Result<OneCompile> Begin();

 private:
  friend class OneCompile;
  using Place = OneCompile::Place;

  WarmProcess(std::vector<std::string> argv, std::string parent, const ChildLimits& limits)
      : argv_(std::move(argv)), parent_(std::move(parent)), limits_(limits) {}
  std::unique_ptr<Place> TakeReady();
  // Where none waits. Without one compiles take longer, so no error is told.
  void Refill();

  const std::vector<std::string> argv_;
  const std::string parent_;
  const ChildLimits limits_;
  Mutex mutex_;
  std::unique_ptr<Place> waiting_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
