#include "daemon/store/durable/backup_format.h"

#include <algorithm>

namespace wb {

TarBlock BackupEnd(const Digest& digest, uint64_t bytes) {
  const std::string text = "wasmburst backup, version 1\nsha256 " + digest.Hex() + "\nbytes " +
                           std::to_string(bytes) + "\n";
  TarBlock block{};
  std::copy(text.begin(), text.end(), block.begin());
  return block;
}

std::optional<BlobPlace> BlobPlaceOf(std::string_view name) {
  for (const std::string_view folder : kBackupBlobs) {
    if (!name.starts_with(folder) || name.size() <= folder.size()) continue;
    if (name[folder.size()] != '/') continue;
    const std::optional<Digest> digest = Digest::FromHex(name.substr(folder.size() + 1));
    if (digest) return BlobPlace{std::string(folder), *digest};
  }
  return std::nullopt;
}

}  // namespace wb
