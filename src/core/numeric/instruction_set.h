// Vector instructions of this machine, for kernels that exist in several widths. All widths of a
// kernel give the same results.
#pragma once

#include <vector>

namespace dp {

enum class InstructionSet {
  portable,  // what every machine has
  avx2,      // AVX2 and FMA
  avx512     // AVX-512 F, DQ, VL and BW
};

// Available instruction sets, from the narrowest to the widest.
std::vector<InstructionSet> available_instruction_sets();

// The widest of this machine.
InstructionSet instruction_set();

#ifdef DP_TEST_HOOKS
// From now on instruction_set() is `set`, which must be available.
void force_instruction_set(InstructionSet set);
#endif

}  // namespace dp
