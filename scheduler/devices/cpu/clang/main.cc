// wasmburst-clang: clang as one program, linked statically. The system's clang++ takes longer to
// load its libraries than to compile a small kernel text; this one starts in a fifth of the time,
// and compiles in the process that was started (`-c`). All else, such as a link, it does as clang
// does.
//   wasmburst-clang FLAG... -c FILE -o FILE
//   wasmburst-clang --version
// It is started by the CPU device in a folder of its own, within bounds (../cpu_compiler.h).

#include <clang/Basic/Version.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Host.h>
#include <llvm/Support/TargetSelect.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <utility>

// Debian's static libraries of LLVM refer to Polly, which they do not have.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "0", [](llvm::PassBuilder&) {}};
}

namespace {

constexpr int kTrouble = 2;

// The one job of the driver's that this process does itself, or null.
const clang::driver::Command* OwnJob(const clang::driver::Compilation& compilation) {
  const clang::driver::JobList& jobs = compilation.getJobs();
  if (jobs.size() != 1) return nullptr;
  const clang::driver::Command& job = *jobs.begin();
  const llvm::opt::ArgStringList& words = job.getArguments();
  const auto has = [&words](const char* wanted) {
    return llvm::any_of(words, [&](const char* word) { return std::strcmp(word, wanted) == 0; });
  };
  return has("-cc1") && has("-emit-obj") ? &job : nullptr;
}

int CompileHere(const clang::driver::Command& job, clang::DiagnosticsEngine& diagnostics) {
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  const llvm::ArrayRef<const char*> words = job.getArguments();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, words.drop_front(), diagnostics)) {
    return kTrouble;
  }
  // The process ends: nothing has to be freed.
  invocation->getFrontendOpts().DisableFree = true;
  invocation->getCodeGenOpts().DisableFree = true;
  clang::CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics();
  if (!compiler.hasDiagnostics()) return kTrouble;
  clang::EmitObjAction action;
  return compiler.ExecuteAction(action) ? 0 : 1;
}

int Main(int argc, const char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    llvm::outs() << "wasmburst-clang, of " << clang::getClangFullVersion() << "\n";
    return 0;
  }
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  const auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  clang::DiagnosticsEngine diagnostics(
      llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options,
      new clang::TextDiagnosticPrinter(llvm::errs(), options.get()));
  const std::string path =
      llvm::sys::fs::getMainExecutable(argv[0], reinterpret_cast<void*>(&Main));
  clang::driver::Driver driver(path, llvm::sys::getDefaultTargetTriple(), diagnostics);
  const std::unique_ptr<clang::driver::Compilation> compilation(
      driver.BuildCompilation(llvm::makeArrayRef(argv, static_cast<size_t>(argc))));
  if (compilation == nullptr || diagnostics.hasErrorOccurred()) return kTrouble;
  if (const clang::driver::Command* job = OwnJob(*compilation)) {
    return CompileHere(*job, diagnostics);
  }
  llvm::SmallVector<std::pair<int, const clang::driver::Command*>, 1> failed;
  const int code = driver.ExecuteCompilation(*compilation, failed);
  return failed.empty() ? code : 1;
}

}  // namespace

// Without the ends of LLVM's static objects, as clang itself leaves.
int main(int argc, const char** argv) {
  const int code = Main(argc, argv);
  llvm::outs().flush();
  llvm::errs().flush();
  _exit(code);
}
