#include "compiler/check/apple_rules.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <string>

#include "compiler/check/names.h"

namespace wb {
namespace {

using clang::SourceLocation;

class AppleRules : public clang::RecursiveASTVisitor<AppleRules> {
 public:
  AppleRules(clang::ASTContext& context, Report* report)
      : context_(context), sources_(context.getSourceManager()), report_(report) {}

  bool TraverseFunctionDecl(clang::FunctionDecl* function) {
    const clang::FunctionDecl* outer = function_;
    function_ = function;
    tests_ = variables_ = 0;
    const bool result = RecursiveASTVisitor::TraverseFunctionDecl(function);
    if (function->doesThisDeclarationHaveABody()) CheckSize(function);
    function_ = outer;
    return result;
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    for (const clang::Attr* attribute : function->attrs()) CheckAttribute(attribute);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl*) {
    ++variables_;
    return true;
  }

  // In the text, as in this walk, a test comes before what it protects.
  bool VisitIfStmt(clang::IfStmt*) { return NoteTest(); }
  bool VisitConditionalOperator(clang::ConditionalOperator*) { return NoteTest(); }

  bool VisitWhileStmt(clang::WhileStmt* s) { return CheckEnd(s, s->getCond()); }
  bool VisitForStmt(clang::ForStmt* s) { return CheckEnd(s, s->getCond()); }

  bool VisitBinaryOperator(clang::BinaryOperator* e) {
    if (function_ == nullptr) return true;
    const auto opcode = e->getOpcode();
    const clang::QualType type = e->getLHS()->getType();
    const bool remainder = opcode == clang::BO_Rem || opcode == clang::BO_RemAssign;
    const bool divides = remainder || opcode == clang::BO_Div || opcode == clang::BO_DivAssign;
    if (divides && type->isSignedIntegerType()) CheckSignedDivision(e, remainder);
    if (divides && type->isUnsignedIntegerType()) CheckUnsignedDivision(e);
    const bool overflows = opcode == clang::BO_Mul || opcode == clang::BO_MulAssign ||
                           opcode == clang::BO_Shl || opcode == clang::BO_ShlAssign;
    if (overflows && type->isSignedIntegerType() && !IsConstant(e)) {
      Bad(e->getOperatorLoc(), "a signed product or left shift, whose overflow is undefined");
    }
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* e) {
    if (function_ == nullptr || !IsEmitted(function_) || IsConstant(e)) return true;
    if (e->getOpcode() != clang::UO_Minus && !e->isIncrementDecrementOp()) return true;
    if (e->getType()->isSignedIntegerType()) {
      Bad(e->getOperatorLoc(), "signed arithmetic outside the runtime");
    }
    return true;
  }
  bool VisitCastExpr(clang::CastExpr* e) {
    if (e->getCastKind() != clang::CK_FloatingToIntegral || tests_ != 0) return true;
    // A value computed here is scaled into range here; one from outside may be anything.
    const clang::Expr* from = e->getSubExpr()->IgnoreParenImpCasts();
    if (clang::isa<clang::DeclRefExpr>(from) || clang::isa<clang::CallExpr>(from)) {
      Bad(e->getBeginLoc(), "a float of any size to an integer without a test of its range");
    }
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* e) {
    const clang::FunctionDecl* callee = e->getDirectCallee();
    if (callee == nullptr || PlainName(callee) != "ctz" || tests_ != 0) return true;
    return Bad(e->getBeginLoc(), "metal::ctz without a test for 0, for which it is undefined");
  }

 private:
  bool Bad(SourceLocation at, const char* message) {
    if (sources_.isWrittenInMainFile(sources_.getExpansionLoc(at))) {
      report_->Add(sources_, at, std::string("outside the subset: ") + message);
    }
    return true;
  }
  bool NoteTest() {
    ++tests_;
    return true;
  }
  bool IsConstant(const clang::Expr* e) const {
    return !e->isValueDependent() && e->isIntegerConstantExpr(context_);
  }

  void CheckSignedDivision(const clang::BinaryOperator* e, bool remainder) {
    if (remainder) {
      Bad(e->getOperatorLoc(), "a signed remainder, undefined for negative operands");
      return;
    }
    const auto divisor = e->getRHS()->getIntegerConstantExpr(context_);
    const bool sound = divisor ? divisor->isStrictlyPositive() : tests_ != 0;
    if (!sound) Bad(e->getOperatorLoc(), "a division without a test of its operands");
  }

  void CheckUnsignedDivision(const clang::BinaryOperator* e) {
    if (const auto divisor = e->getRHS()->getIntegerConstantExpr(context_)) {
      if (divisor->isPowerOf2()) return;  // a shift or a mask
      if (divisor->isZero()) Bad(e->getOperatorLoc(), "a division by 0");
    } else if (tests_ == 0) {
      Bad(e->getOperatorLoc(), "a division without a test of its operands");
    }
    if (context_.getTypeSize(e->getLHS()->getType()) != 32) return;
    const auto* call = clang::dyn_cast<clang::CallExpr>(e->getLHS()->IgnoreParenImpCasts());
    const clang::FunctionDecl* callee = call != nullptr ? call->getDirectCallee() : nullptr;
    if (callee == nullptr || PlainName(callee) != "wb_opaque") {
      Bad(e->getOperatorLoc(), "an unsigned 32-bit division whose dividend is not wb_opaque");
    }
  }

  // Apple's compiler treats a loop without an end as unreachable. Emitted loops test the fuel.
  bool CheckEnd(const clang::Stmt* loop, const clang::Expr* condition) {
    if (function_ == nullptr || IsEmitted(function_)) return true;
    bool forever = condition == nullptr;
    if (!forever) {
      const auto* literal =
          clang::dyn_cast<clang::CXXBoolLiteralExpr>(condition->IgnoreParenImpCasts());
      forever = (literal != nullptr && literal->getValue()) || IsConstant(condition);
    }
    if (forever) Bad(loop->getBeginLoc(), "a loop of the runtime without a condition");
    return true;
  }

  void CheckAttribute(const clang::Attr* attribute) {
    switch (attribute->getKind()) {
      case clang::attr::NoInline:
      case clang::attr::Cold:
      case clang::attr::Unused: return;
      default: break;
    }
    if (attribute->isImplicit() || attribute->isInherited()) return;
    if (attribute->getLocation().isMacroID() || attribute->getLocation().isInvalid()) return;
    if (attribute->getKind() == clang::attr::OpenCLKernel) return;
    Bad(attribute->getLocation(), "an attribute other than noinline, cold and unused");
  }

  void CheckSize(const clang::FunctionDecl* function) {
    const SourceLocation at = function->getLocation();
    const unsigned bytes =
        sources_.getFileOffset(sources_.getExpansionLoc(function->getEndLoc())) -
        sources_.getFileOffset(sources_.getExpansionLoc(function->getBeginLoc()));
    if (bytes > kMostFunctionBytes) Bad(at, "a function of more than 1 MiB");
    if (variables_ > kMostVariables) Bad(at, "a function of more than 65536 variables");
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  Report* report_;
  const clang::FunctionDecl* function_ = nullptr;  // the function with the body that is visited
  unsigned tests_ = 0;                             // that it has made so far
  unsigned variables_ = 0;
};

}  // namespace

void CheckAppleRules(clang::ASTContext& context, Report* report) {
  AppleRules(context, report).TraverseDecl(context.getTranslationUnitDecl());
}

}  // namespace wb
