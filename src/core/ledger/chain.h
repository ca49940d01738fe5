// The hashes that chain the lines of a file.
//
// Each line holds the hash of the line before and its own: SHA-256 of "psilence-ledger-1\n" and
// the line without the member "hash"; with a secret, its HMAC (RFC 2104). Without a secret the
// chain shows damage, and a change to whoever knows a later hash. With one, nobody who lacks it can
// write a line that passes.
//
// A signed line has the member "signature", an Ed25519 signature of "psilence-record-1\n" and the
// line without "hash" and "signature". As the hash covers the signature, and the next line has the
// hash, the signature of one line vouches for all before it. Whoever has the public key can check
// it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/plan/sha256.h"

namespace dp {

// Of 32 bytes.
using ChainSecret = Digest;

Digest hmac_sha256(const ChainSecret& secret, std::string_view bytes);

// The hash of a record, in hexadecimal. `body` is its canonical JSON without "hash".
std::string chain_hash(const std::optional<ChainSecret>& secret, std::string_view body);

// The hash that a line holds, and its body; nothing if it holds none. `line` is canonical JSON, an
// object with "kind" and without objects or text that hold a key "hash": then these characters
// stand in it only once, as quotation marks within text have a backslash before them.
struct ChainedLine {
  std::string hash;
  std::string body;
};
std::optional<ChainedLine> split_line(std::string_view line);

// The signature of a signed line, and the text that it signs; nothing if the line has none.
struct SignedLine {
  std::string signature;
  std::string text;
};
std::optional<SignedLine> split_signature(std::string_view line);

// The text that the signature of a line signs. `body` is the line without both members.
std::string signed_text(std::string_view body);

}  // namespace dp
