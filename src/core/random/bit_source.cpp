#include "core/random/bit_source.h"

#include <algorithm>
#include <cstring>

#include "core/platform.h"
#include "core/random/entropy.h"

namespace dp {

void BitSource::restock() {
  stock_->next = stock_->end = 0;
  stock_->end = supply(stock_->words);
}

void BitSource::words(std::uint64_t* out, std::size_t size) {
  while (size > 0) {
    if (stock_->next == stock_->end) restock();
    const std::size_t part = std::min(size, stock_->end - stock_->next);
    std::uint64_t* from = stock_->words + stock_->next;
    std::memcpy(out, from, part * sizeof(std::uint64_t));
    std::memset(from, 0, part * sizeof(std::uint64_t));
    stock_->next += part;
    out += part;
    size -= part;
  }
}

std::uint64_t BitSource::bits(unsigned count) {
  const auto have = static_cast<unsigned>(stock_->spare_count);
  if (count > have) {
    const std::uint64_t fresh = word();
    const unsigned need = count - have;  // 1 to 64; `have` is below 64
    const std::uint64_t part = need == 64 ? fresh : fresh & ((std::uint64_t{1} << need) - 1);
    const std::uint64_t result = stock_->spare | part << have;
    stock_->spare = need == 64 ? 0 : fresh >> need;
    stock_->spare_count = 64 - need;
    return result;
  }
  if (count == 0) return 0;
  const std::uint64_t result = stock_->spare & ((std::uint64_t{1} << count) - 1);
  stock_->spare >>= count;
  stock_->spare_count -= count;
  return result;
}

#ifdef DP_TEST_HOOKS
void (*erase_observer)(const void* memory, std::size_t size) = nullptr;
#endif

void erase(void* memory, std::size_t size) {
  if (size == 0) return;  // of memory that may be null
  std::memset(memory, 0, size);
  __asm__ __volatile__("" : : "r"(memory) : "memory");
#ifdef DP_TEST_HOOKS
  if (erase_observer != nullptr) erase_observer(memory, size);
#endif
}

namespace {

// The stock is in separate pages, which Linux hands to a forked child filled with zeros, however
// the child was made. On other systems, after_fork() empties the stock.
class SystemBitSource final : public BitSource {
 public:
  SystemBitSource() : BitSource(new_stock()) {}
  ~SystemBitSource() override {
    erase(stock_, sizeof(Stock));
    release_pages(stock_, sizeof(Stock));
  }

 private:
  static constexpr std::size_t kFirstRefill = 32;  // 256 bytes

  static Stock* new_stock() {
    [[maybe_unused]] static const bool registered = (after_fork(&forget_after_fork), true);
    return static_cast<Stock*>(private_pages(sizeof(Stock)));
  }

  // Runs in the child, whose only thread is the one that forked.
  static void forget_after_fork();

  std::size_t supply(std::uint64_t* words) override {
    system_entropy(words, refill_ * sizeof(std::uint64_t));
    const std::size_t got = refill_;
    refill_ = std::min(2 * refill_, kCapacity);
    return got;
  }

  std::size_t refill_ = kFirstRefill;
};

const PerThread<SystemBitSource>& system_bits() {
  static const PerThread<SystemBitSource> bits;
  return bits;
}

void SystemBitSource::forget_after_fork() {
  const SystemBitSource* made = system_bits().if_made();
  if (made != nullptr) erase(made->stock_, sizeof(Stock));
}

#ifdef DP_TEST_HOOKS
thread_local BitSource* injected = nullptr;
#endif

}  // namespace

BitSource& secure_bits() {
#ifdef DP_TEST_HOOKS
  if (injected != nullptr) return *injected;
#endif
  return system_bits()();
}

#ifdef DP_TEST_HOOKS
ScopedBitSource::ScopedBitSource(BitSource& source) : previous_(injected) { injected = &source; }
ScopedBitSource::~ScopedBitSource() { injected = previous_; }
#endif

}  // namespace dp
