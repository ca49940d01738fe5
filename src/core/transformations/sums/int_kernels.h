// Passes over rows of i32 at the speed of memory, alike for all instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dp {

struct IntKernels {
  const char* name;
  // The sum of fewer than 2^31 rows, each clamped to [lower, upper], lower <= upper.
  std::int64_t (*clamped_sum)(const std::int32_t* rows,
                              std::size_t size,
                              std::int32_t lower,
                              std::int32_t upper);
  // Whether a row equals `value`.
  bool (*holds)(const std::int32_t* rows, std::size_t size, std::int32_t value);
};

// For the widest instruction set of this machine.
IntKernels int_kernels();

// All that this machine can run, for tests and benchmarks.
std::vector<IntKernels> available_int_kernels();

}  // namespace dp
