// D-LED-6: changes to the file by other programs.
#include <gtest/gtest.h>

#include "core/ledger/folder_store.h"
#include "core/ledger/ledger.h"
#include "ledger/ledgers.h"
#include "support/expect_error.h"

#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace dp::test::ledger_damage_test {
namespace {

class LedgerDamage : public testing::Test {
 protected:
  LedgerDamage() : folder_(scratch_.file("l")) {
    Ledger ledger = Ledger::create(folder_store(folder_), terms_of(1), std::nullopt);
    for (const char plan : {'a', 'b', 'c'}) head_ = ledger.charge(charge_of(0.125, plan)).head;
    ledger.record_release(head_.seq, plan_named('d'));
    whole_ = content(ledger_file(folder_));
  }

  void expect_refused(const std::string& bytes, const std::string& what) {
    overwrite(ledger_file(folder_), bytes);
    try {
      open_ledger(folder_);
      ADD_FAILURE() << what;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::ledger) << what << ": " << error.what();
    }
  }

  // A file of these lines. A chain without hashes would accept it.
  static std::string join(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines) all += line;
    return all;
  }

  ScratchFolder scratch_;
  std::string folder_;
  std::string whole_;
  LedgerHead head_{};
};

// Whether the rules of records reject a file, ignoring bytes after its last line.
bool is_refused_line_by_line(const std::string& bytes) {
  LedgerState state(std::nullopt);
  try {
    for (const std::string& line : lines_of(bytes)) {
      state.apply(std::string_view(line).substr(0, line.size() - 1));
    }
  } catch (const Error&) {
    return true;
  }
  return false;
}

// Without its newline, the last line is unfinished and is cut off. A head detects this.
TEST_F(LedgerDamage, D_LED_6_EveryChangedByteIsRefused) {
  EXPECT_FALSE(is_refused_line_by_line(whole_));
  for (std::size_t i = 0; i + 1 < whole_.size(); ++i) {
    for (const char flip : {'\x01', '\x20', '\x7f'}) {
      std::string other = whole_;
      other[i] = static_cast<char>(other[i] ^ flip);
      EXPECT_TRUE(is_refused_line_by_line(other)) << i;
      if (i % 61 == 0) expect_refused(other, "byte " + std::to_string(i));
    }
  }
}

TEST_F(LedgerDamage, D_LED_6_AFileThatEndsBeforeTheFirstVersionIsRefused) {
  const std::vector<std::string> lines = lines_of(whole_);
  expect_refused("", "empty");
  expect_refused(lines[0], "without a version");
  expect_refused(lines[0] + lines[1].substr(0, 20), "a version that is not whole");
  overwrite(ledger_file(folder_), lines[0] + lines[1]);
  EXPECT_EQ(open_ledger(folder_).state().versions().size(), 1u);
}

TEST_F(LedgerDamage, D_LED_6_DroppedDoubledAndExchangedRecordsAreRefused) {
  const std::vector<std::string> lines = lines_of(whole_);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> doubled = lines;
    doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    expect_refused(join(doubled), "doubled " + std::to_string(i));
    if (i + 1 == lines.size()) continue;  // a file without its last record is an older copy
    std::vector<std::string> dropped = lines;
    dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(i));
    expect_refused(join(dropped), "dropped " + std::to_string(i));
    std::vector<std::string> exchanged = lines;
    std::swap(exchanged[i], exchanged[i + 1]);
    expect_refused(join(exchanged), "exchanged " + std::to_string(i));
  }
  expect_refused("", "empty");
  expect_refused("\n", "an empty line");
  expect_refused(whole_ + "\n", "an empty line at the end");
  expect_refused(whole_ + std::string(kMostLineBytes + 2, 'x'), "a long line without an end");
  expect_refused(whole_ + std::string(kMostLineBytes + 2, 'x') + "\n", "a long line");
}

TEST_F(LedgerDamage, D_LED_6_RecordsOfTwoLedgersDoNotMix) {
  const std::string other = scratch_.file("other");
  Ledger ledger = Ledger::create(folder_store(other), terms_of(1), std::nullopt);
  for (const char plan : {'a', 'b', 'c'}) ledger.charge(charge_of(0.125, plan));
  const std::vector<std::string> here = lines_of(whole_);
  const std::vector<std::string> there = lines_of(content(ledger_file(other)));
  for (std::size_t cut = 1; cut < there.size(); ++cut) {
    std::vector<std::string> spliced(here.begin(), here.begin() + static_cast<std::ptrdiff_t>(cut));
    spliced.insert(spliced.end(), there.begin() + static_cast<std::ptrdiff_t>(cut), there.end());
    expect_refused(join(spliced), "spliced at " + std::to_string(cut));
  }
}

TEST_F(LedgerDamage, D_LED_6_AnOlderCopyIsRefusedByANewerHead) {
  const std::vector<std::string> lines = lines_of(whole_);
  for (std::size_t kept = 2; kept < lines.size(); ++kept) {
    const std::string older = join({lines.begin(), lines.begin() + static_cast<long>(kept)});
    overwrite(ledger_file(folder_), older);
    open_ledger(folder_);  // the file cannot show it
    if (kept > head_.seq) continue;
    const std::string sentence = expect_error(
        ErrorKind::ledger, [&] { Ledger::open(folder_store(folder_), std::nullopt, head_); });
    EXPECT_NE(sentence.find("this is an older copy"), std::string::npos);
  }
  overwrite(ledger_file(folder_), whole_);
  Ledger::open(folder_store(folder_), std::nullopt, head_);
  LedgerHead wrong = head_;
  wrong.hash[0] ^= 1;
  expect_error(ErrorKind::ledger,
               [&] { Ledger::open(folder_store(folder_), std::nullopt, wrong); });
  for (const char* text : {"", "4", "4:", ":aa", "4:zz", "-1:00", "99999999999999999999:00"}) {
    expect_error(ErrorKind::ledger, [&] { LedgerHead::parse(text); });
  }
  EXPECT_EQ(LedgerHead::parse(head_.text()).text(), head_.text());
}

TEST_F(LedgerDamage, D_LED_6_AnOpenLedgerNoticesAnOlderCopy) {
  const std::vector<std::string> lines = lines_of(whole_);
  const std::string older = join({lines.begin(), lines.begin() + 3});
  Ledger in_place = open_ledger(folder_);
  overwrite(ledger_file(folder_), older);
  expect_error(ErrorKind::ledger, [&] { in_place.charge(charge_of(0.125)); });
  overwrite(ledger_file(folder_), whole_);
  in_place.charge(charge_of(0.125));
  // Restores an older copy under the same name.
  overwrite(scratch_.file("copy"), older);
  std::filesystem::rename(scratch_.file("copy"), ledger_file(folder_));
  expect_error(ErrorKind::ledger, [&] { in_place.charge(charge_of(0.125)); });
}

TEST_F(LedgerDamage, AFileThatGoesOnWhereTheOldOneWasIsTaken) {
  Ledger ledger = open_ledger(folder_);
  Ledger other = open_ledger(folder_);
  other.charge(charge_of(0.25));
  overwrite(scratch_.file("copy"), content(ledger_file(folder_)));
  std::filesystem::rename(scratch_.file("copy"), ledger_file(folder_));
  EXPECT_EQ(ledger.state().spent(), pure_loss(0.625));
  ledger.charge(charge_of(0.125));
  EXPECT_EQ(other.state().spent(), pure_loss(0.75));
}

// Forgeries by someone who knows the format but not a later hash. The rules still detect them.
TEST_F(LedgerDamage, D_LED_6_ValidHashesDoNotMakeAWrongSumRight) {
  LedgerState state(std::nullopt);
  for (const std::string& line : lines_of(whole_)) state.apply(line.substr(0, line.size() - 1));
  const auto charged = [&](double loss, double spent) {
    LedgerRecord record = state.next("charge", 0);
    record.set("plan", plan_named('e')).set("version", "2026-03").set("who", "").set("package", "");
    record.set("loss", kPure.json(pure_loss(loss))).set("spent", kPure.json(pure_loss(spent)));
    return record;
  };
  state.line_of(charged(0.125, 0.5));
  expect_error(ErrorKind::ledger, [&] { state.line_of(charged(0.125, 0.375)); });
  expect_error(ErrorKind::ledger, [&] { state.line_of(charged(1, 1.375)); });
  expect_error(ErrorKind::ledger, [&] { state.line_of(charged(1, 0.375)); });
}

TEST_F(LedgerDamage, AnUnfinishedLineIsCutOffAndRecorded) {
  const std::string line = lines_of(whole_).back();
  for (std::size_t length = 1; length < line.size(); length += length < 5 ? 1 : 29) {
    overwrite(ledger_file(folder_), whole_ + line.substr(0, length));
    Ledger ledger = open_ledger(folder_);
    EXPECT_EQ(ledger.state().spent(), pure_loss(0.375));
    ledger.charge(charge_of(0.125));
    if (length > 3) continue;
    std::uint64_t cut = 0;
    std::string hash;
    ledger.read([&](const LedgerRecord& record) {
      if (record.kind() != "repair") return;
      cut = record.number("bytes");
      hash = record.text("sha256");
    });
    EXPECT_EQ(cut, length);
    EXPECT_EQ(hash, hexadecimal(sha256(line.substr(0, length))));
  }
}

#ifndef _WIN32

TEST_F(LedgerDamage, D_LED_4_LinksAndWhatIsNoFileAreRefused) {
  const std::string path = ledger_file(folder_);
  const std::string elsewhere = scratch_.file("elsewhere");
  ASSERT_EQ(link(path.c_str(), elsewhere.c_str()), 0);
  expect_error(ErrorKind::storage, [&] { open_ledger(folder_); });
  ASSERT_EQ(unlink(path.c_str()), 0);
  ASSERT_EQ(symlink(elsewhere.c_str(), path.c_str()), 0);
  expect_error(ErrorKind::storage, [&] { open_ledger(folder_); });
  ASSERT_EQ(unlink(path.c_str()), 0);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  expect_error(ErrorKind::storage, [&] { open_ledger(folder_); });
  ASSERT_EQ(unlink(path.c_str()), 0);
  expect_error(ErrorKind::storage, [&] { open_ledger(folder_); });
  ASSERT_EQ(rename(elsewhere.c_str(), path.c_str()), 0);
  ASSERT_EQ(symlink(folder_.c_str(), elsewhere.c_str()), 0);
  expect_error(ErrorKind::storage, [&] { open_ledger(elsewhere); });
  expect_error(ErrorKind::storage, [&] { open_ledger(elsewhere + "/"); });
  expect_error(ErrorKind::storage, [&] { open_ledger(scratch_.file("nowhere")); });
  EXPECT_EQ(open_ledger(folder_).state().spent(), pure_loss(0.375));
}

#endif

}  // namespace
}  // namespace dp::test::ledger_damage_test
