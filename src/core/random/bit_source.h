// Where every random decision of the core comes from: a stock of fair 64-bit words.
//
// A word leaves the stock once and is erased as it leaves, so nothing that was used can be read
// again. Samplers take a BitSource&; production passes secure_bits().
#pragma once

#include <cstddef>
#include <cstdint>

namespace dp {

class BitSource {
 public:
  BitSource(const BitSource&) = delete;
  BitSource& operator=(const BitSource&) = delete;
  virtual ~BitSource() = default;

  std::uint64_t word() {
    if (stock_->next == stock_->end) restock();
    std::uint64_t& slot = stock_->words[stock_->next];
    const std::uint64_t taken = slot;
    slot = 0;
    ++stock_->next;
    return taken;
  }

  // The next `size` words, in order.
  void words(std::uint64_t* out, std::size_t size);

  // `count` fair bits (0 to 64) as a number below 2^count. Left-over bits of a word wait for the
  // next call; word() does not touch them. Virtual so that tests can enumerate bit strings.
  virtual std::uint64_t bits(unsigned count);

  bool bit() { return bits(1) != 0; }

 protected:
  static constexpr std::size_t kCapacity = 8192;  // 64 KiB

  // All that must not survive a fork, in one place: zeroed, it is an empty stock.
  struct Stock {
    std::size_t next;
    std::size_t end;
    std::uint64_t spare;  // left-over bits of bits()
    std::uint64_t spare_count;
    std::uint64_t words[kCapacity];
  };

  explicit BitSource(Stock* empty) : stock_(empty) {}

  // Writes 1 to kCapacity fresh words and returns how many, or throws.
  virtual std::size_t supply(std::uint64_t* words) = 0;

  Stock* stock_;

 private:
  void restock();
};

// The source of the current thread: the operating system's generator, buffered. The first refill is
// 256 bytes, later ones grow to 64 KiB. A forked child starts with an empty stock, also after a
// fork that bypasses the C library (Linux).
BitSource& secure_bits();

// Overwrites memory that held random words; not elided by the optimizer.
void erase(void* memory, std::size_t size);

// Erases memory when its scope ends, also when an exception passes: what holds noise, random words,
// or results that are withheld.
class Wiper {
 public:
  Wiper(void* memory, std::size_t size) : memory_(memory), size_(size) {}
  ~Wiper() { erase(memory_, size_); }
  Wiper(const Wiper&) = delete;
  Wiper& operator=(const Wiper&) = delete;

 private:
  void* memory_;
  std::size_t size_;
};

#ifdef DP_TEST_HOOKS
// Called with what erase() has overwritten, if it is set.
extern void (*erase_observer)(const void* memory, std::size_t size);

// While it lives, secure_bits() of this thread is `source`.
class ScopedBitSource {
 public:
  explicit ScopedBitSource(BitSource& source);
  ~ScopedBitSource();
  ScopedBitSource(const ScopedBitSource&) = delete;
  ScopedBitSource& operator=(const ScopedBitSource&) = delete;

 private:
  BitSource* previous_;
};
#endif

}  // namespace dp
