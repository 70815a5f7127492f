#include "client/cli/identity/contexts.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "client/cli/identity/secret_file.h"
#include "client/cli/program/files.h"

namespace wb::cli {
namespace {

struct ContextKey {
  std::string_view name;
  std::string Context::*member;
};
constexpr std::array<ContextKey, 6> kContextKeys = {{{"addr", &Context::address},
                                                     {"token_file", &Context::token_file},
                                                     {"ca", &Context::ca_file},
                                                     {"cert", &Context::certificate_file},
                                                     {"key", &Context::key_file},
                                                     {"server_name", &Context::server_name}}};

Status WrongContexts(const std::string& file, const toml::source_region& where,
                     const std::string& words) {
  const std::string place = file + ":" + std::to_string(where.begin.line);
  return Status(Reason::kInvalidArgument, place + ": " + words, {{"at", place}});
}

bool IsContextName(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  });
}

Status ReadContext(const std::string& file, const toml::table& table, Context* context) {
  for (auto&& [key, node] : table) {
    const std::string word(key.str());
    const auto known = std::find_if(kContextKeys.begin(), kContextKeys.end(),
                                    [&word](const ContextKey& one) { return one.name == word; });
    const std::string name = "[context." + context->name + "." + word + "]";
    if (known == kContextKeys.end()) {
      return WrongContexts(file, node.source(), "The key " + name + " is not known.");
    }
    const toml::value<std::string>* text = node.as_string();
    if (text == nullptr) return WrongContexts(file, node.source(), name + " must be a text.");
    context->*known->member = text->get();
  }
  if (!context->address.empty()) return {};
  return WrongContexts(file, table.source(), "The context [" + context->name + "] has no addr.");
}

Status ReadContextTables(const std::string& file, const toml::node& node, Contexts* contexts) {
  const toml::table* tables = node.as_table();
  if (tables == nullptr) return WrongContexts(file, node.source(), "[context] must be a table.");
  for (auto&& [name, one] : *tables) {
    Context context;
    context.name = name.str();
    if (!one.is_table() || !IsContextName(context.name)) {
      return WrongContexts(
          file, one.source(),
          "The context [" + context.name +
              "] must be a table, with a name of letters, digits, [.], [-] and [_].");
    }
    WB_TRY(ReadContext(file, *one.as_table(), &context));
    WB_TRY(contexts->Put(context));
  }
  return {};
}

Status ReadContextsTable(const std::string& file, const toml::table& top, Contexts* contexts) {
  for (auto&& [key, node] : top) {
    if (key.str() == "current" && node.is_string()) {
      contexts->current = node.as_string()->get();
    } else if (key.str() == "context") {
      WB_TRY(ReadContextTables(file, node, contexts));
    } else {
      return WrongContexts(file, node.source(),
                           "The key [" + std::string(key.str()) + "] is not known, or no text.");
    }
  }
  return {};
}

}  // namespace

const Context* Contexts::Find(const std::string& name) const {
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Context& one) { return one.name == name; });
  return at == all.end() ? nullptr : &*at;
}

Result<Context> Contexts::Get(const std::string& name) const {
  if (const Context* found = Find(name)) return *found;
  std::string known;
  for (const Context& one : all) known += (known.empty() ? "there are [" : ", [") + one.name + "]";
  if (known.empty()) known = "there are none; `wasmburstctl context add` makes one";
  return Status(Reason::kNotFound, "There is no context [" + name + "]; " + known + ".");
}

Status Contexts::Put(const Context& context) {
  if (!IsContextName(context.name)) {
    return Status(Reason::kInvalidArgument, "The context's name [" + context.name +
                                                "] has other characters than letters, digits, "
                                                "[.], [-] and [_].");
  }
  std::erase_if(all, [&](const Context& one) { return one.name == context.name; });
  all.push_back(context);
  std::sort(all.begin(), all.end(),
            [](const Context& one, const Context& other) { return one.name < other.name; });
  return {};
}

Status Contexts::Remove(const std::string& name) {
  WB_TRY(Get(name).status());
  std::erase_if(all, [&](const Context& one) { return one.name == name; });
  if (current == name) current.clear();
  return {};
}

Result<Contexts> ParseContexts(std::string_view text, const std::string& file) {
  Contexts contexts;
  try {
    const toml::table top = toml::parse(text, file);
    WB_TRY(ReadContextsTable(file, top, &contexts));
  } catch (const toml::parse_error& error) {
    return WrongContexts(file, error.source(),
                         "The file is not TOML: " + std::string(error.description()) + ".");
  }
  return contexts;
}

std::string ContextsText(const Contexts& contexts) {
  toml::table named;
  for (const Context& context : contexts.all) {
    toml::table one;
    for (const ContextKey& key : kContextKeys) {
      if (!(context.*key.member).empty()) one.insert(key.name, context.*key.member);
    }
    named.insert(context.name, std::move(one));
  }
  toml::table top;
  if (!contexts.current.empty()) top.insert("current", contexts.current);
  if (!named.empty()) top.insert("context", std::move(named));
  std::ostringstream out;
  out << "# Daemons that wasmburstctl knows by name (wasmburstctl context --help).\n"
      << top << "\n";
  return out.str();
}

Result<Contexts> ReadContexts(const std::string& path) {
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error)) return Contexts();
  WB_ASSIGN(const std::string text, ReadFile(path));
  return ParseContexts(text, path);
}

Status WriteContexts(const std::string& path, const Contexts& contexts) {
  if (path.empty()) {
    return Status(Reason::kInvalidArgument,
                  "There is no place for contexts: neither XDG_CONFIG_HOME nor HOME is set.");
  }
  return ReplaceSecretFile(path, ContextsText(contexts));
}

}  // namespace wb::cli
