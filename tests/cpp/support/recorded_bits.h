// Bit sources for tests with known words, so every draw can be replayed and checked.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/random/bit_source.h"

namespace dp {

struct OutOfBits : std::runtime_error {
  OutOfBits() : std::runtime_error("the recorded bits are used up") {}
};

// Returns the recorded words one by one, then throws OutOfBits.
class RecordedBits : public BitSource {
 public:
  explicit RecordedBits(std::vector<std::uint64_t> words)
      : RecordedBits(std::make_unique<Stock>(), std::move(words)) {}
  RecordedBits(std::initializer_list<std::uint64_t> words)
      : RecordedBits(std::vector<std::uint64_t>(words)) {}

  std::size_t used() const { return used_; }

 protected:
  std::size_t supply(std::uint64_t* words) override {
    if (used_ == recorded_.size()) throw OutOfBits();
    *words = recorded_[used_++];
    return 1;
  }

 private:
  RecordedBits(std::unique_ptr<Stock> stock, std::vector<std::uint64_t> words)
      : BitSource(stock.get()), owned_(std::move(stock)), recorded_(std::move(words)) {}

  std::unique_ptr<Stock> owned_;
  std::vector<std::uint64_t> recorded_;
  std::size_t used_ = 0;
};

// Endless stream determined by a seed: SplitMix64 (Steele, Lea, Flood 2014). For statistical tests,
// whose outcome must not change between runs; never for noise.
class ReplayedBits : public BitSource {
 public:
  explicit ReplayedBits(std::uint64_t seed) : ReplayedBits(std::make_unique<Stock>(), seed) {}

 protected:
  std::size_t supply(std::uint64_t* words) override {
    for (std::size_t i = 0; i < kRefill; ++i) {
      std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      words[i] = z ^ (z >> 31);
    }
    return kRefill;
  }

 private:
  static constexpr std::size_t kRefill = 512;

  ReplayedBits(std::unique_ptr<Stock> stock, std::uint64_t seed)
      : BitSource(stock.get()), owned_(std::move(stock)), state_(seed) {}

  std::unique_ptr<Stock> owned_;
  std::uint64_t state_;
};

// Words of this stream for RecordedBits, for samplers that must not need more words.
inline std::vector<std::uint64_t> replayed_words(std::uint64_t seed, std::size_t count) {
  ReplayedBits stream(seed);
  std::vector<std::uint64_t> words(count);
  for (std::uint64_t& word : words) word = stream.bits(64);
  return words;
}

// Serves a string of at most 64 bits, starting with the lowest bit, then throws OutOfBits. Refuses
// whole words, because samplers that are enumerated bit by bit must not read words.
class BitString : public BitSource {
 public:
  BitString() : BitString(std::make_unique<Stock>()) {}

  void start(std::uint64_t string, unsigned length) {
    string_ = string;
    length_ = length;
    used_ = 0;
  }

  unsigned used() const { return used_; }

  std::uint64_t bits(unsigned count) override {
    if (count > length_ - used_) throw OutOfBits();
    if (count == 0) return 0;
    const std::uint64_t taken = (string_ >> used_) & (~std::uint64_t{0} >> (64 - count));
    used_ += count;
    return taken;
  }

 protected:
  std::size_t supply(std::uint64_t*) override {
    throw std::logic_error("a sampler under enumeration read a whole word");
  }

 private:
  explicit BitString(std::unique_ptr<Stock> stock)
      : BitSource(stock.get()), owned_(std::move(stock)) {}

  std::unique_ptr<Stock> owned_;
  std::uint64_t string_ = 0;
  unsigned length_ = 0;
  unsigned used_ = 0;
};

}  // namespace dp
