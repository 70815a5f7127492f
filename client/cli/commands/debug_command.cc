// wasmburstctl debug bundle: what a report of a problem needs, in one file.

#include <CLI/CLI.hpp>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "client/cli/commands/commands.h"
#include "client/cli/commands/doctor.h"
#include "client/cli/commands/version.h"
#include "client/cli/encoding/tar_archive.h"
#include "client/cli/identity/secret_file.h"
#include "client/cli/output/standard_output.h"
#include "client/services/devices.h"
#include "client/services/jobs.h"
#include "client/services/server.h"
#include "client/services/tenants.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr int kMostJobs = 1000;
constexpr const char* kReadMe =
    "Made by `wasmburstctl debug bundle`, for a report of a problem.\n"
    "It has the daemon's state, its devices, its cache's list, jobs and what `doctor` found.\n"
    "It has no tokens, no modules, no arguments, inputs, labels or results of jobs.\n"
    "It does have names of machines, users and files: read it before you send it.\n";

// What a job was given and called is its owner's; a field that is new stays out.
const std::set<std::string_view> kShownOfJobs = {
    "name",         "module",      "instances", "limits",           "placement",
    "floats",       "state",       "error",     "counts",           "usage",
    "device",       "waiting_for", "waits",     "placement_reason", "history",
    "create_time",  "start_time",  "end_time",  "expire_time",      "results_dropped",
    "limit_reached"};

void KeepShown(v1::Job* job) {
  const google::protobuf::Reflection* reflection = job->GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(*job, &fields);
  for (const auto* field : fields) {
    if (kShownOfJobs.count(field->name()) == 0) reflection->ClearField(job, field);
  }
}

// The files of a bundle, and what is missing of it.
class Bundle {
 public:
  void Add(const std::string& name, const std::string& text) {
    files_.push_back({"wasmburst-debug/" + name, text + (text.ends_with("\n") ? "" : "\n")});
  }
  template <typename Message>
  void Add(const std::string& name, const Result<Message>& answer) {
    if (answer.ok()) {
      Add(name + ".json", MessageJson(*answer, true));
    } else {
      Add(name + ".error.txt", answer.status().ToString());
      missing_ += (missing_.empty() ? "" : ", ") + name;
    }
  }
  const std::vector<ArchiveFile>& files() const { return files_; }
  const std::string& missing() const { return missing_; }

 private:
  std::vector<ArchiveFile> files_;
  std::string missing_;
};

Result<v1::ListJobsResponse> ShownJobs(Client& client) {
  v1::ListJobsRequest request;
  request.set_page_size(kMostJobs);
  WB_ASSIGN(v1::ListJobsResponse response, ListJobs(client, request));
  for (v1::Job& job : *response.mutable_jobs()) KeepShown(&job);
  return response;
}

Status AddAnswers(const ConnectionFlags& flags, Bundle* bundle) {
  WB_ASSIGN(ConnectionChoice choice, ChooseConnection(flags, ReadConnectionEnvironment()));
  choice.options.attempts = 1;
  choice.options.timeout = std::chrono::seconds(10);
  WB_ASSIGN(const std::unique_ptr<Client> client, Client::Connect(choice.address, choice.options));
  bundle->Add("server", GetServerInfo(*client));
  bundle->Add("caller", GetCaller(*client));
  bundle->Add("devices", ListDevices(*client));
  bundle->Add("cache", ListCache(*client));
  bundle->Add("jobs", ShownJobs(*client));
  return {};
}

Result<int> WriteBundle(Invocation& invocation, const std::string& path) {
  const ConnectionFlags& flags = invocation.flags().given;
  Bundle bundle;
  bundle.Add("README.txt", kReadMe);
  bundle.Add("version.txt", std::string("wasmburstctl ") + kVersion);
  std::string found;
  for (const Finding& finding : Diagnose(flags, ReadConnectionEnvironment())) {
    found += FindingText(finding) + "\n";
  }
  bundle.Add("doctor.txt", found);
  if (const Status status = AddAnswers(flags, &bundle); !status.ok()) {
    bundle.Add("connection.error.txt", status.ToString());
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  WB_TRY(CreateSecretFile(path, TarGz(bundle.files(), seconds)));
  if (!bundle.missing().empty()) {
    invocation.Talk("The daemon did not tell: " + bundle.missing() + "; the bundle says why.");
  }
  invocation.Talk("Read it before you send it: tar -xzf " + path);
  PrintLine(path);
  return 0;
}

}  // namespace

void AddDebugCommands(CLI::App* app, Command* chosen) {
  CLI::App* debug = app->add_subcommand("debug", "For reports of problems.");
  debug->require_subcommand(1);
  auto path = std::make_shared<std::string>();
  CLI::App* bundle = debug->add_subcommand(
      "bundle",
      "Write versions, the daemon's state, its devices, its cache's list, jobs and what doctor "
      "finds into a new .tar.gz file: no tokens, and nothing that jobs were given or gave.\n"
      "Example: wasmburstctl debug bundle report.tar.gz");
  bundle->add_option("file", *path, "the new file")->required()->type_name("FILE");
  bundle->callback([chosen, path] {
    chosen->calls_daemon = false;
    chosen->run = [path](Invocation& invocation) { return WriteBundle(invocation, *path); };
  });
}

}  // namespace wb::cli
