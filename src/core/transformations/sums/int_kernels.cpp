#include "core/transformations/sums/int_kernels.h"

#include <algorithm>
#include <cstring>

#include "core/numeric/instruction_set.h"

#if defined(__x86_64__) || defined(__i386__)
#define DP_INT_X86
#endif

namespace dp {
namespace {

namespace int_portable {
#define DP_LANE_BYTES 16
#define DP_LANE_TARGET
#include "core/transformations/sums/int_simd.inc"
}  // namespace int_portable

#ifdef DP_INT_X86
namespace int_avx2 {
#define DP_LANE_BYTES 32
#define DP_LANE_TARGET __attribute__((target("avx2")))
#include "core/transformations/sums/int_simd.inc"
}  // namespace int_avx2
#endif

IntKernels int_kernels_for([[maybe_unused]] InstructionSet set) {
#ifdef DP_INT_X86
  if (set != InstructionSet::portable) return {"avx2", int_avx2::clamped_sum, int_avx2::holds};
#endif
  return {"portable", int_portable::clamped_sum, int_portable::holds};
}

}  // namespace

std::vector<IntKernels> available_int_kernels() {
  std::vector<IntKernels> all;
  for (const InstructionSet set : available_instruction_sets()) all.push_back(int_kernels_for(set));
  return all;
}

IntKernels int_kernels() { return int_kernels_for(instruction_set()); }

}  // namespace dp
