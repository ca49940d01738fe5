#include "core/transformations/sums/lattice_kernels.h"

#include <algorithm>

#include "core/numeric/instruction_set.h"

#if defined(__x86_64__) || defined(__i386__)
#define DP_LATTICE_X86
#endif

namespace dp {
namespace {

// An index is at most 2^51 in magnitude, so a sum of so many stays below 2^62, and their 64-bit
// patterns sum to it modulo 2^64.
constexpr std::size_t kFoldRows = 2048;

namespace portable {
#define DP_LANE_BYTES 16
#define DP_LANE_TARGET
#include "core/transformations/sums/lattice_simd.inc"
}  // namespace portable

#ifdef DP_LATTICE_X86
namespace avx2 {
#define DP_LANE_BYTES 32
#define DP_LANE_TARGET __attribute__((target("avx2,fma")))
#include "core/transformations/sums/lattice_simd.inc"
}  // namespace avx2

namespace avx512 {
#define DP_LANE_BYTES 64
#define DP_LANE_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")))
#include "core/transformations/sums/lattice_simd.inc"
}  // namespace avx512
#endif

LatticeKernels kernels_for([[maybe_unused]] InstructionSet set) {
#ifdef DP_LATTICE_X86
  switch (set) {
    case InstructionSet::avx512:
      return {"avx512", avx512::sum, avx512::moments, avx512::index};
    case InstructionSet::avx2:
      return {"avx2", avx2::sum, avx2::moments, avx2::index};
    case InstructionSet::portable:
      break;
  }
#endif
  return {"portable", portable::sum, portable::moments, portable::index};
}

}  // namespace

std::vector<LatticeKernels> available_lattice_kernels() {
  std::vector<LatticeKernels> all;
  for (const InstructionSet set : available_instruction_sets()) all.push_back(kernels_for(set));
  return all;
}

LatticeKernels lattice_kernels() { return kernels_for(instruction_set()); }

}  // namespace dp
