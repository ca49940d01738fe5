// Simulated disk faults for tests: platform_file*.cpp calls this before each system call. The
// package does not compile it: there every call goes directly to the system.
#pragma once

#include <cstddef>

namespace dp {

enum class DiskCall { open, lock, read, write, shorten, flush, rename, flush_folder };

constexpr std::ptrdiff_t kDiskFull = -1;
constexpr std::ptrdiff_t kDiskBroken = -2;

#ifdef DP_TEST_HOOKS
// Called before the system reads or writes `size` bytes, and with 0 before each other call. Returns
// the number of bytes, at least one, that the system should take; or kDiskFull or kDiskBroken, and
// the call fails with this error.
using DiskRule = std::ptrdiff_t (*)(DiskCall call, std::size_t size);

// Null restores the system.
void rule_disk(DiskRule rule);

std::ptrdiff_t ask_disk(DiskCall call, std::size_t size);
#else
constexpr std::ptrdiff_t ask_disk(DiskCall, std::size_t size) {
  return static_cast<std::ptrdiff_t>(size);
}
#endif

}  // namespace dp
