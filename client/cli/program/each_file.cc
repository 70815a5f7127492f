#include "client/cli/program/each_file.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "client/cli/program/files.h"

namespace wb::cli {
namespace {

Status NotFiles(const std::string& words) { return Status(Reason::kInvalidArgument, words); }

Status TooLarge(const std::string& pattern, uint64_t bytes, uint64_t most) {
  return NotFiles("The files of [" + pattern + "] have [" + std::to_string(bytes) +
                  "] bytes or more; one job takes [" + std::to_string(most) +
                  "]. Use several patterns, a job for each.");
}

Result<std::vector<std::string>> PathsMatching(const std::string& pattern) {
  glob_t found = {};
  const int outcome = glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> paths;
  for (size_t i = 0; outcome == 0 && i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  globfree(&found);
  if (outcome == 0 || outcome == GLOB_NOMATCH) return paths;
  return Status(Reason::kIoError, "The files of [" + pattern + "] cannot be listed.",
                {{"pattern", pattern}});
}

Result<std::vector<std::string>> FilesMatching(const std::string& pattern) {
  WB_ASSIGN(std::vector<std::string> paths, PathsMatching(pattern));
  std::erase_if(paths, [](const std::string& path) {
    std::error_code error;
    return std::filesystem::is_directory(path, error);
  });
  std::sort(paths.begin(), paths.end());
  if (paths.empty()) {
    return NotFiles("No file matches [" + pattern +
                    "]; quote the pattern, so that it comes here and not to the shell: --each-file "
                    "'in/*'.");
  }
  return paths;
}

}  // namespace

Result<std::vector<std::string>> ListEachFile(const std::string& pattern,
                                              const FileBounds& bounds) {
  WB_ASSIGN(std::vector<std::string> paths, FilesMatching(pattern));
  if (paths.size() <= bounds.most_files) return paths;
  return NotFiles("The pattern [" + pattern + "] matches [" + std::to_string(paths.size()) +
                  "] files; one job takes [" + std::to_string(bounds.most_files) +
                  "]. Use several patterns, a job for each.");
}

Result<ArgSpec> ReadEachFile(const std::string& pattern, const FileBounds& bounds) {
  WB_ASSIGN(std::vector<std::string> paths, ListEachFile(pattern, bounds));
  ArgSpec spec;
  spec.kind = ArgSpec::Kind::kBytes;
  spec.name = kFileColumn;
  uint64_t bytes = 0;
  for (const std::string& path : paths) {
    std::error_code error;
    const uintmax_t size = std::filesystem::file_size(path, error);  // fails for pipes, say
    if (!error && bytes + size > bounds.most_bytes) {
      return TooLarge(pattern, bytes + size, bounds.most_bytes);
    }
    WB_ASSIGN(std::string content, ReadFile(path));
    bytes += content.size();
    if (bytes > bounds.most_bytes) return TooLarge(pattern, bytes, bounds.most_bytes);
    spec.texts.push_back(std::move(content));
  }
  spec.shown = std::move(paths);
  return spec;
}

}  // namespace wb::cli
