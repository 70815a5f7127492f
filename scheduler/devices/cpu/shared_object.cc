#include "scheduler/devices/cpu/shared_object.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "scheduler/base/system_error.h"
#include "scheduler/devices/compile/private_folder.h"

namespace wb {
namespace {

Status LoadFailed(const std::string& why) {
  return {Reason::kCompileFailed, "The kernel binary could not be loaded: " + why + "."};
}

Result<void*> Open(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return handle;
  const char* why = dlerror();
  if (!HasDescriptors()) return SystemError("The compiled module could not be opened", errno);
  return LoadFailed(why != nullptr ? why : "unknown reason");
}

#ifdef __linux__
Status WriteAll(int file, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return LoadFailed(std::strerror(errno));
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return {};
}
#endif

}  // namespace

Result<SharedObject> SharedObject::Load(ByteView bytes) {
#ifdef __linux__
  const int file = memfd_create("wasmburst-kernel", MFD_CLOEXEC);
  if (file >= 0) {
    SharedObject object(nullptr, file);
    WB_TRY(WriteAll(file, bytes));
    WB_ASSIGN(object.handle_, Open("/proc/self/fd/" + std::to_string(file)));
    return object;
  }
#endif
  WB_ASSIGN(const PrivateFolder folder, PrivateFolder::Create(""));
  WB_TRY(folder.Write("kernel.so", AsText(bytes)));
  WB_ASSIGN(void* handle, Open(folder.path() + "/kernel.so"));
  return SharedObject(handle, -1);
}

SharedObject::~SharedObject() {
  if (handle_ != nullptr) dlclose(handle_);
  if (file_ >= 0) close(file_);
}

void* SharedObject::Find(const char* symbol) const { return dlsym(handle_, symbol); }

}  // namespace wb
