#include "core/ledger/chain.h"

#include <array>
#include <cstdint>

namespace dp {
namespace {

constexpr std::string_view kChainPrefix = "psilence-ledger-1\n";
constexpr std::string_view kHashKey = "\"hash\":\"";
constexpr std::size_t kHashDigits = 64;
constexpr std::string_view kSignaturePrefix = "psilence-record-1\n";
constexpr std::string_view kSignatureKey = "\"signature\":\"";

std::string_view as_bytes(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// The block that RFC 2104 adds in front: the key, filled up with zeros, mixed with `mask`.
std::string keyed_block(const ChainSecret& secret, std::uint8_t mask) {
  std::string block(64, static_cast<char>(mask));
  for (std::size_t i = 0; i < secret.size(); ++i) block[i] = static_cast<char>(secret[i] ^ mask);
  return block;
}

Digest hmac_of(const ChainSecret& secret, std::string_view first, std::string_view second) {
  Sha256 inner;
  inner.add(keyed_block(secret, 0x36));
  inner.add(first);
  inner.add(second);
  Sha256 outer;
  outer.add(keyed_block(secret, 0x5c));
  outer.add(as_bytes(inner.digest()));
  return outer.digest();
}

}  // namespace

Digest hmac_sha256(const ChainSecret& secret, std::string_view bytes) {
  return hmac_of(secret, bytes, "");
}

std::string chain_hash(const std::optional<ChainSecret>& secret, std::string_view body) {
  if (secret) return hexadecimal(hmac_of(*secret, kChainPrefix, body));
  Sha256 hash;
  hash.add(kChainPrefix);
  hash.add(body);
  return hexadecimal(hash.digest());
}

std::optional<ChainedLine> split_line(std::string_view line) {
  const std::size_t start = line.find(kHashKey);
  if (start == std::string_view::npos) return std::nullopt;
  const std::size_t digits = start + kHashKey.size();
  const std::size_t end = digits + kHashDigits + 2;  // behind the quotation mark and the comma
  if (end > line.size() || line.substr(end - 2, 2) != "\",") return std::nullopt;
  ChainedLine out;
  out.hash = line.substr(digits, kHashDigits);
  out.body = line.substr(0, start);
  out.body += line.substr(end);
  return out;
}

// Each record has a key after "signature", so there is a comma.
std::optional<SignedLine> split_signature(std::string_view line) {
  const auto unhashed = split_line(line);
  if (!unhashed) return std::nullopt;
  const std::string& body = unhashed->body;
  const std::size_t start = body.find(kSignatureKey);
  if (start == std::string::npos) return std::nullopt;
  const std::size_t digits = start + kSignatureKey.size();
  const std::size_t end = body.find("\",", digits);
  if (end == std::string::npos) return std::nullopt;
  SignedLine out;
  out.signature = body.substr(digits, end - digits);
  out.text = signed_text(body.substr(0, start) + body.substr(end + 2));
  return out;
}

std::string signed_text(std::string_view body) {
  return std::string(kSignaturePrefix) + std::string(body);
}

}  // namespace dp
