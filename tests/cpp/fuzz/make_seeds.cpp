// Writes seeds for the fuzzers: make_seeds <folder>, with one subfolder per fuzzer.
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "core/ledger/state.h"
#include "core/measures/measure.h"
#include "core/numeric/rational.h"
#include "support/query_texts.h"

namespace {

using dp::Json;
using dp::LedgerRecord;
using dp::LedgerState;

void write_seed(const std::filesystem::path& folder, const char* name, const std::string& bytes) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name, std::ios::binary) << bytes;
}

// A ledger with one record of each kind that needs no key.
class Seed {
 public:
  explicit Seed(const dp::Measure& measure) : measure_(measure), state_(std::nullopt) {
    LedgerRecord opening = state_.next("open", 0);
    opening.set("format", dp::kFormatOfUnits).set("id", id_).set("dataset", "survey");
    opening.set("unit", dp::json_of(dp::PrivacyUnit()))
        .set("measure", measure_.name())
        .set("package", "p");
    opening.set("total", measure_.json(measure_.total(1, 0))).set("key", "");
    add(opening);
    add(state_.next("version", 0).set("label", "2026-03"));
    add(spending("charge")
            .set("plan", plan_)
            .set("version", "2026-03")
            .set("who", "w")
            .set("promise", "one row each")
            .set("table", "north")
            .set("package", "p"));
    add(state_.next("release", 0).set("charge", std::uint64_t{2}).set("release", plan_));
    add(spending("allocate").set("child", child_));
    LedgerRecord back = state_.next("return", 0);
    back.set("child", child_).set("head", "3:" + plan_).set("loss", quarter());
    add(back.set("spent", quarter()));
    add(state_.next("repair", 0).set("bytes", std::uint64_t{7}).set("sha256", plan_));
  }

  const std::string& text() const { return text_; }

 private:
  Json quarter() const { return measure_.json(measure_.total(0.25, 0)); }

  LedgerRecord spending(const char* kind) {
    const dp::TotalLoss loss = measure_.total(0.25, 0);
    LedgerRecord record = state_.next(kind, 0);
    record.set("loss", measure_.json(loss)).set("spent", measure_.json(state_.spent() + loss));
    return record;
  }

  void add(const LedgerRecord& record) {
    const std::string line = state_.line_of(record);
    state_.accept(record, line);
    text_ += line + "\n";
  }

  const std::string id_ = std::string(32, '1');
  const std::string child_ = std::string(32, '2');
  const std::string plan_ = std::string(64, 'a');
  dp::LedgerMeasure measure_;
  LedgerState state_;
  std::string text_;
};

std::string receipt_seed() {
  Json accuracy;
  accuracy.set("alpha", "0.05").set("column", "age").set("value", "7.5");
  Json receipt;
  receipt.set("accuracy", Json::Array{accuracy}).set("dataset", "survey \"\\\n\xc3\xa9");
  receipt.set("events", Json::Array{}).set("charge", std::uint64_t{9007199254740991});
  return to_text(receipt);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  const Seed pure(dp::max_divergence());
  const Seed concentrated(dp::approximate(dp::zero_concentrated_divergence()));
  write_seed(folder / "ledger", "chained", "1" + pure.text());
  write_seed(folder / "ledger", "pure", "0" + pure.text());
  write_seed(folder / "ledger", "concentrated", "0" + concentrated.text());
  write_seed(folder / "receipt", "receipt", receipt_seed());
  for (const std::string& text : dp::query::query_texts()) {
    write_seed(folder / "query", std::to_string(text.size()).c_str(), text);
  }
  write_seed(folder / "arrow", "numbers", std::string(400, '\5'));
  write_seed(folder / "arrow", "texts", std::string(400, '\13'));
  write_seed(folder / "receipt", "record", pure.text().substr(0, pure.text().find('\n')));
  write_seed(folder / "receipt", "amount", "0.05");
  return 0;
}
