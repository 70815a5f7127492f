#pragma once

// What this thread is at, told on stderr should the process crash: a compiled kernel or a broken
// invariant of ours takes the process with it.

#include <string_view>

namespace wb::fuzz {

void InstallCrashNote();  // once, before threads start
void NoteForCrash(std::string_view what);
void NoteBatchForCrash(std::string_view what);  // said before it

}  // namespace wb::fuzz
