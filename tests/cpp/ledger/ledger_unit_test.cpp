#include "core/ledger/ledger_unit.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/ledger/ledger.h"
#include "ledgers.h"
#include "support/expect_error.h"

namespace dp::test::ledger_unit_test {
namespace {

using Relation = PrivacyUnit::Relation;
using What = PrivacyUnit::What;

const char* const kPatient =
    R"({"columns":["patient"],"count":1,"relation":"add_remove","what":"people"})";

LedgerUnit read(const std::string& text) { return parse_unit(parse_json(text, 1000)); }

void expect_refused(const std::string& text) {
  expect_error(ErrorKind::ledger, [&] { read(text); });
}

TEST(LedgerUnit, HasOneForm) {
  const LedgerUnit patient = PrivacyUnit{What::people, {"patient"}, 1, Relation::add_remove};
  EXPECT_EQ(to_text(json_of(patient)), kPatient);
  const LedgerUnit replaced = PrivacyUnit{What::rows, {}, 3, Relation::replace};
  EXPECT_EQ(to_text(json_of(replaced)),
            R"({"columns":[],"count":3,"relation":"replace","what":"rows"})");
  EXPECT_EQ(to_text(json_of(LedgerUnit("row"))), "\"row\"");
  const std::vector<LedgerUnit> units = {patient, replaced, LedgerUnit("row")};
  for (const LedgerUnit& unit : units) {
    EXPECT_EQ(to_text(json_of(read(to_text(json_of(unit))))), to_text(json_of(unit)));
  }
}

TEST(LedgerUnit, RefusesOtherForms) {
  expect_refused("1");
  expect_refused("[]");
  expect_refused("{}");
  expect_refused(R"({"columns":[],"count":1,"relation":"replace"})");
  expect_refused(R"({"columns":[],"count":1,"ever":"1","relation":"replace","what":"rows"})");
  expect_refused(R"({"columns":[],"count":0,"relation":"replace","what":"rows"})");
  expect_refused(R"({"columns":[],"count":2147483648,"relation":"replace","what":"rows"})");
  expect_refused(R"({"columns":[],"count":"1","relation":"replace","what":"rows"})");
  expect_refused(R"({"columns":[],"count":1,"relation":"replaced","what":"rows"})");
  expect_refused(R"({"columns":[],"count":1,"relation":"replace","what":"row"})");
  expect_refused(R"({"columns":[],"count":1,"relation":"replace","what":"people"})");
  expect_refused(R"({"columns":["id"],"count":1,"relation":"replace","what":"rows"})");
  expect_refused(R"({"columns":["b","a"],"count":1,"relation":"replace","what":"people"})");
  expect_refused(R"({"columns":["a","a"],"count":1,"relation":"replace","what":"people"})");
  expect_refused(R"({"columns":[1],"count":1,"relation":"replace","what":"people"})");
}

TEST(LedgerUnit, IsThatOfTheLedgerAndOfWhatItAllocates) {
  const ScratchFolder scratch;
  Ledger ledger = Ledger::create(folder_store(scratch.file("l")), terms_of(1), std::nullopt);
  Ledger child = ledger.allocate(
      folder_store(scratch.file("child")), pure_loss(0.5), "PSIlence test", std::nullopt);
  const std::string unit = to_text(json_of(terms_of(1).unit));
  EXPECT_EQ(to_text(json_of(ledger.terms().unit)), unit);
  EXPECT_EQ(to_text(json_of(child.terms().unit)), unit);
}

TEST(LedgerUnit, APromiseIsRecordedWhereThereIsAUnit) {
  const ScratchFolder scratch;
  Ledger ledger = Ledger::create(folder_store(scratch.file("l")), terms_of(1), std::nullopt);
  Ledger::Charge charge = charge_of(0.25);
  charge.promise = "one row per person";
  const std::uint64_t seq = ledger.charge(charge).head.seq;
  EXPECT_EQ(ledger.record(seq)->text("promise"), "one row per person");
  ledger.charge(charge_of(0.25));
  EXPECT_EQ(ledger.record(seq + 1)->field("promise"), nullptr);
}

TEST(LedgerUnit, ASecondVersionOfRowsNeedsAPromiseForAll) {
  using What = PrivacyUnit::What;
  using Relation = PrivacyUnit::Relation;
  const ScratchFolder scratch;
  const auto ledger_of = [&](const char* name, What what, Relation relation) {
    Ledger::Terms terms = terms_of(1);
    terms.unit = PrivacyUnit{
        what,
        what == What::rows ? std::vector<std::string>() : std::vector<std::string>{"person"},
        2,
        relation};
    return Ledger::create(folder_store(scratch.file(name)), terms, std::nullopt);
  };
  Ledger rows = ledger_of("rows", What::rows, Relation::add_remove);
  expect_error(ErrorKind::ledger, [&] { rows.add_version("2026-04"); });
  EXPECT_EQ(rows.state().versions().size(), 1U);
  const std::uint64_t seq = rows.add_version("2026-04", "two rows ever").seq;
  EXPECT_EQ(rows.record(seq)->text("promise"), "two rows ever");
  rows.add_version("2026-05");
  EXPECT_EQ(Ledger::open(folder_store(scratch.file("rows")), std::nullopt, std::nullopt)
                .state()
                .promise_of_versions(),
            "two rows ever");
  ledger_of("replaced", What::rows, Relation::replace).add_version("2026-04");
  ledger_of("people", What::people, Relation::add_remove).add_version("2026-04");
}

TEST(LedgerUnit, ALedgerOfWordsKeepsItsFormatAndTakesNoPromise) {
  const ScratchFolder scratch;
  Ledger::Terms terms = terms_of(1);
  terms.unit = "row";
  Ledger ledger = Ledger::create(folder_store(scratch.file("l")), terms, std::nullopt);
  EXPECT_EQ(ledger.record(0)->text("format"), kFormatOfWords);
  ledger.charge(charge_of(0.25));
  Ledger::Charge charge = charge_of(0.25);
  charge.promise = "one row per person";
  expect_error(ErrorKind::ledger, [&] { ledger.charge(charge); });
  EXPECT_EQ(ledger.state().spent(), pure_loss(0.25));
}

TEST(LedgerUnit, AFormatThatDoesNotFitTheUnitIsRefused) {
  for (const char* unit : {"\"row\"", kPatient}) {
    for (const char* format : {kFormatOfWords, kFormatOfUnits, "psilence-ledger-3"}) {
      LedgerState state(std::nullopt);
      LedgerRecord opening = state.next("open", 0);
      opening.set("format", format).set("id", std::string(32, '0')).set("dataset", "survey");
      opening.set("unit", parse_json(unit, 1000)).set("measure", "MaxDivergence");
      opening.set("package", "p").set("total", kPure.json(pure_loss(1))).set("key", "");
      if (std::string(format) == format_of(read(unit))) {
        state.line_of(opening);
      } else {
        expect_error(ErrorKind::ledger, [&] { state.line_of(opening); });
      }
    }
  }
}

}  // namespace
}  // namespace dp::test::ledger_unit_test
