#pragma once

// The archive of a backup: a tar file, so that any tar shows what is in it, whose last block says
// what digest all before it has. Files, in this order:
//   wasmburst-backup   the version of this format
//   state.db           the database
//   cordons            orders to devices, in archives of older daemons (cordons_file.h)
//   modules/HEX, inputs/HEX   blobs, by SHA-256
// Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/digest.h"
#include "daemon/database/tar_header.h"

namespace wb {

inline constexpr std::string_view kBackupMark = "wasmburst-backup";
inline constexpr std::string_view kBackupMarkText = "wasmburst backup, version 1\n";
inline constexpr std::string_view kBackupDatabase = "state.db";
inline constexpr std::string_view kBackupOrders = "cordons";
inline constexpr std::string_view kBackupBlobs[] = {"modules", "inputs"};

// Two blocks of zeros end a tar file; what follows them tar does not look at.
inline constexpr size_t kTarEndBytes = 2 * kTarBlockBytes;

// The last block: of an archive with so many bytes before it, of this digest.
TarBlock BackupEnd(const Digest& digest, uint64_t bytes);

// A blob of the archive, by its name there: "modules/HEX". nullopt: it names none.
struct BlobPlace {
  std::string folder;  // "modules"
  Digest digest;
};
std::optional<BlobPlace> BlobPlaceOf(std::string_view name);

}  // namespace wb
