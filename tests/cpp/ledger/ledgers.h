// Test support: small ledgers, and their files to corrupt.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "core/ledger/folder_store.h"
#include "core/ledger/ledger.h"
#include "core/numeric/rational.h"
#include "support/scratch_folder.h"

namespace dp::test {

inline const LedgerMeasure kPure(max_divergence());

inline TotalLoss pure_loss(double epsilon) {
  return {Amount::at_least(exact_rational(epsilon)), Amount()};
}

inline Ledger::Terms terms_of(double epsilon) {
  const PrivacyUnit person = {
      PrivacyUnit::What::people, {"person"}, 1, PrivacyUnit::Relation::add_remove};
  return {"survey", person, kPure, pure_loss(epsilon), "2026-03", "PSIlence test"};
}

inline std::string plan_named(char digit) { return std::string(64, digit); }

inline Ledger::Charge charge_of(double epsilon, char plan = 'a') {
  return {plan_named(plan), pure_loss(epsilon), "2026-03", "analyst", "PSIlence test", ""};
}

// Signs with a hash of the text. Tests need only a signature that others cannot produce.
inline std::string signed_by(const std::string& name, const std::string& text) {
  return hexadecimal(sha256("signed " + name + text));
}

inline LedgerKey key_named(const std::string& name) {
  return {hexadecimal(sha256("public " + name)),
          sha256("secret " + name),
          [name](const std::string& text, const std::string& signature) {
            return signature == signed_by(name, text);
          }};
}

// As above, for a ledger with signed records.
inline LedgerKey signing_key(const std::string& name) {
  LedgerKey key = key_named(name);
  key.sign = [name](const std::string& text) { return signed_by(name, text); };
  return key;
}

// The public half of the key.
inline LedgerKey public_half(const std::string& name) {
  LedgerKey key = key_named(name);
  key.secret.reset();
  return key;
}

inline LedgerHead raise_as(const std::string& name, Ledger& ledger, double epsilon) {
  return ledger.raise(pure_loss(epsilon),
                      [&](const std::string& text) { return signed_by(name, text); });
}

inline Ledger open_ledger(const std::string& folder) {
  return Ledger::open(folder_store(folder), std::nullopt, std::nullopt);
}

inline std::string ledger_file(const std::string& folder) { return folder + "/ledger.jsonl"; }

inline void overwrite(const std::string& path, const std::string& bytes) {
  std::ofstream(std::filesystem::u8path(path), std::ios::binary | std::ios::trunc) << bytes;
}

// Lines with their newlines.
inline std::vector<std::string> lines_of(const std::string& bytes) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = bytes.find('\n', at);
    const std::size_t next = end == std::string::npos ? bytes.size() : end + 1;
    lines.push_back(bytes.substr(at, next - at));
    at = next;
  }
  return lines;
}

inline std::vector<std::string> kinds_in(Ledger& ledger) {
  std::vector<std::string> kinds;
  ledger.read([&](const LedgerRecord& record) { kinds.push_back(record.kind()); });
  return kinds;
}

}  // namespace dp::test
