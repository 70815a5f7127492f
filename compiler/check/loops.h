#pragma once

// Does a loop pay attention to its fuel?

namespace clang {
class Stmt;
}

namespace wb {

// Whether every way round a loop passes a look at its fuel. `body` of a dispatch loop is `{ switch
// (s) { case 1u: { ... } ... } break; }`, its states are numbered by constants: where `s` is set to
// a number that is not above the state's own, that state or the one it goes to must look.
// Any other `body` must contain an `if` whose condition calls wb_spent, outside of any loop inside
// it (blocks `do {} while (false)` are none).
bool ChecksFuel(const clang::Stmt* body);

}  // namespace wb
