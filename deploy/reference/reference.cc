// Writes the pages of the reference: one for each file of the API, settings, metrics, errors.
//   wb_reference FOLDER DESCRIPTORS HELP
//     DESCRIPTORS  what protoc --descriptor_set_out --include_imports --include_source_info wrote
//     HELP         a file with what wasmburstd --help prints
// The page of commands is what wasmburstctl prints.

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "deploy/reference/proto_page.h"
#include "deploy/reference/table_pages.h"

namespace {

bool Write(const std::string& folder, const std::string& name, const std::string& text) {
  std::ofstream file(folder + "/" + name, std::ios::binary);
  file << text;
  if (file.flush()) return true;
  std::cerr << "wb_reference: cannot write " << folder << "/" << name << "\n";
  return false;
}

bool Read(const std::string& path, std::string* text) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  *text = bytes.str();
  if (file.good() && !text->empty()) return true;
  std::cerr << "wb_reference: cannot read " << path << ", or it is empty\n";
  return false;
}

// "wasmburst/v1/jobs.proto" is jobs.md; files of others, which it imports, have no page.
bool WriteApi(const std::string& folder, const google::protobuf::FileDescriptorSet& set) {
  const std::string own = "wasmburst/v1/";
  google::protobuf::DescriptorPool pool;
  for (const google::protobuf::FileDescriptorProto& proto : set.file()) {
    const google::protobuf::FileDescriptor* file = pool.BuildFile(proto);
    if (file == nullptr) {
      std::cerr << "wb_reference: " << proto.name() << " does not fit what it imports\n";
      return false;
    }
    if (!file->name().starts_with(own)) continue;
    const std::string stem = file->name().substr(own.size(), file->name().rfind('.') - own.size());
    if (!Write(folder, stem + ".md", wb::ProtoPage(*file))) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: wb_reference FOLDER DESCRIPTORS HELP\n";
    return 2;
  }
  const std::string folder = argv[1];
  std::string bytes;
  std::string help;
  if (!Read(argv[2], &bytes) || !Read(argv[3], &help)) return 1;
  google::protobuf::FileDescriptorSet set;
  if (!set.ParseFromString(bytes)) {
    std::cerr << "wb_reference: " << argv[2] << " is no set of descriptors\n";
    return 1;
  }
  const bool wrote = WriteApi(folder, set) &&
                     Write(folder, "settings.md", wb::SettingsPage(help)) &&
                     Write(folder, "metrics.md", wb::MetricsPage()) &&
                     Write(folder, "errors.md", wb::ErrorsPage());
  return wrote ? 0 : 1;
}
