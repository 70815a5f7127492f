// wasmburstctl tls: certificates of a private authority. None of these calls a daemon.

#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>

#include "client/cli/commands/commands.h"
#include "client/cli/identity/tls_folder.h"
#include "client/cli/output/standard_output.h"

namespace wb::cli {
namespace {

struct TlsOptions {
  std::string folder;
  std::vector<std::string> hosts;
  ClientIdentity identity;
  int64_t days = 365;
};

void PrintFilesJson(const Invocation& invocation, const CertificateFiles& files) {
  const nlohmann::ordered_json json = {
      {"ca", files.ca}, {"certificate", files.certificate}, {"key", files.key}};
  PrintLine(json.dump(invocation.format() == Format::kJson ? 1 : -1));
}

// TOML's and JSON's forms of a text agree for paths.
std::string TomlText(const std::string& text) { return nlohmann::json(text).dump(); }

std::string InAddress(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

Result<int> InitTls(Invocation& invocation, const TlsOptions& options) {
  WB_ASSIGN(const CertificateFiles files,
            InitTlsFolder(options.folder, options.hosts, options.days));
  if (invocation.json()) {
    PrintFilesJson(invocation, files);
    return 0;
  }
  Print("[[listen]]\naddress = \"tls://0.0.0.0:7443\"\n\n[tls]\ncertificate = " +
        TomlText(files.certificate) + "\nkey = " + TomlText(files.key) +
        "\n# With the next line clients need a certificate that `wasmburstctl tls client` "
        "made.\n# client_ca = " +
        TomlText(files.ca) + "\n");
  invocation.Talk(
      "These lines are for the daemon's wasmburstd.toml. The daemon's user must be able "
      "to read the files: chown them to it.");
  invocation.Talk("Clients get a copy of " + files.ca +
                  " and a token (wasmburstctl token create):");
  invocation.Talk("  wasmburstctl --addr tls://" + InAddress(options.hosts.front()) +
                  ":7443 --ca ca.pem --token-file FILE whoami");
  invocation.Talk("Whoever has ca.key can sign for this daemon: keep it from others.");
  return 0;
}

Result<int> AddClient(Invocation& invocation, const TlsOptions& options) {
  WB_ASSIGN(const CertificateFiles files,
            AddTlsClient(options.folder, options.identity, options.days));
  if (invocation.json()) {
    PrintFilesJson(invocation, files);
    return 0;
  }
  const std::string& known =
      options.identity.spiffe.empty() ? options.identity.name : options.identity.spiffe;
  Print("[[identity]]\ncertificate = " + TomlText(known) +
        "\ntenant = \"TENANT\"\nrole = \"submitter\"\n");
  invocation.Talk(
      "These lines are for the daemon's wasmburstd.toml, whose [tls] needs client_ca = " +
      TomlText(files.ca) + ".");
  invocation.Talk("The client gets a copy of ca.pem and of its two files:");
  invocation.Talk("  wasmburstctl --addr tls://HOST:7443 --ca " + files.ca + " --cert " +
                  files.certificate + " --key " + files.key + " whoami");
  return 0;
}

void AddDays(CLI::App* command, TlsOptions* options) {
  command->add_option("--days", options->days, "how long the certificate is valid")
      ->default_val(365);
}

}  // namespace

void AddTlsCommands(CLI::App* app, Command* chosen) {
  CLI::App* tls = app->add_subcommand("tls", "Certificates of a private authority, for tls://.");
  tls->require_subcommand(1);
  auto options = std::make_shared<TlsOptions>();
  CLI::App* init = tls->add_subcommand(
      "init",
      "Make an authority and the daemon's certificate, and print the daemon's settings. An "
      "authority that the folder has is used again; no file is overwritten.\n"
      "Example: wasmburstctl tls init tls --host gpu1.example --host 10.0.0.1");
  init->add_option("folder", options->folder, "gets ca.pem, ca.key, server.pem and server.key")
      ->required()
      ->type_name("FOLDER");
  init->add_option("--host", options->hosts,
                   "a name or an IP address by which clients reach the daemon; may be repeated")
      ->required();
  AddDays(init, options.get());
  init->callback([chosen, options] {
    chosen->calls_daemon = false;
    chosen->run = [options](Invocation& invocation) { return InitTls(invocation, *options); };
  });
  auto client_options = std::make_shared<TlsOptions>();
  CLI::App* client = tls->add_subcommand(
      "client",
      "Make a client's certificate by the authority of the folder, and print how the daemon knows "
      "it.\nExample: wasmburstctl tls client tls --name render");
  client->add_option("folder", client_options->folder, "of `tls init`; gets NAME.pem and NAME.key")
      ->required()
      ->type_name("FOLDER");
  client->add_option("--name", client_options->identity.name, "the client's name (common name)")
      ->required();
  client->add_option("--spiffe", client_options->identity.spiffe,
                     "spiffe://domain/path, which the daemon knows the client by then");
  AddDays(client, client_options.get());
  client->callback([chosen, client_options] {
    chosen->calls_daemon = false;
    chosen->run = [client_options](Invocation& invocation) {
      return AddClient(invocation, *client_options);
    };
  });
}

}  // namespace wb::cli
