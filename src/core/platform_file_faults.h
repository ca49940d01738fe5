// Faults of a disk, for tests: whatever platform_file*.cpp asks of the system, it asks here first.
// The package has no such door: there every call goes to the system as it is.
#pragma once

#include <cstddef>

namespace dp {

enum class DiskCall { open, lock, read, write, shorten, flush, rename, flush_folder };

constexpr std::ptrdiff_t kDiskFull = -1;
constexpr std::ptrdiff_t kDiskBroken = -2;

#ifdef DP_TEST_HOOKS
// Asked before the system reads or writes `size` bytes, and with 0 before each other call. Returns
// how many of the bytes, at least one, the system is to take; or kDiskFull or kDiskBroken, as which
// the call fails.
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
