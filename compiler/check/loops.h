#pragma once

// Does a loop pay attention to its fuel?

namespace clang {
class Expr;
class ForStmt;
class Stmt;
}  // namespace clang

namespace wb {

// Whether every way round a loop passes a look at its fuel. `body` of a dispatch loop is `{ switch
// (s) { case 1u: { ... } ... } break; }`, its states are numbered by constants: where `s` is set to
// a number that is not above the state's own, that state or the one it goes to must look.
// Any other `body` must contain an `if` whose condition calls wb_spent, outside of any loop inside
// it (blocks `do {} while (false)` are none).
bool ChecksFuel(const clang::Stmt* body);

// Whether this is `for (ulong k = 0ul; k != n; k = k + 1ul)` with a body that changes neither.
bool CountsRounds(const clang::ForStmt* loop);
// Whether an `if` with this condition has asked for the fuel of all rounds: it calls wb_fuel_lasts.
bool AsksForAllRounds(const clang::Expr* condition);

}  // namespace wb
