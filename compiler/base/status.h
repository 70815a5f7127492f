#pragma once

// Status and Result: how every part of WasmBurst reports failure. No exceptions cross a part.
// A trap of a guest is a result, never a Status.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace wb {

// The canonical gRPC codes that WasmBurst uses; daemon/ maps them one to one.
enum class Code : uint8_t {
  kOk,
  kInvalidArgument,
  kFailedPrecondition,
  kNotFound,
  kAlreadyExists,
  kResourceExhausted,
  kOutOfRange,
  kCancelled,
  kDeadlineExceeded,
  kUnavailable,
  kUnauthenticated,
  kPermissionDenied,
  kDataLoss,
  kInternal,
};

// Why, as a stable name (errors.def).
enum class Reason : uint8_t {
  kOk,
#define WB_ERROR(name, reason, code, advice) k##name,
#include "compiler/base/errors.def"
#undef WB_ERROR
};

std::string_view ReasonName(Reason reason);    // "WASM_INVALID"
std::string_view ReasonAdvice(Reason reason);  // one sentence for the user
Code ReasonCode(Reason reason);
// A fault of the machine or of a process on it, not of what was asked for. Callers do not remember
// it as a property of the module. MACHINE_FAULT passes by itself, so trying again may succeed.
bool IsOfMachine(Reason reason);

// A fact about the failure that programs may read, such as {"offset", "17"} or {"field", "module"}.
struct Detail {
  std::string key;
  std::string value;
  bool operator==(const Detail&) const = default;
};

class [[nodiscard]] Status {
 public:
  Status() = default;  // success
  Status(Reason reason, std::string message, std::vector<Detail> details = {})
      : reason_(reason), message_(std::move(message)), details_(std::move(details)) {}

  bool ok() const { return reason_ == Reason::kOk; }
  Reason reason() const { return reason_; }
  Code code() const { return ReasonCode(reason_); }
  const std::string& message() const { return message_; }  // full sentence, values in brackets
  const std::vector<Detail>& details() const { return details_; }
  std::string ToString() const;  // "WASM_INVALID: message (offset 17)"

 private:
  Reason reason_ = Reason::kOk;
  std::string message_;
  std::vector<Detail> details_;
};

// A value or the reason why there is none. value() on an error stops the process.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}       // NOLINT(google-explicit-constructor)
  Result(Status error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  bool ok() const { return std::holds_alternative<T>(state_); }
  const T& value() const& { return std::get<T>(state_); }
  T& value() & { return std::get<T>(state_); }
  T&& value() && { return std::get<T>(std::move(state_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }
  Status status() const { return ok() ? Status() : std::get<Status>(state_); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace wb

#define WB_CONCAT_INNER(a, b) a##b
#define WB_CONCAT(a, b) WB_CONCAT_INNER(a, b)

// Returns the error of `expr` (a Status) from the enclosing function.
#define WB_TRY(expr)                                                           \
  do {                                                                         \
    if (::wb::Status wb_status_ = (expr); !wb_status_.ok()) return wb_status_; \
  } while (false)

// WB_ASSIGN(auto x, F()); : x is the value of the Result F(), or its error is returned.
#define WB_ASSIGN(decl, expr) WB_ASSIGN_INNER(WB_CONCAT(wb_result_, __LINE__), decl, expr)
#define WB_ASSIGN_INNER(tmp, decl, expr) \
  auto tmp = (expr);                     \
  if (!tmp.ok()) return tmp.status();    \
  decl = std::move(tmp).value()
