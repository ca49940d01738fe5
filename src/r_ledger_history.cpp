#include "r_ledger_history.h"

namespace dp::r {
namespace {

constexpr std::size_t kShownDigits = 12;  // of the id of another ledger

using Texts = std::vector<std::optional<std::string>>;

std::optional<std::string> text_in(const LedgerRecord& record, const char* field) {
  if (record.field(field) == nullptr) return std::nullopt;
  return record.text(field);
}

Rcpp::CharacterVector texts_to_r(const Texts& texts) {
  Rcpp::CharacterVector out(static_cast<R_xlen_t>(texts.size()));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto at = static_cast<R_xlen_t>(i);
    SET_STRING_ELT(out, at, texts[i] ? Rf_mkCharCE(texts[i]->c_str(), CE_UTF8) : NA_STRING);
  }
  return out;
}

std::string ledger_named(const LedgerRecord& record) {
  return "ledger " + record.text("child").substr(0, kShownDigits);
}

}  // namespace

void LedgerHistory::add(const LedgerRecord& record) {
  const std::string& kind = record.kind();
  if (kind != "raise" && record.field("loss") == nullptr) return;
  seq_.push_back(static_cast<double>(record.seq()));
  time_.push_back(record.text("time"));
  kind_.push_back(kind);
  what_.push_back(what_of(record));
  version_.push_back(text_in(record, "version"));
  plan_.push_back(text_in(record, "plan"));
  who_.push_back(text_in(record, "who"));
  promise_.push_back(text_in(record, "promise"));
  table_.push_back(text_in(record, "table"));
  add_loss(record);
}

// A ledger that was allocated spends the budget that it returns.
bool LedgerHistory::came_back(const LedgerRecord& record) const {
  return record.kind() == "return" && record.text("child") != terms_.id;
}

std::string LedgerHistory::what_of(const LedgerRecord& record) const {
  const std::string& kind = record.kind();
  if (kind == "allocate") return "allocation to " + ledger_named(record);
  if (kind == "return") {
    return came_back(record) ? "return of " + ledger_named(record) : "return to the parent ledger";
  }
  if (kind == "raise") {
    return "total raised to " +
           terms_.measure.words_down(terms_.measure.parse(record.field("total")));
  }
  if (kind == "restore") return "lost records, restored from a copy";
  return record.field("what") == nullptr ? "charge" : record.text("what");
}

void LedgerHistory::add_loss(const LedgerRecord& record) {
  const bool has_loss = record.field("loss") != nullptr;
  if (has_loss) {
    const TotalLoss loss = terms_.measure.parse(record.field("loss"));
    const bool is_negative = came_back(record);
    const std::string sign = is_negative ? "-" : "";
    inner_.push_back(is_negative ? -loss.inner.down() : loss.inner.up());
    delta_.push_back(is_negative ? -loss.delta.down() : loss.delta.up());
    inner_text_.push_back(sign + loss.inner.text());
    delta_text_.push_back(sign + loss.delta.text());
  } else {
    inner_.push_back(NA_REAL);
    delta_.push_back(NA_REAL);
    inner_text_.push_back(std::nullopt);
    delta_text_.push_back(std::nullopt);
  }
  if (record.field("spent") != nullptr) last_ = terms_.measure.parse(record.field("spent"));
  spent_.push_back(last_.inner.up());
}

Rcpp::List LedgerHistory::to_r() const {
  return Rcpp::List::create(Rcpp::_["record"] = seq_,
                            Rcpp::_["time"] = texts_to_r(time_),
                            Rcpp::_["kind"] = texts_to_r(kind_),
                            Rcpp::_["what"] = texts_to_r(what_),
                            Rcpp::_["who"] = texts_to_r(who_),
                            Rcpp::_["version"] = texts_to_r(version_),
                            Rcpp::_["inner"] = inner_,
                            Rcpp::_["delta"] = delta_,
                            Rcpp::_["spent"] = spent_,
                            Rcpp::_["plan"] = texts_to_r(plan_),
                            Rcpp::_["promise"] = texts_to_r(promise_),
                            Rcpp::_["table"] = texts_to_r(table_),
                            Rcpp::_["inner_text"] = texts_to_r(inner_text_),
                            Rcpp::_["delta_text"] = texts_to_r(delta_text_));
}

}  // namespace dp::r
