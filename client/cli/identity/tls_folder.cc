#include "client/cli/identity/tls_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "client/cli/identity/secret_file.h"
#include "client/cli/program/files.h"

namespace wb::cli {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kAuthorityDays = 3650;
constexpr int64_t kMostDays = 36'500;

Validity DaysFromNow(int64_t days) {
  Validity validity;
  validity.until = days * kDay;
  return validity;
}

Status CheckDays(int64_t days) {
  if (days >= 1 && days <= kMostDays) return {};
  return Status(Reason::kInvalidArgument, "The days [" + std::to_string(days) +
                                              "] are not from 1 to " + std::to_string(kMostDays) +
                                              ".");
}

bool Exists(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

Status CheckAbsent(const CertificateFiles& files, const std::string& advice) {
  for (const std::string& path : {files.certificate, files.key}) {
    if (!Exists(path)) continue;
    return Status(Reason::kIoError,
                  "The file [" + path + "] is there already, and is not overwritten. " + advice,
                  {{"file", path}});
  }
  return {};
}

Result<std::string> WholeFolder(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error) && mkdir(folder.c_str(), 0700) != 0) {
    return Status(Reason::kIoError,
                  "The folder [" + folder + "] cannot be made (" + std::strerror(errno) + ").",
                  {{"file", folder}});
  }
  const fs::path whole = fs::canonical(folder, error);
  return error ? folder : whole.string();
}

CertificateFiles FilesOf(const std::string& folder, const std::string& name) {
  return {folder + "/ca.pem", folder + "/" + name + ".pem", folder + "/" + name + ".key"};
}

// All of them or none.
Status WriteNew(const std::vector<std::pair<std::string, std::string>>& files) {
  for (size_t i = 0; i < files.size(); ++i) {
    const Status wrote = CreateSecretFile(files[i].first, files[i].second);
    if (wrote.ok()) continue;
    for (size_t undone = 0; undone < i; ++undone) unlink(files[undone].first.c_str());
    return wrote;
  }
  return {};
}

// The folder's own. A half of one is an error.
Result<CertifiedKey> ReadAuthority(const std::string& folder) {
  CertifiedKey authority;
  WB_ASSIGN(authority.certificate, ReadFile(folder + "/ca.pem"));
  WB_ASSIGN(authority.key, ReadFile(folder + "/ca.key"));
  return authority;
}

}  // namespace

Result<CertificateFiles> InitTlsFolder(const std::string& folder,
                                       const std::vector<std::string>& hosts, int64_t days) {
  WB_TRY(CheckDays(days));
  WB_ASSIGN(const std::string whole, WholeFolder(folder));
  const CertificateFiles files = FilesOf(whole, "server");
  WB_TRY(CheckAbsent(files,
                     "Move server.pem and server.key away to get new ones; the authority "
                     "(ca.pem, ca.key) is kept then."));
  std::vector<std::pair<std::string, std::string>> written;
  CertifiedKey authority;
  if (Exists(whole + "/ca.pem") || Exists(whole + "/ca.key")) {
    WB_ASSIGN(authority, ReadAuthority(whole));
  } else {
    WB_ASSIGN(authority, MakeAuthority(DaysFromNow(std::max(days, kAuthorityDays))));
    written = {{whole + "/ca.key", authority.key}, {whole + "/ca.pem", authority.certificate}};
  }
  WB_ASSIGN(const CertifiedKey server, MakeServerCertificate(authority, hosts, DaysFromNow(days)));
  written.emplace_back(files.key, server.key);
  written.emplace_back(files.certificate, server.certificate);
  WB_TRY(WriteNew(written));
  return files;
}

Result<CertificateFiles> AddTlsClient(const std::string& folder, const ClientIdentity& identity,
                                      int64_t days) {
  WB_TRY(CheckDays(days));
  WB_TRY(CheckClientIdentity(identity));
  if (!Exists(folder + "/ca.key")) {
    return Status(Reason::kInvalidArgument, "The folder [" + folder +
                                                "] has no authority; `wasmburstctl tls init` "
                                                "makes one.");
  }
  WB_ASSIGN(const std::string whole, WholeFolder(folder));
  const CertificateFiles files = FilesOf(whole, identity.name);
  WB_TRY(CheckAbsent(files, "Move it away to get a new one, or choose another name."));
  WB_ASSIGN(const CertifiedKey authority, ReadAuthority(whole));
  WB_ASSIGN(const CertifiedKey client,
            MakeClientCertificate(authority, identity, DaysFromNow(days)));
  WB_TRY(WriteNew({{files.key, client.key}, {files.certificate, client.certificate}}));
  return files;
}

}  // namespace wb::cli
