#include "compiler/check/checker.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "compiler/check/apple_rules.h"
#include "compiler/check/directives.h"
#include "compiler/check/report.h"
#include "compiler/check/rules.h"
#include "compiler/runtime/runtime.h"

namespace wb {
namespace {

constexpr char kTextName[] = "/kernel.metal";

// What clang itself says, errors and warnings alike, as violations.
class CollectDiagnostics : public clang::DiagnosticConsumer {
 public:
  explicit CollectDiagnostics(Report* report) : report_(report) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Warning) return;
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
      report_->Add(diagnostic.getSourceManager(), diagnostic.getLocation(), message.str().str());
    } else {
      report_->AddForText(message.str().str());
    }
  }

 private:
  Report* report_;
};

class CheckConsumer : public clang::ASTConsumer {
 public:
  explicit CheckConsumer(Report* report) : report_(report) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    CheckRules(context, report_);
    CheckAppleRules(context, report_);
  }

 private:
  Report* report_;
};

class CheckAction : public clang::ASTFrontendAction {
 public:
  explicit CheckAction(Report* report) : report_(report) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(
        MakeDirectiveRules(compiler.getSourceManager(), report_));
    return std::make_unique<CheckConsumer>(report_);
  }

 private:
  Report* report_;
};

// The text and the prelude are the only files there are.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FilesOf(std::string_view text) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile(kTextName, 0, llvm::MemoryBuffer::getMemBufferCopy({text.data(), text.size()}));
  const std::string_view prelude = PreludeText("check/metal_stdlib");
  files->addFile("/prelude/metal_stdlib", 0,
                 llvm::MemoryBuffer::getMemBufferCopy({prelude.data(), prelude.size()}));
  return files;
}

// Of clang's warnings only those that mean undefined behaviour or another language: a module may
// compare a value with itself or never read one, and its text then does the same.
const char* const kArguments[] = {"-triple",
                                  "spir64",
                                  "-x",
                                  "clcpp",
                                  "-cl-std=CLC++2021",
                                  "-fsyntax-only",
                                  "-nostdsysteminc",
                                  "-nobuiltininc",
                                  "-I/prelude",
                                  "-Wno-everything",
                                  "-Wreturn-type",
                                  "-Wuninitialized",
                                  "-Wsometimes-uninitialized",
                                  "-Wimplicit-fallthrough",
                                  "-Wvla",
                                  "-Wextra-tokens",
                                  kTextName};

}  // namespace

std::vector<Violation> CheckKernelText(std::string_view text) {
  Report report;
  clang::CompilerInstance compiler;
  compiler.createDiagnostics(new CollectDiagnostics(&report), /*ShouldOwnClient=*/true);
  clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), kArguments,
                                            compiler.getDiagnostics());
  compiler.getDiagnosticOpts().ShowCarets = false;  // else it prints a summary to stderr
  clang::ProcessWarningOptions(compiler.getDiagnostics(), compiler.getDiagnosticOpts());
  compiler.createFileManager(FilesOf(text));
  CheckAction action(&report);
  if (!compiler.ExecuteAction(action) && report.empty()) {
    report.AddForText("clang could not parse the text and did not say why.");
  }
  return report.Take();
}

}  // namespace wb
