#include "compiler/check/rules.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <set>
#include <string>

#include "compiler/check/call_graph.h"
#include "compiler/check/loops.h"
#include "compiler/check/names.h"

namespace wb {
namespace {

using clang::QualType;
using clang::SourceLocation;

// The runtime's functions may use floats and signed numbers; emitted ones (wf_) call them.
bool IsRuntime(const clang::FunctionDecl* function) {
  return function != nullptr && PlainName(function).startswith("wb_");
}

class Rules : public clang::RecursiveASTVisitor<Rules> {
 public:
  Rules(clang::ASTContext& context, Report* report)
      : context_(context), sources_(context.getSourceManager()), report_(report) {}

  void Run() {
    TraverseDecl(context_.getTranslationUnitDecl());
    for (const clang::FunctionDecl* function : calls_.Recursive()) {
      Bad(function->getLocation(), "recursion");
    }
  }

  bool TraverseFunctionDecl(clang::FunctionDecl* function) {
    const clang::FunctionDecl* outer = function_;
    function_ = function->getCanonicalDecl();
    const bool result = RecursiveASTVisitor::TraverseFunctionDecl(function);
    function_ = outer;
    return result;
  }

  // ---- types
  bool VisitBuiltinTypeLoc(clang::BuiltinTypeLoc type) {
    using Builtin = clang::BuiltinType;
    switch (type.getTypePtr()->getKind()) {
      case Builtin::Double:
      case Builtin::LongDouble: Bad(type.getBeginLoc(), "double"); break;
      case Builtin::LongLong:
      case Builtin::ULongLong: Bad(type.getBeginLoc(), "long long"); break;
      case Builtin::Int128:
      case Builtin::UInt128: Bad(type.getBeginLoc(), "a 128-bit integer"); break;
      case Builtin::Half: Bad(type.getBeginLoc(), "half"); break;
      case Builtin::Char_S:
      case Builtin::Char_U:
      case Builtin::SChar:
      case Builtin::Short: Bad(type.getBeginLoc(), "a signed type below 32 bits"); break;
      case Builtin::Float:
        if (!IsRuntime(function_)) Bad(type.getBeginLoc(), "float outside the runtime");
        break;
      default: break;
    }
    return true;
  }
  bool VisitDeclaratorDecl(clang::DeclaratorDecl* decl) {
    if (!clang::isa<clang::FunctionDecl>(decl)) CheckType(decl->getType(), decl->getLocation());
    return true;
  }

  // ---- declarations
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (clang::isa<clang::ParmVarDecl>(variable)) return true;
    if (variable->isStaticLocal()) {
      Bad(variable->getLocation(), "a static variable in a function");
    } else if (variable->hasGlobalStorage() &&
               variable->getType().getAddressSpace() != clang::LangAS::opencl_constant) {
      Bad(variable->getLocation(), "a variable at file scope that is not constant");
    }
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    const SourceLocation at = function->getLocation();
    CheckType(function->getReturnType(), at);
    if (function->isVariadic()) Bad(at, "a variadic function");
    if (function->isOverloadedOperator()) {
      Bad(at, "an overloaded operator");
    } else if (clang::isa<clang::CXXMethodDecl>(function)) {
      if (!function->isImplicit()) Bad(at, "a member function");
    } else if (!IsRuntime(function) && !IsEmitted(function)) {
      Bad(at, "a function whose name begins neither wb_ nor wf_");
    }
    return true;
  }
  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) {
    if (!record->hasDefinition() || record->isLambda()) return true;
    if (record->getNumBases() != 0) Bad(record->getLocation(), "a base class");
    if (record->isUnion()) Bad(record->getLocation(), "a union");
    if (record->isClass()) Bad(record->getLocation(), "a class");
    return true;
  }
  bool VisitTemplateDecl(clang::TemplateDecl* decl) {
    Bad(decl->getLocation(), "a template");
    return true;
  }

  // ---- statements
  bool VisitGotoStmt(clang::GotoStmt* s) { return Bad(s->getBeginLoc(), "goto"); }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt* s) { return Bad(s->getBeginLoc(), "goto"); }
  bool VisitLabelStmt(clang::LabelStmt* s) { return Bad(s->getBeginLoc(), "a label"); }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* s) { return Bad(s->getBeginLoc(), "asm"); }
  bool VisitCXXTryStmt(clang::CXXTryStmt* s) { return Bad(s->getBeginLoc(), "an exception"); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* s) {
    return Bad(s->getBeginLoc(), "a range-based loop");
  }
  bool VisitDoStmt(clang::DoStmt* s) {
    const auto* literal =
        clang::dyn_cast<clang::CXXBoolLiteralExpr>(s->getCond()->IgnoreParenImpCasts());
    if (literal == nullptr || literal->getValue()) {
      Bad(s->getBeginLoc(), "a do loop that is not a block `do {} while (false)`");
    }
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* s) { return CheckFuel(s, s->getBody()); }
  bool VisitForStmt(clang::ForStmt* s) {
    return (prepaid_.count(s) != 0 && CountsRounds(s)) || CheckFuel(s, s->getBody());
  }
  // Loops directly inside it have their fuel, if it has asked for that of all rounds.
  bool VisitIfStmt(clang::IfStmt* s) {
    if (!AsksForAllRounds(s)) return true;
    for (const clang::Stmt* line : s->getThen()->children()) {
      const auto* with_pragma = clang::dyn_cast<clang::AttributedStmt>(line);
      prepaid_.insert(with_pragma != nullptr ? with_pragma->getSubStmt() : line);
    }
    return true;
  }
  bool VisitSwitchCase(clang::SwitchCase* s) {
    const clang::Stmt* body = s->getSubStmt();
    if (!clang::isa<clang::CompoundStmt>(body) && !clang::isa<clang::SwitchCase>(body)) {
      Bad(s->getBeginLoc(), "a switch case without braces");
    }
    return true;
  }

  // ---- expressions
  bool VisitLambdaExpr(clang::LambdaExpr* e) { return Bad(e->getBeginLoc(), "a lambda"); }
  bool VisitCXXNewExpr(clang::CXXNewExpr* e) { return Bad(e->getBeginLoc(), "new"); }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* e) { return Bad(e->getBeginLoc(), "delete"); }
  bool VisitCXXThrowExpr(clang::CXXThrowExpr* e) { return Bad(e->getBeginLoc(), "an exception"); }
  bool VisitCXXNoexceptExpr(clang::CXXNoexceptExpr* e) { return Bad(e->getBeginLoc(), "noexcept"); }
  bool VisitFloatingLiteral(clang::FloatingLiteral* e) {
    if (e->getType()->isSpecificBuiltinType(clang::BuiltinType::Double)) {
      Bad(e->getBeginLoc(), "a floating literal without f");
    }
    return true;
  }
  bool VisitCastExpr(clang::CastExpr* e) {
    switch (e->getCastKind()) {
      case clang::CK_PointerToIntegral:
      case clang::CK_IntegralToPointer:
        return Bad(e->getBeginLoc(), "a cast between a pointer and an integer");
      case clang::CK_AddressSpaceConversion:
        // Implicit ones outside of written casts are the language's own, for copies of structs.
        if (clang::isa<clang::ExplicitCastExpr>(e) ||
            clang::cast<clang::ImplicitCastExpr>(e)->isPartOfExplicitCast()) {
          Bad(e->getBeginLoc(), "a cast between address spaces");
        }
        return true;
      case clang::CK_FloatingToIntegral:
      case clang::CK_IntegralToFloating:
      case clang::CK_FloatingCast:
        if (!IsRuntime(function_)) Bad(e->getBeginLoc(), "a float conversion outside the runtime");
        return true;
      case clang::CK_IntegralCast: return CheckLiteral(e);
      default: return true;
    }
  }
  bool VisitBinaryOperator(clang::BinaryOperator* e) {
    if (e->isShiftOp()) CheckShift(e);
    if (function_ == nullptr || IsRuntime(function_)) return true;
    const SourceLocation at = e->getOperatorLoc();
    const bool divides = e->isMultiplicativeOp() && e->getOpcode() != clang::BO_Mul &&
                         e->getOpcode() != clang::BO_MulAssign;
    if (e->isMultiplicativeOp() || e->isAdditiveOp() || e->isShiftOp() ||
        e->isCompoundAssignmentOp()) {
      if (e->getType()->isFloatingType()) Bad(at, "float arithmetic outside the runtime");
      if (e->getType()->isSignedIntegerType()) Bad(at, "signed arithmetic outside the runtime");
    }
    if (divides || e->getOpcode() == clang::BO_DivAssign || e->getOpcode() == clang::BO_RemAssign) {
      Bad(at, "a division outside the runtime");
    }
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* e) {
    const clang::FunctionDecl* callee = e->getDirectCallee();
    if (callee == nullptr) return Bad(e->getBeginLoc(), "an indirect call");
    if (function_ != nullptr) calls_.Add(function_, callee->getCanonicalDecl());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    const auto* space = clang::dyn_cast<clang::NamespaceDecl>(e->getDecl()->getDeclContext());
    if (space != nullptr && space->getName() == "metal" && !e->hasQualifier() &&
        clang::isa<clang::FunctionDecl>(e->getDecl()) && PlainName(e->getDecl()) != "as_type") {
      Bad(e->getBeginLoc(), "a library function without metal::");
    }
    return true;
  }

 private:
  bool Bad(SourceLocation at, const char* message) {
    if (sources_.isWrittenInMainFile(sources_.getExpansionLoc(at))) {
      report_->Add(sources_, at, std::string("outside the subset: ") + message);
    }
    return true;
  }

  void CheckType(QualType type, SourceLocation at) {
    if (type.isNull()) return;
    type = type.getCanonicalType();
    const bool pointer = type->isPointerType();
    if (pointer || type->isReferenceType()) {
      const QualType to = type->getPointeeType();
      if (to->isFunctionType()) {
        Bad(at, "a function pointer");
      } else if (to.getAddressSpace() == clang::LangAS::opencl_generic) {
        Bad(at, pointer ? "a pointer without an address space"
                        : "a reference without an address space");
      }
      CheckType(to, at);
    } else if (type->isArrayType()) {
      CheckType(context_.getBaseElementType(type), at);
    } else if (const auto* vector = type->getAs<clang::VectorType>()) {
      const QualType lane = vector->getElementType();
      const bool v128 = context_.getTypeSize(type) == 128 &&
                        (lane->isSpecificBuiltinType(clang::BuiltinType::UInt) ||
                         lane->isSpecificBuiltinType(clang::BuiltinType::ULong));
      if (!v128) Bad(at, "a vector other than uint4 and ulong2");
    }
  }

  // A literal without a suffix that must become unsigned.
  bool CheckLiteral(const clang::CastExpr* cast) {
    const clang::Expr* inner = cast->getSubExpr()->IgnoreParens();
    if (clang::isa<clang::ImplicitCastExpr>(cast) && clang::isa<clang::IntegerLiteral>(inner) &&
        inner->getType()->isSignedIntegerType() && cast->getType()->isUnsignedIntegerType()) {
      Bad(cast->getBeginLoc(), "an unsigned literal without u or ul");
    }
    return true;
  }

  bool CheckFuel(const clang::Stmt* loop, const clang::Stmt* body) {
    if (IsEmitted(function_) && !ChecksFuel(body)) {
      Bad(loop->getBeginLoc(), "a loop of an emitted function that does not check its fuel");
    }
    return true;
  }

  // Amounts are constants below the width or, in emitted functions, masked.
  void CheckShift(const clang::BinaryOperator* shift) {
    const clang::Expr* amount = shift->getRHS()->IgnoreParenImpCasts();
    if (const auto value = amount->getIntegerConstantExpr(context_)) {
      if (value->uge(context_.getTypeSize(shift->getLHS()->getType()))) {
        Bad(shift->getOperatorLoc(), "a shift by the width or more");
      }
      return;
    }
    const auto* mask = clang::dyn_cast<clang::BinaryOperator>(amount);
    const bool masked = mask != nullptr && mask->getOpcode() == clang::BO_And &&
                        (mask->getLHS()->isIntegerConstantExpr(context_) ||
                         mask->getRHS()->isIntegerConstantExpr(context_));
    if (!masked && IsEmitted(function_)) {
      Bad(shift->getOperatorLoc(), "a shift by an amount without a mask");
    }
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  Report* report_;
  const clang::FunctionDecl* function_ = nullptr;  // the function with the body that is visited
  CallGraph calls_;
  std::set<const clang::Stmt*> prepaid_;
};

}  // namespace

void CheckRules(clang::ASTContext& context, Report* report) { Rules(context, report).Run(); }

}  // namespace wb
