#include "daemon/translate/system_configuration.h"

namespace wb {
namespace {

constexpr uint32_t kVersion = 1;
constexpr uint32_t kNoStandardInput = 1;
constexpr uint32_t kNoFiles = 2;
constexpr uint32_t kDrawNumbers = 4;

// Little end first, without gaps.
class Writer {
 public:
  void U32(uint32_t number) { Number(number, sizeof(number)); }
  void U64(uint64_t number) { Number(number, sizeof(number)); }
  void Count(size_t count) { U32(static_cast<uint32_t>(count)); }
  void Text(const std::string& text) {
    Count(text.size());
    out_.insert(out_.end(), text.begin(), text.end());
  }
  Bytes Take() && { return std::move(out_); }

 private:
  void Number(uint64_t number, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) out_.push_back(static_cast<uint8_t>(number >> (8 * i)));
  }

  Bytes out_;
};

}  // namespace

Bytes EncodeSystemConfiguration(const SystemConfiguration& configuration) {
  Writer writer;
  writer.U32(kVersion);
  writer.U32(configuration.args);
  writer.U32(configuration.environment);
  writer.U32(configuration.own_files);
  writer.U64(configuration.clock_start_ns);
  writer.U64(configuration.seed);
  writer.U32(configuration.scratch_bytes);
  writer.U32((configuration.has_standard_input ? 0 : kNoStandardInput) |
             (configuration.has_files ? 0 : kNoFiles) |
             (configuration.has_draw_numbers ? kDrawNumbers : 0));
  writer.Count(configuration.preopens.size());
  for (const auto& [name, path] : configuration.preopens) {
    writer.Text(name);
    writer.Text(path);
  }
  writer.Count(configuration.output_files.size());
  for (const std::string& path : configuration.output_files) writer.Text(path);
  return std::move(writer).Take();
}

}  // namespace wb
