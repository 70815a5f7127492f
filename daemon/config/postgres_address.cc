#include "daemon/config/postgres_address.h"

#include <algorithm>

namespace wb {
namespace {

constexpr std::string_view kPostgresSchemes[] = {"postgresql://", "postgres://"};

struct AddressParts {
  bool known = false;  // the scheme is
  std::string_view user;
  std::string_view place;
  std::string_view keys;
};

AddressParts SplitAddress(std::string_view text) {
  AddressParts parts;
  for (const std::string_view scheme : kPostgresSchemes) {
    if (!text.starts_with(scheme)) continue;
    parts.known = true;
    const std::string_view rest = text.substr(scheme.size());
    const size_t query = std::min(rest.find('?'), rest.size());
    parts.keys = query < rest.size() ? rest.substr(query + 1) : std::string_view();
    const std::string_view whole = rest.substr(0, query);
    const size_t at = whole.find('@');
    parts.user = at == std::string_view::npos ? std::string_view() : whole.substr(0, at);
    parts.place = at == std::string_view::npos ? whole : whole.substr(at + 1);
  }
  return parts;
}

// Keys of a password begin or end so, however a letter of theirs may be written.
bool HasPassword(const AddressParts& parts) {
  if (parts.user.find(':') != std::string_view::npos) return true;
  for (std::string_view rest = parts.keys; !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    const std::string_view key = pair.substr(0, pair.find('='));
    if (key.ends_with("password") || key.find('%') != std::string_view::npos) return true;
  }
  return false;
}

Status WrongAddress(const char* words) {
  return Status(Reason::kConfigInvalid, std::string("The setting [store.postgres] ") + words,
                {{"setting", "store.postgres"}});
}

}  // namespace

Status CheckPostgresAddress(std::string_view text) {
  const AddressParts parts = SplitAddress(text);
  if (!parts.known) {
    return WrongAddress(
        "must be the address of a database, such as postgresql://wasmburst@localhost/wasmburst, "
        "or postgresql:///wasmburst?host=/run/postgresql for a Unix socket.");
  }
  if (!HasPassword(parts)) return {};
  return WrongAddress(
      "must not hold a password: settings are shown. Write the line "
      "HOST:PORT:DATABASE:USER:PASSWORD to a file that only the daemon's user may read (chmod 600) "
      "and add ?passfile=FILE to the address.");
}

std::string PostgresPlace(std::string_view address) {
  return std::string(SplitAddress(address).place);
}

}  // namespace wb
