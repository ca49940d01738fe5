#include "core/transformations/sums/lattice_kernels.h"

#include <algorithm>

#include "core/numeric/kernel_widths.h"

namespace dp {
namespace {

// An index is at most 2^51 in magnitude, so a sum of 2048 stays below 2^62, and their 64-bit
// patterns sum to it modulo 2^64.
constexpr std::size_t kFoldRows = 2048;

#define DP_KERNEL "core/transformations/sums/lattice_simd.inc"
#define DP_KERNEL_NAMESPACE lattice_widths
#include "core/numeric/kernel_widths.inc"

LatticeKernels lattice_kernels_for(InstructionSet set) {
  using namespace lattice_widths;  // NOLINT
  return of_width<LatticeKernels>(set,
                                  {{{"portable", portable::sum, portable::moments, portable::index},
                                    {"avx2", avx2::sum, avx2::moments, avx2::index},
                                    {"avx512", avx512::sum, avx512::moments, avx512::index}}});
}

}  // namespace

std::vector<LatticeKernels> available_lattice_kernels() {
  return available_widths(lattice_kernels_for);
}

LatticeKernels lattice_kernels() { return lattice_kernels_for(instruction_set()); }

}  // namespace dp
