// 128-bit integers, where 64 bits are too few and any size would be too slow.
#pragma once

namespace dp {

__extension__ typedef __int128 int128_t;
__extension__ typedef unsigned __int128 uint128_t;

}  // namespace dp
