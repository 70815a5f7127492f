#pragma once

// contexts.toml: daemons by name, with what the client shows them.
//
//   current = "lab"
//   [context.lab]
//   addr = "tls://gpu1.example:7443"
//   token_file = "/home/anna/lab.token"     and ca, cert, key, server_name

#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/status.h"

namespace wb::cli {

struct Context {
  std::string name;  // letters, digits, ".", "-" and "_"
  std::string address;
  // Files by whole paths. Empty: none.
  std::string token_file;
  std::string ca_file;
  std::string certificate_file;
  std::string key_file;
  std::string server_name;
};

struct Contexts {
  std::string current;  // empty: none is in use
  std::vector<Context> all;

  const Context* Find(const std::string& name) const;  // null: there is none
  Result<Context> Get(const std::string& name) const;  // NOT_FOUND names those that there are
  // In the place of one of the same name. INVALID_ARGUMENT: a name of other characters.
  Status Put(const Context& context);
  // NOT_FOUND. The one in use is in use no more.
  Status Remove(const std::string& name);
};

// INVALID_ARGUMENT with file and line, also of names that are not known.
Result<Contexts> ParseContexts(std::string_view text, const std::string& file);
std::string ContextsText(const Contexts& contexts);

// A file that is not there holds none. An empty path: there is no place for the file.
Result<Contexts> ReadContexts(const std::string& path);
Status WriteContexts(const std::string& path, const Contexts& contexts);

}  // namespace wb::cli
