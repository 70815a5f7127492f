#pragma once

// How a Client calls.

#include <chrono>
#include <string>

namespace wb {

struct ClientOptions {
  std::chrono::nanoseconds timeout{std::chrono::seconds(60)};  // of a unary call, retries included
  int attempts = 5;  // of a call or a stream that makes no progress
  std::chrono::nanoseconds first_pause{std::chrono::milliseconds(200)};  // doubles up to 5 s
  // Whether calls that are refused for a moment, because others are served, are tried again too.
  bool retries_refusals = false;

  // What the daemon is to know the caller by, besides the user of the process ("wbt_..."). It goes
  // with each call, but never in plain text to another machine. Empty: none.
  std::string token;
  // W3C's `traceparent`, by which spans and log lines of the daemon are found; it goes with each
  // call. Empty: none, and the daemon makes one for each call.
  std::string traceparent;
  // Files of tls:// addresses, in PEM. `ca_file` has the certificates of the authorities that are
  // trusted; empty: the system's.
  std::string ca_file;
  std::string certificate_file;  // the client's own, with `key_file`; empty: none
  std::string key_file;
  std::string server_name;  // must stand in the daemon's certificate; empty: the address's host
};

}  // namespace wb
