// The lexer of bench/guests, 8 texts an instance.
#include "../../guests/lexer.c"

__attribute__((export_name("lexer"))) uint32_t Lexer(uint32_t instance) { return Run(instance, 8); }
