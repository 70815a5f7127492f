// What the thread sanitizer has to be told of the packaged gRPC, in programs of tests that use it.
// Debian's libraries are not built with it.
//
// It does not see gRPC's locks, which are Abseil's and no pthread mutexes, and takes what gRPC
// hands from one of its threads to another for a race. Here the calls of these locks pass through
// ours, which tell it.
//
// It sees what gRPC's libraries do by functions of the C library (memcpy, free), and the code of
// gRPC's headers, which is compiled into our programs, but not the atomic variables in the
// libraries that order these. Such accesses are left out below; those by our own code are not.

#include <absl/synchronization/mutex.h>
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <string>

#include "compiler/base/check.h"

// Where the sanitizer looks for them, by name.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_options() { return "ignore_noninstrumented_modules=1"; }

// race_top: the access itself is in a function of that name. The others are of operations under
// way, in which gRPC calls nothing of ours; their accesses are in the standard library's templates.
extern "C" const char* __tsan_default_suppressions() {
  return "race_top:grpc::\n"
         "race:grpc::internal::CallOpSet<\n"
         "race:grpc::internal::InterceptorBatchMethodsImpl\n";
}

namespace {

#define WB_TEXT(name) #name
#define WB_TEXT_OF(macro) WB_TEXT(macro)

// The library's own function: a member of a class of Abseil, as the linker writes it behind the
// name of the library's namespace.
template <typename Function>
Function* Real(const char* member) {
  const std::string inner = WB_TEXT_OF(ABSL_OPTION_INLINE_NAMESPACE_NAME);
  const std::string name = "_ZN4absl" + std::to_string(inner.size()) + inner + member;
  auto* const found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name.c_str()));
  WB_CHECK(found != nullptr);
  return found;
}

}  // namespace

void absl::Mutex::Lock() {
  static auto* const real = Real<void(Mutex*)>("5Mutex4LockEv");
  real(this);
  __tsan_acquire(this);
}

void absl::Mutex::Unlock() {
  static auto* const real = Real<void(Mutex*)>("5Mutex6UnlockEv");
  __tsan_release(this);
  real(this);
}

bool absl::Mutex::TryLock() {
  static auto* const real = Real<bool(Mutex*)>("5Mutex7TryLockEv");
  const bool is_locked = real(this);
  if (is_locked) __tsan_acquire(this);
  return is_locked;
}

void absl::CondVar::Wait(Mutex* mutex) {
  static auto* const real = Real<void(CondVar*, Mutex*)>("7CondVar4WaitEPNS0_5MutexE");
  __tsan_release(mutex);
  real(this, mutex);
  __tsan_acquire(mutex);
}

bool absl::CondVar::WaitWithTimeout(Mutex* mutex, absl::Duration timeout) {
  static auto* const real = Real<bool(CondVar*, Mutex*, absl::Duration)>(
      "7CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE");
  __tsan_release(mutex);
  const bool is_over = real(this, mutex, timeout);
  __tsan_acquire(mutex);
  return is_over;
}

bool absl::CondVar::WaitWithDeadline(Mutex* mutex, absl::Time deadline) {
  static auto* const real =
      Real<bool(CondVar*, Mutex*, absl::Time)>("7CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE");
  __tsan_release(mutex);
  const bool is_over = real(this, mutex, deadline);
  __tsan_acquire(mutex);
  return is_over;
}
