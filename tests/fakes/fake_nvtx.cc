// A libnvToolsExt.so.1 that notes the ranges it is told of. Tests read the notes.

#include <cstdint>
#include <string>

namespace {

std::string notes;
uint64_t last_range = 0;

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int nvtxRangePushA(const char* text) {
  notes += std::string("push ") + text + "\n";
  return 0;
}
__attribute__((visibility("default"))) int nvtxRangePop() {
  notes += "pop\n";
  return 0;
}
__attribute__((visibility("default"))) uint64_t nvtxRangeStartA(const char* text) {
  notes += "start " + std::to_string(++last_range) + " " + text + "\n";
  return last_range;
}
__attribute__((visibility("default"))) void nvtxRangeEnd(uint64_t range) {
  notes += "end " + std::to_string(range) + "\n";
}

// What was noted since the last call; valid until the next.
__attribute__((visibility("default"))) const char* fake_nvtx_notes() {
  static std::string taken;
  taken.swap(notes);
  notes.clear();
  return taken.c_str();
}
}
