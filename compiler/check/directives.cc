#include "compiler/check/directives.h"

#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Token.h>

#include <cstring>
#include <string>

namespace wb {
namespace {

class DirectiveRules : public clang::PPCallbacks {
 public:
  DirectiveRules(const clang::SourceManager& sources, Report* report)
      : sources_(sources), report_(report) {}

  void InclusionDirective(clang::SourceLocation at, const clang::Token&, llvm::StringRef name,
                          bool angled, clang::CharSourceRange, const clang::FileEntry*,
                          llvm::StringRef, llvm::StringRef, const clang::Module*,
                          clang::SrcMgr::CharacteristicKind) override {
    if (name != "metal_stdlib" || !angled) Bad(at, "an include of anything but <metal_stdlib>");
  }
  void MacroDefined(const clang::Token& name, const clang::MacroDirective*) override {
    Bad(name.getLocation(), "a macro definition");
  }
  void If(clang::SourceLocation at, clang::SourceRange, ConditionValueKind) override {
    Bad(at, "a preprocessor conditional");
  }
  void Ifdef(clang::SourceLocation at, const clang::Token&,
             const clang::MacroDefinition&) override {
    Bad(at, "a preprocessor conditional");
  }
  void Ifndef(clang::SourceLocation at, const clang::Token&,
              const clang::MacroDefinition&) override {
    Bad(at, "a preprocessor conditional");
  }
  void EndOfMainFile() override {
    const std::string text = sources_.getBufferData(sources_.getMainFileID()).str();
    // It made Apple's compiler produce wrong code; clang does not know it.
    if (text.find("[[max_total_threads_per_threadgroup") != std::string::npos) {
      report_->AddForText("outside the subset: [[max_total_threads_per_threadgroup]]");
    }
    if (text.find("\nkernel void ") == std::string::npos) return;
    for (const char* pragma :
         {"#pragma METAL fp contract(off)\n", "#pragma METAL fp math_mode(safe)\n"}) {
      if (text.find(pragma) == std::string::npos) {
        report_->AddForText("outside the subset: a kernel without `" +
                            std::string(pragma, std::strlen(pragma) - 1) + "`");
      }
    }
  }

 private:
  void Bad(clang::SourceLocation at, const char* message) {
    if (sources_.isWrittenInMainFile(at))
      report_->Add(sources_, at, std::string("outside the subset: ") + message);
  }

  const clang::SourceManager& sources_;
  Report* report_;
};

}  // namespace

std::unique_ptr<clang::PPCallbacks> MakeDirectiveRules(const clang::SourceManager& sources,
                                                       Report* report) {
  return std::make_unique<DirectiveRules>(sources, report);
}

}  // namespace wb
