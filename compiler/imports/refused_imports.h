#pragma once

// The imports that keep modules from being bound or linked, all in one error.

#include <cstddef>
#include <set>
#include <string>

#include "compiler/base/status.h"
#include "compiler/wasm/module.h"

namespace wb {

class RefusedImports {
 public:
  // What is known under the name of the module that is imported from.
  enum class Provider : uint8_t {
    kNone,     // no module
    kLacksIt,  // a module that exports nothing of the name
    kIsLater,  // a module behind the importing one
  };

  // `part`: the importing module where it has a name among linked ones, else empty.
  void AddUnknown(const std::string& part, const Module& module, const Import& import,
                  Provider provider);
  // `given` is the type of what has the name, in words (ExternTypeText).
  void AddOtherType(const std::string& part, const Module& module, const Import& import,
                    ExternKind given_kind, const std::string& given);

  // Ok if none was added. Else IMPORT_NOT_PROVIDED: every import with its kind and type, and the
  // way out. A long list is cut, with the number of those left out. Details: "import" of the first,
  // and "module" if that has a name.
  Status ToStatus() const;

 private:
  void NoteFirst(const std::string& part, const Import& import);
  std::string UnknownText() const;
  std::string WaysOut() const;

  std::string first_, first_part_;  // first_: empty if none was added
  std::string unknown_;             // the list, cut
  size_t unknowns_ = 0;
  std::string other_types_;  // a sentence for each, cut
  size_t others_ = 0;
  bool wasi_ = false, primitives_ = false, gpu_std_ = false;
  std::set<std::string> wanted_, lacking_, later_;  // modules, a few of them
};

}  // namespace wb
