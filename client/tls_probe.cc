#include "client/tls_probe.h"

#include <fcntl.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string_view>
#include <vector>

namespace wb {
namespace {

using Kind = TlsFinding::Kind;
using Clock = std::chrono::steady_clock;

#ifdef MSG_NOSIGNAL
constexpr int kSendFlags = MSG_NOSIGNAL;
#else
constexpr int kSendFlags = 0;  // the socket has SO_NOSIGPIPE
#endif

// What a client of HTTP/2 begins with: a server that takes it answers.
constexpr std::string_view kHttp2Start("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
                                       24 + 9);
constexpr unsigned char kHttp2Protocol[] = {2, 'h', '2'};

// A TCP connection that waits until a given time only.
class ProbeSocket {
 public:
  explicit ProbeSocket(Clock::time_point until) : until_(until) {}
  ~ProbeSocket() { Close(); }
  ProbeSocket(const ProbeSocket&) = delete;
  ProbeSocket& operator=(const ProbeSocket&) = delete;

  bool Connect(const ClientAddress& address) {
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found) != 0) return false;
    bool connected = false;
    for (const addrinfo* one = found; one != nullptr && !connected; one = one->ai_next) {
      connected = ConnectTo(*one);
    }
    freeaddrinfo(found);
    return connected;
  }
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = send(number_, bytes.data(), bytes.size(), kSendFlags);
      if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
      if (sent > 0) bytes.remove_prefix(static_cast<size_t>(sent));
      if (sent < 0 && !Await(POLLOUT)) return false;
    }
    return true;
  }
  // Empty: the connection is over, or the time is (`is_late` then).
  std::string Receive() {
    char bytes[4096];
    for (;;) {
      const ssize_t count = recv(number_, bytes, sizeof bytes, 0);
      if (count > 0) return std::string(bytes, static_cast<size_t>(count));
      if (count == 0 || (errno != EAGAIN && errno != EINTR)) return {};
      if (!Await(POLLIN)) return {};
    }
  }
  bool is_late() const { return is_late_; }

 private:
  bool ConnectTo(const addrinfo& one) {
    Close();
    number_ = socket(one.ai_family, one.ai_socktype, one.ai_protocol);
    if (number_ < 0) return false;
    fcntl(number_, F_SETFD, FD_CLOEXEC);
    fcntl(number_, F_SETFL, O_NONBLOCK);
#ifdef SO_NOSIGPIPE
    const int on = 1;
    setsockopt(number_, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    if (connect(number_, one.ai_addr, one.ai_addrlen) == 0) return true;
    if (errno != EINPROGRESS || !Await(POLLOUT)) return false;
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(number_, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
  }
  // False: the time is over.
  bool Await(int16_t events) {
    pollfd one = {number_, events, 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now());
    if (left.count() > 0 && poll(&one, 1, static_cast<int>(left.count())) > 0) return true;
    is_late_ = true;
    return false;
  }
  void Close() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

  const Clock::time_point until_;
  int number_ = -1;
  bool is_late_ = false;
};

std::string AddressOf(const ASN1_OCTET_STRING* bytes) {
  const unsigned char* at = ASN1_STRING_get0_data(bytes);
  const int size = ASN1_STRING_length(bytes);
  char text[64] = "";
  if (size == 4) std::snprintf(text, sizeof text, "%d.%d.%d.%d", at[0], at[1], at[2], at[3]);
  if (size == 16) {
    int length = 0;
    for (int i = 0; i < 16; i += 2) {
      length += std::snprintf(text + length, sizeof text - static_cast<size_t>(length), "%s%x",
                              i == 0 ? "" : ":", at[i] << 8 | at[i + 1]);
    }
  }
  return text;
}

// "[gpu.example], [10.0.0.1]".
std::string NamesOf(X509* certificate) {
  auto* names = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  std::string text;
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names, i);
    std::string one;
    if (name->type == GEN_DNS) {
      const auto* data = reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName));
      one.assign(data, static_cast<size_t>(ASN1_STRING_length(name->d.dNSName)));
    } else if (name->type == GEN_IPADD) {
      one = AddressOf(name->d.iPAddress);
    }
    if (!one.empty()) text += (text.empty() ? "[" : ", [") + one + "]";
  }
  GENERAL_NAMES_free(names);
  return text;
}

Kind KindOf(int error) {
  switch (error) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return Kind::kOtherName;
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID: return Kind::kWrongTime;
    default: return Kind::kUntrusted;
  }
}

// OpenSSL's own verification, whose outcome is kept.
int Verify(X509_STORE_CTX* store, void* finding_pointer) {
  auto* finding = static_cast<TlsFinding*>(finding_pointer);
  if (X509_verify_cert(store) == 1) return 1;
  const int error = X509_STORE_CTX_get_error(store);
  finding->kind = KindOf(error);
  finding->said = X509_verify_cert_error_string(error);
  if (X509* certificate = X509_STORE_CTX_get0_cert(store)) finding->names = NamesOf(certificate);
  return 0;
}

int NoteRequest(SSL*, void* is_requested) {
  *static_cast<bool*>(is_requested) = true;
  return 1;
}

struct SslFree {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(BIO* bio) const { BIO_free_all(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
template <typename T>
using SslPointer = std::unique_ptr<T, SslFree>;

SslPointer<BIO> PemBio(const std::string& text) {
  return SslPointer<BIO>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

void Trust(SSL_CTX* context, const std::string& ca) {
  if (ca.empty()) {
    SSL_CTX_set_default_verify_paths(context);
    return;
  }
  const SslPointer<BIO> bio = PemBio(ca);
  while (X509* one = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    const SslPointer<X509> certificate(one);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate.get());
  }
}

void Present(SSL_CTX* context, const TlsTexts& texts) {
  const SslPointer<BIO> chain = PemBio(texts.certificate);
  for (int i = 0; X509* one = PEM_read_bio_X509(chain.get(), nullptr, nullptr, nullptr); ++i) {
    const SslPointer<X509> certificate(one);
    if (i == 0) SSL_CTX_use_certificate(context, certificate.get());
    if (i > 0) SSL_CTX_add1_chain_cert(context, certificate.get());
  }
  const SslPointer<EVP_PKEY> key(
      PEM_read_bio_PrivateKey(PemBio(texts.key).get(), nullptr, nullptr, nullptr));
  if (key != nullptr) SSL_CTX_use_PrivateKey(context, key.get());
}

// The name that must stand in the certificate, where one is demanded.
void Demand(SSL* ssl, const std::string& name) {
  X509_VERIFY_PARAM* rules = SSL_get0_param(ssl);
  if (X509_VERIFY_PARAM_set1_ip_asc(rules, name.c_str()) == 1) return;
  X509_VERIFY_PARAM_set1_host(rules, name.c_str(), name.size());
  SSL_set_tlsext_host_name(ssl, name.c_str());
}

// Between OpenSSL and the socket, by buffers: OpenSSL's own writing can raise SIGPIPE.
class ProbedTls {
 public:
  ProbedTls(const TlsProbe& probe, ProbeSocket* socket)
      : probe_(probe), socket_(*socket), context_(SSL_CTX_new(TLS_client_method())) {
    SSL_CTX_set_cert_cb(context_.get(), NoteRequest, &wants_certificate_);
    SSL_CTX_set_alpn_protos(context_.get(), kHttp2Protocol, sizeof kHttp2Protocol);
    if (!probe.name.empty()) {
      SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
      SSL_CTX_set_cert_verify_callback(context_.get(), Verify, &finding_);
      Trust(context_.get(), probe.texts.ca);
    }
    if (!probe.texts.certificate.empty()) Present(context_.get(), probe.texts);
    ssl_.reset(SSL_new(context_.get()));
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    if (!probe.name.empty()) Demand(ssl_.get(), probe.name);
  }
  TlsFinding Run() {
    ERR_clear_error();
    const bool shook = Drive([this] { return SSL_connect(ssl_.get()); });
    if (finding_.kind != Kind::kNothing) return finding_;
    if (!shook) {
      NoteFailedHandshake();
    } else if (probe_.name.empty()) {
      finding_.kind = Kind::kSpeaksTls;
    } else if (!Answers() && wants_certificate_ && !socket_.is_late()) {
      finding_.kind =
          probe_.texts.certificate.empty() ? Kind::kWantsCertificate : Kind::kRefusesCertificate;
    }
    ERR_clear_error();
    return finding_;
  }

 private:
  // The server of TLS 1.3 judges the client's certificate after the client's handshake is done.
  bool Answers() {
    char byte = 0;
    const auto size = static_cast<int>(kHttp2Start.size());
    return Drive([&] { return SSL_write(ssl_.get(), kHttp2Start.data(), size); }) &&
           Drive([&] { return SSL_read(ssl_.get(), &byte, 1); });
  }
  void NoteFailedHandshake() {
    const int reason = ERR_GET_REASON(ERR_peek_error());
    const bool is_alert = reason > SSL_AD_REASON_OFFSET;
    if (is_alert && probe_.name.empty()) finding_.kind = Kind::kSpeaksTls;
    if (is_alert && !probe_.name.empty() && wants_certificate_) {
      finding_.kind =
          probe_.texts.certificate.empty() ? Kind::kWantsCertificate : Kind::kRefusesCertificate;
    }
    const bool is_other = reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_HTTP_REQUEST ||
                          reason == SSL_R_PACKET_LENGTH_TOO_LONG;
    if (is_other) finding_.kind = Kind::kNoTls;
  }
  // Until the step is done. False: it failed, or the connection or the time is over.
  template <typename Step>
  bool Drive(Step step) {
    for (;;) {
      const int done = step();
      const bool wants = done <= 0 && SSL_get_error(ssl_.get(), done) == SSL_ERROR_WANT_READ;
      if (!Flush()) return false;
      if (!wants) return done > 0;
      const std::string bytes = socket_.Receive();
      if (bytes.empty()) return false;
      BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
    }
  }
  bool Flush() {
    char bytes[4096];
    for (;;) {
      const int count = BIO_read(SSL_get_wbio(ssl_.get()), bytes, sizeof bytes);
      if (count <= 0) return true;
      if (!socket_.Send({bytes, static_cast<size_t>(count)})) return false;
    }
  }

  const TlsProbe& probe_;
  ProbeSocket& socket_;
  const SslPointer<SSL_CTX> context_;
  SslPointer<SSL> ssl_;
  TlsFinding finding_;
  bool wants_certificate_ = false;
};

}  // namespace

TlsFinding ProbeTls(const ClientAddress& address, const TlsProbe& probe) {
  ProbeSocket socket(Clock::now() + probe.time);
  if (!socket.Connect(address)) return {};
  return ProbedTls(probe, &socket).Run();
}

}  // namespace wb
