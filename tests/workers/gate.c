// The C part of the gate that tools/check-workers.sh puts before the functions of R: it stores which
// thread is the first, and ends the process if another one calls a function.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
extern const char *gate_names[];
extern void *targets[] __attribute__((visibility("hidden")));
extern void *first_thread __attribute__((visibility("hidden")));
__attribute__((constructor)) static void open_gates(void) {
  __asm__("movq %%fs:0,%0" : "=r"(first_thread));
  for (int i = 0; gate_names[i]; ++i) targets[i] = dlsym(RTLD_NEXT, gate_names[i]);
}
void caught(const char *name) {
  fprintf(stderr, "a worker called %s() of R\n", name);
  _Exit(3);
}
