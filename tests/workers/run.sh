#!/bin/sh
# Fails if a thread other than R's own calls R. tests/workers/workers.R gives several threads work of
# every kind. In its process, each function of R that the package calls is behind a gate that only
# the first thread can pass. Needs the installed package, x86-64 and ELF.
set -eu
cd "$(dirname "$0")/../.."
. tools/env.sh
mkdir -p "$build/workers"
folder=$(realpath "$build/workers")
library=$(R RHOME)/lib/libR.so

# The functions of R that the package calls.
nm -D --undefined-only "$build/library/PSIlence/libs/PSIlence.so" | awk '{ print $2 }' | sort -u \
  > "$folder/called"
nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | sort -u | comm -12 - \
  "$folder/called" > "$folder/gated"

# A gate compares the address of thread-local storage with the first thread's, which changes no
# register of an argument, then jumps to the function itself.
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

gcc -shared -fPIC -O2 -o "$folder/gate.so" tests/workers/gate.c "$folder/gates.s" -ldl

# The gate must stop a worker that does call R.
gcc -shared -fPIC "-I$(R CMD config --cppflags | sed 's/.*-I//; s/ .*//')" \
  -o "$folder/planted.so" tests/workers/planted.c -lpthread
if LD_PRELOAD=$folder/gate.so Rscript --vanilla -e \
  'dyn.load(commandArgs(TRUE)); .Call("planted", 1)' "$folder/planted.so" 2> "$folder/planted.log"; then
  say "The gate let a worker pass."
  exit 1
fi
grep -q 'a worker called Rf_xlength() of R' "$folder/planted.log"

LD_PRELOAD=$folder/gate.so Rscript --vanilla tests/workers/workers.R
