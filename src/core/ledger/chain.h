// The hashes that chain the lines of a file.
//
// Each line holds the hash of the line before and its own hash: SHA-256 of "psilence-ledger-1\n"
// and the line without the member "hash"; with a secret, its HMAC (RFC 2104). Without a secret, the
// chain detects damage, and detects changes if the reader knows a later hash. With a secret, only
// its holders can write a line that passes.
//
// A signed line has the member "signature", an Ed25519 signature of "psilence-record-1\n" and the
// line without "hash" and "signature". The hash covers the signature, and the next line has the
// hash, so the signature of one line vouches for all before it. Anyone with the public key can
// check it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/plan/sha256.h"

namespace dp {

// Has 32 bytes.
using ChainSecret = Digest;

Digest hmac_sha256(const ChainSecret& secret, std::string_view bytes);

// The hash of a record, in hexadecimal. `body` is its canonical JSON without "hash".
std::string chain_hash(const std::optional<ChainSecret>& secret, std::string_view body);

// Splits a line into its hash and its body; empty if it has no hash. `line` is canonical JSON, an
// object with "kind" and without objects or text that hold a key "hash". So these characters occur
// only once, because quotation marks within text have a backslash before them.
struct ChainedLine {
  std::string hash;
  std::string body;
};
std::optional<ChainedLine> split_line(std::string_view line);

// Splits a signed line into its signature and the signed text; empty if the line has no signature.
struct SignedLine {
  std::string signature;
  std::string text;
};
std::optional<SignedLine> split_signature(std::string_view line);

// The text that the signature of a line signs. `body` is the line without both members.
std::string signed_text(std::string_view body);

}  // namespace dp
