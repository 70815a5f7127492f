// A library that looks like nvJitLink and does what the cubins say that fake_nvrtc.cc made:
//   LINKHANG   sleeps
//   LINKFAIL   does not link, with a log
//   else       the linked "cubin" is the options and the cubins, a line between each

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace {

struct FakeLink {
  std::string linked;
  std::string log;
};

FakeLink& Of(void* link) { return *static_cast<FakeLink*>(link); }

}  // namespace

extern "C" {

int nvJitLinkVersion(unsigned int* major, unsigned int* minor) {
  *major = 98;
  *minor = 9;
  return 0;
}

int nvJitLinkCreate(void** link, uint32_t count, const char** options) {
  auto* fake = new FakeLink;
  for (uint32_t i = 0; i < count; ++i) fake->linked += std::string(options[i]) + "\n";
  *link = fake;
  return 0;
}

int nvJitLinkAddData(void* link, int kind, const void* data, size_t bytes, const char*) {
  if (kind != 1) return 1;  // NVJITLINK_INPUT_CUBIN
  Of(link).linked += std::string(static_cast<const char*>(data), bytes) + "\n";
  return 0;
}

int nvJitLinkComplete(void* link) {
  FakeLink& fake = Of(link);
  const auto has = [&](const char* word) { return fake.linked.find(word) != std::string::npos; };
  while (has("LINKHANG")) pause();
  if (!has("LINKFAIL")) return 0;
  fake.log = "error: no such function";
  return 6;
}

int nvJitLinkGetErrorLogSize(void* link, size_t* bytes) {
  *bytes = Of(link).log.size() + 1;
  return 0;
}
int nvJitLinkGetErrorLog(void* link, char* log) {
  std::memcpy(log, Of(link).log.c_str(), Of(link).log.size() + 1);
  return 0;
}
int nvJitLinkGetLinkedCubinSize(void* link, size_t* bytes) {
  *bytes = Of(link).linked.size();
  return 0;
}
int nvJitLinkGetLinkedCubin(void* link, void* cubin) {
  std::memcpy(cubin, Of(link).linked.data(), Of(link).linked.size());
  return 0;
}
int nvJitLinkDestroy(void** link) {
  delete static_cast<FakeLink*>(*link);
  *link = nullptr;
  return 0;
}

}  // extern "C"
