// Nothing runs this (CMakeLists.txt).
int main() { return 0; }
