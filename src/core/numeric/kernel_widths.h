// A kernel in several widths: one file of code, compiled for each instruction set, and the choice
// of the widest that this machine has. All widths give the same results.
//
//   #define DP_KERNEL "core/query/sip_lanes.inc"
//   #define DP_KERNEL_NAMESPACE sip_widths
//   #include "core/numeric/kernel_widths.inc"
//
// gives sip_widths::portable, ::avx2 and ::avx512, with what the file defines in each. With
// DP_KERNEL_UP_TO_AVX2 the last is another name of the one before. A table of functions, `Kernels`,
// is made of one of them by a function of an instruction set.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/numeric/instruction_set.h"

namespace dp {

// The one for `set` of the tables of portable, AVX2 and AVX-512.
template <class Kernels>
Kernels of_width(InstructionSet set, const std::array<Kernels, 3>& widths) {
  return widths[static_cast<std::size_t>(set)];
}

// The tables of all that this machine can run, from the narrowest to the widest.
template <class Kernels>
std::vector<Kernels> available_widths(Kernels (*kernels_for)(InstructionSet)) {
  std::vector<Kernels> all;
  for (const InstructionSet set : available_instruction_sets()) all.push_back(kernels_for(set));
  return all;
}

}  // namespace dp
