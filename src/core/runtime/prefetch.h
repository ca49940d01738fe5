// Memory that is needed soon.
#pragma once

namespace dp {

// Asks for the memory at `place`, which may be any address, and does not wait for it.
inline void fetch(const void* place) {
#ifdef __GNUC__
  __builtin_prefetch(place);
#else
  (void)place;
#endif
}

}  // namespace dp
