#include <gtest/gtest.h>

#include "ledger/ledgers.h"
#include "support/expect_error.h"

namespace dp::test::signed_ledger_test {
namespace {

Ledger open_with(const std::string& folder, const LedgerKey& key) {
  return Ledger::open(folder_store(folder), key, std::nullopt);
}

Ledger read_with(const std::string& folder, const LedgerKey& key) {
  return Ledger::open(folder_to_read(folder), key, std::nullopt);
}

TEST(SignedLedger, IsReadWithThePublicHalfAndNotWritten) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), signing_key("curator"));
  ledger.charge(charge_of(0.5));
  ledger.raise(pure_loss(2), nullptr);
  ledger.charge(charge_of(1.25));
  Ledger reader = read_with(folder, public_half("curator"));
  EXPECT_EQ(reader.state().spent(), pure_loss(1.75));
  EXPECT_EQ(reader.state().total(), pure_loss(2));
  reader.check_signatures();
  const std::string before = content(ledger_file(folder));
  expect_error(ErrorKind::ledger, [&] { reader.charge(charge_of(0.125)); });
  expect_error(ErrorKind::ledger, [&] { reader.claim({charge_of(0.125), ""}); });
  expect_error(ErrorKind::ledger, [&] { reader.add_version("2026-04"); });
  expect_error(ErrorKind::ledger, [&] { reader.raise(pure_loss(3), nullptr); });
  EXPECT_EQ(content(ledger_file(folder)), before);
  ledger.charge(charge_of(0.125));
  EXPECT_EQ(reader.state().spent(), pure_loss(1.875));
}

TEST(SignedLedger, IsReadWhileALineIsUnfinished) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1), signing_key("curator"));
  const std::string whole = content(ledger_file(folder));
  overwrite(ledger_file(folder), whole + "{\"claim\"");
  EXPECT_EQ(read_with(folder, public_half("curator")).state().size(), 2);
  EXPECT_EQ(content(ledger_file(folder)), whole + "{\"claim\"");
  EXPECT_EQ(open_with(folder, signing_key("curator")).state().size(), 3);
  EXPECT_EQ(read_with(folder, public_half("curator")).state().size(), 3);
}

TEST(SignedLedger, D_LED_6_ARecordOfAnotherKeyDoesNotPass) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger::create(folder_store(folder), terms_of(1), signing_key("curator"));
  // The fingerprint and the format of the chain are public.
  LedgerKey forger = signing_key("forger");
  forger.fingerprint = public_half("curator").fingerprint;
  LedgerState state(forger);
  std::string lines;
  for (const std::string& line : lines_of(content(ledger_file(folder)))) {
    state.apply(line.substr(0, line.size() - 1));
    lines += line;
  }
  const LedgerRecord version = state.next("version", 0).set("label", "forged");
  overwrite(ledger_file(folder), lines + state.line_of(version) + "\n");
  expect_error(ErrorKind::ledger, [&] { open_with(folder, signing_key("curator")); });
  expect_error(ErrorKind::ledger, [&] { read_with(folder, public_half("curator")); });
}

// An open ledger rejects a forged record too, even if asked twice.
TEST(SignedLedger, D_LED_6_AnOpenLedgerRefusesAForgedRecordForGood) {
  const ScratchFolder scratch;
  const std::string folder = scratch.file("l");
  Ledger ledger = Ledger::create(folder_store(folder), terms_of(1), signing_key("curator"));
  LedgerKey forger = signing_key("forger");
  forger.fingerprint = public_half("curator").fingerprint;
  LedgerState state(forger);
  std::string lines = content(ledger_file(folder));
  for (const std::string& line : lines_of(lines)) state.apply(line.substr(0, line.size() - 1));
  lines += state.line_of(state.next("version", 0).set("label", "forged")) + "\n";
  overwrite(ledger_file(folder), lines);
  for (int i = 0; i < 2; ++i) {
    expect_error(ErrorKind::ledger, [&] { ledger.charge(charge_of(0.5)); });
    expect_error(ErrorKind::ledger, [&] { ledger.state(); });
  }
  EXPECT_EQ(content(ledger_file(folder)), lines);
}

TEST(SignedLedger, ThePublicHalfDoesNotOpenALedgerWithoutSignatures) {
  const ScratchFolder scratch;
  Ledger::create(folder_store(scratch.file("keyed")), terms_of(1), key_named("curator"));
  Ledger::create(folder_store(scratch.file("plain")), terms_of(1), std::nullopt);
  Ledger::create(folder_store(scratch.file("signed")), terms_of(1), signing_key("curator"));
  for (const char* name : {"keyed", "plain"}) {
    expect_error(ErrorKind::ledger, [&] { read_with(scratch.file(name), public_half("curator")); });
  }
  expect_error(ErrorKind::ledger,
               [&] { read_with(scratch.file("signed"), public_half("another")); });
  expect_error(ErrorKind::ledger, [&] { open_ledger(scratch.file("signed")); });
  EXPECT_EQ(open_with(scratch.file("keyed"), signing_key("curator")).state().size(), 2);
}

}  // namespace
}  // namespace dp::test::signed_ledger_test
