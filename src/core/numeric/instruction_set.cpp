#include "core/numeric/instruction_set.h"

#include <atomic>

namespace dp {
namespace {

std::atomic<InstructionSet>& chosen() {
  static std::atomic<InstructionSet> set{available_instruction_sets().back()};
  return set;
}

}  // namespace

std::vector<InstructionSet> available_instruction_sets() {
  std::vector<InstructionSet> sets = {InstructionSet::portable};
#if defined(__x86_64__) || defined(__i386__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    sets.push_back(InstructionSet::avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
      sets.push_back(InstructionSet::avx512);
    }
  }
#endif
  return sets;
}

InstructionSet instruction_set() { return chosen(); }

#ifdef DP_TEST_HOOKS
void force_instruction_set(InstructionSet set) { chosen() = set; }
#endif

}  // namespace dp
