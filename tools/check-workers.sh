#!/bin/sh
# Fails if a thread other than R's own calls R: runs tools/workers.R, which gives several threads
# work of every kind, in a process where each function of R that the package calls goes through a
# gate that only the first thread may pass. Needs the installed package, and x86-64 and ELF for the
# gate.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
mkdir -p "$build/workers"
folder=$(realpath "$build/workers")
library=$(R RHOME)/lib/libR.so

# The functions of R that the package calls.
nm -D --undefined-only "$build/library/PSIlence/libs/PSIlence.so" | awk '{ print $2 }' | sort -u \
  > "$folder/called"
nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | sort -u | comm -12 - \
  "$folder/called" > "$folder/gated"

# A gate compares where thread-local storage lies with that of the first thread, which touches no
# register of an argument, and goes on to the function itself.
awk '
  {
    names = names ".quad name" NR "\n"
    strings = strings "name" NR ": .asciz \"" $1 "\"\n"
    code = code ".globl " $1 "\n.type " $1 ",@function\n" $1 ":\n" \
      "movq %fs:0,%r11\ncmpq first_thread(%rip),%r11\njne 1f\n" \
      "jmpq *targets+" 8 * (NR - 1) "(%rip)\n" \
      "1: leaq name" NR "(%rip),%rdi\nandq $-16,%rsp\ncall caught@PLT\n"
  }
  END {
    print ".data\n.globl gate_names\ngate_names:\n" names ".quad 0"
    print ".globl targets\n.hidden targets\ntargets: .zero " 8 * NR
    print ".globl first_thread\n.hidden first_thread\nfirst_thread: .quad 0"
    print ".section .rodata\n" strings ".text\n" code
    print ".section .note.GNU-stack,\"\",@progbits"
  }' "$folder/gated" > "$folder/gates.s"

cat > "$folder/gate.c" << 'END'
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
END
gcc -shared -fPIC -O2 -o "$folder/gate.so" "$folder/gate.c" "$folder/gates.s" -ldl

# The gate must stop a worker that does call R.
cat > "$folder/planted.c" << 'END'
#include <pthread.h>
#include <Rinternals.h>
static void *work(void *vector) { return (void *)(size_t)Rf_xlength((SEXP)vector); }
SEXP planted(SEXP vector) {
  pthread_t worker;
  pthread_create(&worker, 0, work, vector);
  pthread_join(worker, 0);
  return vector;
}
END
gcc -shared -fPIC "-I$(R CMD config --cppflags | sed 's/.*-I//; s/ .*//')" \
  -o "$folder/planted.so" "$folder/planted.c" -lpthread
if LD_PRELOAD=$folder/gate.so Rscript --vanilla -e \
  'dyn.load(commandArgs(TRUE)); .Call("planted", 1)' "$folder/planted.so" 2> "$folder/planted.log"; then
  say "The gate let a worker pass."
  exit 1
fi
grep -q 'a worker called Rf_xlength() of R' "$folder/planted.log"

LD_PRELOAD=$folder/gate.so Rscript --vanilla tools/workers.R
