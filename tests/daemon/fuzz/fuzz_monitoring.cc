// Bytes on a connection of the monitoring pages: a whole head is answered in HTTP/1.1, and whatever
// came, the pages are there afterwards. libFuzzer's entry; with WB_FUZZ=ON.

#include <chrono>
#include <string>
#include <thread>

#include "daemon/monitoring/http_message.h"
#include "tests/daemon/fuzz/found.h"
#include "tests/daemon/fuzz/fuzzed_daemon.h"

namespace {

constexpr std::chrono::seconds kPatience{20};
constexpr uint64_t kInputsBetweenPages = 50;

// The server may not have seen yet that earlier connections are closed, of which it takes so many.
void LookAtPage() {
  std::string page;
  for (int tries = 0; tries < 1000 && wb::HttpStatus(page) != 200; ++tries) {
    if (tries > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    page = wb::HttpGet(wb::FuzzedDaemon::Get().pages(), "/livez");
  }
  if (wb::HttpStatus(page) != 200) wb::FoundByFuzzer("The page /livez says: " + page);
}

bool IsAnswer(const std::string& text) {
  const int status = wb::HttpStatus(text);
  return status >= 200 && status < 600 && text.find("TIMEOUT") == std::string::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static uint64_t inputs = 0;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  wb::HttpProbe probe(wb::FuzzedDaemon::Get().pages());
  if (!probe.connected()) wb::FoundByFuzzer("The pages take no connection.");
  const bool is_sent = wb::SendInPieces(&probe, bytes);
  if (is_sent && wb::HasWholeHead(bytes) && !IsAnswer(probe.ReadAll(kPatience))) {
    wb::FoundByFuzzer("A whole request has no answer.");
  }
  probe.Close();
  if (++inputs % kInputsBetweenPages == 0) LookAtPage();
  return 0;
}
