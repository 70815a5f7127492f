#pragma once

// Which daemon a command is for, and what it shows that daemon of itself: from flags, the
// environment and contexts.

#include <string>

#include "client/client_options.h"
#include "compiler/base/status.h"

namespace wb::cli {

inline constexpr const char* kDefaultAddress = "unix:///run/wasmburst/wasmburstd.sock";

// As they were written; empty: not given.
struct ConnectionFlags {
  std::string address;
  std::string context;
  std::string token_file;
  std::string ca_file;
  std::string certificate_file;
  std::string key_file;
  std::string server_name;
};

struct ConnectionEnvironment {
  std::string address;        // WASMBURST_ADDR
  std::string token;          // WASMBURST_TOKEN: a token's text
  std::string token_file;     // WASMBURST_TOKEN_FILE
  std::string contexts_file;  // empty: it has no place
};
// Of this process.
ConnectionEnvironment ReadConnectionEnvironment();

struct ConnectionChoice {
  std::string address;
  ClientOptions options;  // the token, and the files of TLS
  std::string context;    // whose values these are; empty: no context's
};

// Flags go first, then the context that --context names, the environment, the context in use, the
// default. A context in use is left aside where a flag or the environment has the address: its
// token is for its own daemon. Reads the token's file and contexts.toml where they are needed.
// INVALID_ARGUMENT, NOT_FOUND (a context), IO_ERROR.
Result<ConnectionChoice> ChooseConnection(const ConnectionFlags& flags,
                                          const ConnectionEnvironment& environment);

}  // namespace wb::cli
