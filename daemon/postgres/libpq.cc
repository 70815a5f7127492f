#include "daemon/postgres/libpq.h"

#include "scheduler/base/dynamic_library.h"

namespace wb {
namespace {

Result<Libpq> LoadOnce() {
  const Result<DynamicLibrary> library = DynamicLibrary::Open("PostgreSQL's client library",
#ifdef __APPLE__
                                                              {"libpq.5.dylib", "libpq.dylib"});
#else
                                                              {"libpq.so.5"});
#endif
  if (!library.ok()) {
    return Status(
        library.status().reason(),
        library.status().message() + " [store.postgres] needs it: install it (Debian: libpq5).",
        {{"setting", "store.postgres"}});
  }
  Libpq pq;
#define WB_LIBPQ(name)                                                      \
  pq.name = reinterpret_cast<decltype(pq.name)>(library->Find("PQ" #name)); \
  if (pq.name == nullptr) return library->Lacks("PQ" #name);
#include "daemon/postgres/libpq.def"
#undef WB_LIBPQ
  return pq;
}

}  // namespace

Result<const Libpq*> Libpq::Load() {
  static const Result<Libpq> loaded = LoadOnce();
  if (!loaded.ok()) return loaded.status();
  return &loaded.value();
}

}  // namespace wb
