#pragma once

// Does a loop pay attention to its fuel?

namespace clang {
class Stmt;
}

namespace wb {

// Whether `body` of a loop contains an `if` whose condition calls wb_spent, outside of any loop
// inside it (blocks `do {} while (false)` are none).
bool ChecksFuel(const clang::Stmt* body);

}  // namespace wb
