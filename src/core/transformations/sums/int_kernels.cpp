#include "core/transformations/sums/int_kernels.h"

#include <algorithm>
#include <cstring>

#include "core/numeric/kernel_widths.h"

namespace dp {
namespace {

// At the speed of memory wider vectors are slower: 0.55 ns a row in place of 0.28.
#define DP_KERNEL_UP_TO_AVX2
#define DP_KERNEL "core/transformations/sums/int_simd.inc"
#define DP_KERNEL_NAMESPACE int_widths
#include "core/numeric/kernel_widths.inc"

IntKernels int_kernels_for(InstructionSet set) {
  using namespace int_widths;  // NOLINT
  return of_width<IntKernels>(set,
                              {{{"portable", portable::clamped_sum, portable::holds},
                                {"avx2", avx2::clamped_sum, avx2::holds},
                                {"avx2", avx2::clamped_sum, avx2::holds}}});
}

}  // namespace

std::vector<IntKernels> available_int_kernels() { return available_widths(int_kernels_for); }

IntKernels int_kernels() { return int_kernels_for(instruction_set()); }

}  // namespace dp
