#include "core/query/sip_lanes.h"

#include <cstring>

#include "core/numeric/instruction_set.h"

#if defined(__x86_64__) || defined(__i386__)
#define DP_SIP_X86
#endif

namespace dp::query {
namespace {

namespace sip_portable {
#define DP_LANE_BYTES 16
#define DP_LANE_TARGET
#include "core/query/sip_lanes.inc"
}  // namespace sip_portable

#ifdef DP_SIP_X86
namespace sip_avx2 {
#define DP_LANE_BYTES 32
#define DP_LANE_TARGET __attribute__((target("avx2")))
#include "core/query/sip_lanes.inc"
}  // namespace sip_avx2

namespace sip_avx512 {
#define DP_LANE_BYTES 64
#define DP_LANE_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))
#include "core/query/sip_lanes.inc"
}  // namespace sip_avx512
#endif

SipLanes sip_lanes_for([[maybe_unused]] InstructionSet set) {
#ifdef DP_SIP_X86
  switch (set) {
    case InstructionSet::avx512:
      return {"avx512", sip_avx512::hash};
    case InstructionSet::avx2:
      return {"avx2", sip_avx2::hash};
    case InstructionSet::portable:
      break;
  }
#endif
  return {"portable", sip_portable::hash};
}

}  // namespace

std::vector<SipLanes> available_sip_lanes() {
  std::vector<SipLanes> all;
  for (const InstructionSet set : available_instruction_sets()) all.push_back(sip_lanes_for(set));
  return all;
}

SipLanes sip_lanes() { return sip_lanes_for(instruction_set()); }

}  // namespace dp::query
