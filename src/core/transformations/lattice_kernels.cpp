#include "core/transformations/lattice_kernels.h"

#include <algorithm>

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
#include "core/transformations/lattice_lanes.inc"
}  // namespace portable

#ifdef DP_LATTICE_X86
namespace avx2 {
#define DP_LANE_BYTES 32
#define DP_LANE_TARGET __attribute__((target("avx2")))
#include "core/transformations/lattice_lanes.inc"
}  // namespace avx2
#endif

}  // namespace

std::vector<LatticeKernels> available_lattice_kernels() {
  std::vector<LatticeKernels> all = {{"portable", portable::sum, portable::index}};
#ifdef DP_LATTICE_X86
  if (__builtin_cpu_supports("avx2")) all.push_back({"avx2", avx2::sum, avx2::index});
#endif
  return all;
}

const LatticeKernels& lattice_kernels() {
  static const LatticeKernels best = available_lattice_kernels().back();
  return best;
}

}  // namespace dp
