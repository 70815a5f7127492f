#pragma once

// HostProcess: the engine host as a child process. One end of a socket pair is its file descriptor
// 3. It gets no other descriptor of this process.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/engine_host/channel.h"

namespace wb {

inline constexpr int kEngineSocket = 3;

class HostProcess {
 public:
  // What a host takes over of the daemon's environment and descriptors. Tools that watch processes
  // (ncu, nsys) need both, so a host that is not isolated has all.
  enum class Inherits : uint8_t { kLittle, kAll };
  // Starts `program` with `arguments` (its own name not among them). It leads a session of its own,
  // and has little or all of the environment: what a compiler, a driver and a sanitizer need. On
  // Linux it is killed when the calling thread ends, so that must be the thread that owns the
  // device. IO_ERROR, MACHINE_FAULT.
  static Result<std::unique_ptr<HostProcess>> Start(const std::string& program,
                                                    const std::vector<std::string>& arguments,
                                                    const UniqueFd& socket, Inherits inherits);
  ~HostProcess();  // kills it and waits for its end
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  int64_t pid() const { return pid_; }
  void Kill() const;  // any thread
  // How it ended by itself, in words: "was ended by signal [11]". Empty: it has not ended. Any
  // thread.
  std::string End() const;

 private:
  explicit HostProcess(int64_t pid) : pid_(pid) {}
  const int64_t pid_;
};

// The first call in the child. The process then dies with `parent`, gets no new rights and leaves
// no core file. It raises its niceness and, unless it inherits all, closes everything else that it
// inherited. False: the parent is already gone.
bool BecomeEngineHost(int64_t parent, int niceness, HostProcess::Inherits inherits);

// From here on this process gets so much memory of its own, beside kStacksOfHost; it ends when it
// needs more. Memory that it shares with the daemon does not count. On Linux; sanitizers take all
// that there is, and are not limited.
void LimitMemory(uint64_t bytes);
inline constexpr uint64_t kStacksOfHost = uint64_t{512} << 20;  // of threads: addresses, mostly

}  // namespace wb
