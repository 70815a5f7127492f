#pragma once

// Does a loop pay attention to its fuel?

namespace clang {
class ForStmt;
class IfStmt;
class Stmt;
}  // namespace clang

namespace wb {

// Whether every way round a loop passes a look at its fuel. `body` of a dispatch loop is `{ switch
// (s) { case 1u: { ... } ... } break; }`, its states are numbered by constants: where `s` is set to
// a number that is not above the state's own, that state or the one it goes to must look.
// A loop over a function's activations (`if (s == 1u) { ... } s = wb_hidden_state(s); ...`) is held
// to the same; the state that goes back to the caller's frame may go anywhere, since the call has
// asked. Any other `body` must contain an `if` whose condition calls wb_spent, outside of any loop
// inside it (blocks `do {} while (false)` are none).
bool ChecksFuel(const clang::Stmt* body);

// Whether this is `for (k = 0ul; k != n; k = k + 1ul)`, perhaps with `ulong` before it, with a body
// that changes neither.
bool CountsRounds(const clang::ForStmt* loop);
// Whether this has asked for the fuel of all rounds: its condition calls wb_fuel_lasts, or a line
// behind it gives a variable as many rounds as the fuel lasts for (wb_rounds_that_last).
bool AsksForAllRounds(const clang::IfStmt* test);

}  // namespace wb
