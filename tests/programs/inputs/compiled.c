// What TCC compiles here.
#ifndef N
#define N 8
#endif
#define SQUARE(x) ((x) * (x))
struct point {
  double x, y;
  int tag : 3;
};
static int table[N] = {1, 2, SQUARE(N)};
extern int printf(const char* form, ...);

static double length2(const struct point* p) { return SQUARE(p->x) + SQUARE(p->y); }

int main(int argc, char** argv) {
  struct point points[2] = {{.x = 1.5, .tag = 2}, {0.25f, -3}};
  long long sum = 0;
  for (int i = 0; i < N; ++i) {
    switch (table[i] & 3) {
      case 0: sum += i; break;
      case 1: sum ^= 0x123456789LL; break;
      default: sum -= (unsigned char)(table[i] >> 1);
    }
  }
  printf("%lld %g %s\n", sum, length2(points) + length2(points + 1), argc > 1 ? argv[1] : "none");
  return points[0].tag;
}
