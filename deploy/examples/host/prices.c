// What baskets cost. The price of each thing is asked of a program outside, prices.py, which could
// as well ask a database; the calls of all baskets go to one process.
//
//     $ clang --target=wasm32-wasi -O2 -Wl,--strip-all -o prices.wasm host/prices.c
//     $ printf '%s\n' 'apple 3' 'pear 2' 'plum 1.5' 'brick 1' >baskets.txt
//     $ host='python3 host/prices.py' bind='env.price=host:string(0)'
//     $ run='wasmburstctl run prices.wasm --each-line --ordered'
//     $ $run --host "$host" --bind "$bind" -- {} <baskets.txt 2>said
//     apple: 3 pieces, 1.50
//     pear: 2 pieces, 1.60
//     plum: 1.5 kg, 4.20
//     $ grep -o 'there is no price of .*brick.' said
//     there is no price of [brick]
//
// --bind says which memory goes with a call: the text at argument 0.
#include <stdio.h>

enum { kMostName = 64, kMostUnit = 16 };

// Of one. Writes the unit that it is sold in.
__attribute__((import_module("env"), import_name("price"))) double Price(const char* name,
                                                                         char* unit);

int main(int argc, char** argv) {
  char name[kMostName], unit[kMostUnit];
  double amount;
  if (argc != 2 || sscanf(argv[1], "%63s %lf", name, &amount) != 2) {
    fprintf(stderr, "prices: the argument is not like \"apple 3\"\n");
    return 2;
  }
  const double price = Price(name, unit);
  printf("%s: %g %s, %.2f\n", name, amount, unit, amount * price);
  return 0;
}
