#include "core/query/sip_lanes.h"

#include <cstring>

#include "core/numeric/kernel_widths.h"

namespace dp::query {
namespace {

#define DP_KERNEL "core/query/sip_lanes.inc"
#define DP_KERNEL_NAMESPACE sip_widths
#include "core/numeric/kernel_widths.inc"

SipLanes sip_lanes_for(InstructionSet set) {
  using namespace sip_widths;  // NOLINT
  return of_width<SipLanes>(
      set, {{{"portable", portable::hash}, {"avx2", avx2::hash}, {"avx512", avx512::hash}}});
}

}  // namespace

std::vector<SipLanes> available_sip_lanes() { return available_widths(sip_lanes_for); }

SipLanes sip_lanes() { return sip_lanes_for(instruction_set()); }

}  // namespace dp::query
