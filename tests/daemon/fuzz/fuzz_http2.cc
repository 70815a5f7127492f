// Bytes on a connection of the daemon, from valid calls by changes: no call is answered with
// INTERNAL or UNKNOWN, and others are served meanwhile. gRPC itself is not built for coverage; what
// of the daemon is behind it, is. libFuzzer's entry; with WB_FUZZ=ON.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "tests/daemon/fuzz/found.h"
#include "tests/daemon/fuzz/fuzzed_daemon.h"
#include "tests/daemon/fuzz/http2_frames.h"

namespace {

// An answer that has not begun by then is not waited for.
constexpr std::chrono::milliseconds kPatience{4};
constexpr uint64_t kInputsBetweenCalls = 50;
constexpr int kUnknown = 2, kInternal = 13;  // gRPC's numbers

std::string Ask(const std::string& bytes, std::chrono::milliseconds patience) {
  wb::HttpProbe probe(wb::FuzzedDaemon::Get().calls());
  if (!probe.connected()) wb::FoundByFuzzer("The daemon takes no connection.");
  return wb::SendInPieces(&probe, bytes) ? probe.ReadAll(patience) : "";
}

// A call that is right is answered, whatever came before.
void CallOnce() {
  wb::HttpProbe probe(wb::FuzzedDaemon::Get().calls());
  std::vector<wb::Http2Frame> frames = wb::Http2Call(1, "/wasmburst.v1.Admin/GetServerInfo", "");
  frames.insert(frames.begin(), wb::Http2Frame{4, 0, 0, ""});
  if (!probe.connected() || !probe.Send(wb::Http2Text({true, frames, ""}))) {
    wb::FoundByFuzzer("The daemon takes no connection.");
  }
  std::string answer;
  for (int tries = 0; tries < 1000 && wb::Http2Statuses(answer).empty(); ++tries) {
    answer += probe.ReadAll(std::chrono::milliseconds(20));
  }
  const std::vector<wb::Http2Status> statuses = wb::Http2Statuses(answer);
  if (statuses.empty() || statuses[0].code != 0) {
    wb::FoundByFuzzer("The daemon does not answer a call that is right.");
  }
}

// What is wrong with headers gRPC's own filters say, some of it with UNKNOWN: before the daemon.
void Judge(const wb::Http2Status& status) {
  static std::set<std::string> told;
  if (status.code != kUnknown && status.code != kInternal) return;
  const std::string words = std::to_string(status.code) + " (" + status.message + ")";
  if (status.is_ours) wb::FoundByFuzzer("The daemon answers with gRPC's status " + words);
  if (told.insert(words).second) std::fprintf(stderr, "gRPC itself answers %s\n", words.c_str());
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string changed = wb::MutateHttp2(input, seed, wb::ChangeByFuzzer);
  const size_t kept = std::min(changed.size(), max_size);
  std::memcpy(data, changed.data(), kept);
  return kept;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static uint64_t inputs = 0;
  const std::string answer = Ask({reinterpret_cast<const char*>(data), size}, kPatience);
  for (const wb::Http2Status& status : wb::Http2Statuses(answer)) Judge(status);
  if (++inputs % kInputsBetweenCalls == 0) CallOnce();
  return 0;
}
