#include "core/plan/encoder.h"

#include <cmath>
#include <cstring>

namespace dp {
namespace {

// Two quiet NaNs that no computation gives.
constexpr std::uint64_t kNaN = 0x7ff8000000000000;
constexpr std::uint64_t kMissing = 0x7ff80000000007a2;

}  // namespace

void Encoder::begin(Form form, std::uint64_t size) {
  bytes_ += static_cast<char>(form);
  put(size);
}

void Encoder::put(std::uint64_t bits) {
  for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(bits >> shift & 0xff);
}

void Encoder::put(double value) {
  std::uint64_t bits = kNaN;
  if (!std::isnan(value)) std::memcpy(&bits, &value, sizeof bits);
  put(bits);
}

void Encoder::put_missing() { put(kMissing); }

void Encoder::put(std::string_view text) {
  put(static_cast<std::uint64_t>(text.size()));
  bytes_ += text;
}

void Encoder::put(const Digest& digest) { bytes_.append(digest.begin(), digest.end()); }

}  // namespace dp
