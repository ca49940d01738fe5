// Question: what does a secure random word cost next to the cipher that makes it?
//
//   secure_bits().word(), buffered and erased after use, and runs of words at once, against raw
//   AES-256-CTR of OpenSSL in blocks of 64 KiB. Prints ns per 64-bit word and the median of the
//   ratios of paired rounds.
//
//   bits_bench [words] [rounds]
#include <openssl/evp.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

#include "benchmarks/core/compare.h"
#include "core/random/bit_source.h"

namespace {

using namespace dp;

constexpr std::size_t kBlock = 8192;  // words: 64 KiB

// The key stream of AES-256 in counter mode.
class KeyStream {
 public:
  KeyStream() : context_(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free), zeros_(kBlock) {
    const unsigned char key[32] = {1};
    const unsigned char counter[16] = {};
    if (EVP_EncryptInit_ex(context_.get(), EVP_aes_256_ctr(), nullptr, key, counter) != 1) {
      throw std::runtime_error("OpenSSL has no AES-256-CTR");
    }
  }

  void fill(std::uint64_t* out) {
    int size = kBlock * sizeof(std::uint64_t);
    EVP_EncryptUpdate(context_.get(),
                      reinterpret_cast<unsigned char*>(out),
                      &size,
                      reinterpret_cast<const unsigned char*>(zeros_.data()),
                      size);
  }

 private:
  std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context_;
  std::vector<std::uint64_t> zeros_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::size_t words = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 21;
  const std::size_t blocks = words / kBlock + 1;
  KeyStream stream;
  std::vector<std::uint64_t> block(kBlock);
  volatile std::uint64_t sink = 0;
  const auto ratios = bench::compare("a secure word",
                                     {{"raw AES-256-CTR",
                                       [&] {
                                         for (std::size_t i = 0; i < blocks; ++i) {
                                           stream.fill(block.data());
                                         }
                                         sink = block[0];
                                       },
                                       blocks * kBlock},
                                      {"buffered, word by word",
                                       [&] {
                                         BitSource& bits = secure_bits();
                                         std::uint64_t sum = 0;
                                         for (std::size_t i = 0; i < words; ++i) sum ^= bits.word();
                                         sink = sum;
                                       },
                                       words},
                                      {"buffered, many at once",
                                       [&] {
                                         for (std::size_t i = 0; i < blocks; ++i) {
                                           secure_bits().words(block.data(), kBlock);
                                         }
                                         sink = block[0];
                                       },
                                       blocks * kBlock}},
                                     rounds);
  bench::print_target(
      "buffered secure 64-bit word", "raw AES-256-CTR", ratios[1], bench::at_most(2));
}
