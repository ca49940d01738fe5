#include "r_ledger_history.h"

namespace dp::r {
namespace {

std::string text_or_none(const LedgerRecord& record, const char* field) {
  return record.field(field) == nullptr ? "" : record.text(field);
}

}  // namespace

void LedgerHistory::add(const LedgerRecord& record) {
  seq_.push_back(static_cast<double>(record.seq()));
  time_.push_back(record.text("time"));
  kind_.push_back(record.kind());
  version_.push_back(text_or_none(record, record.kind() == "version" ? "label" : "version"));
  plan_.push_back(text_or_none(record, "plan"));
  who_.push_back(text_or_none(record, "who"));
  add_loss(record);
}

void LedgerHistory::add_loss(const LedgerRecord& record) {
  const TotalLoss none;
  const bool has_loss = record.field("loss") != nullptr;
  const TotalLoss loss = has_loss ? measure_.parse(record.field("loss")) : none;
  inner_.push_back(has_loss ? loss.inner.up() : NA_REAL);
  delta_.push_back(has_loss ? loss.delta.up() : NA_REAL);
  if (record.field("spent") != nullptr) last_ = measure_.parse(record.field("spent"));
  spent_.push_back(last_.inner.up());
}

Rcpp::List LedgerHistory::to_r() const {
  return Rcpp::List::create(Rcpp::_["record"] = seq_,
                            Rcpp::_["time"] = time_,
                            Rcpp::_["what"] = kind_,
                            Rcpp::_["version"] = version_,
                            Rcpp::_[measure_.unit()] = inner_,
                            Rcpp::_["delta"] = delta_,
                            Rcpp::_["spent"] = spent_,
                            Rcpp::_["plan"] = plan_,
                            Rcpp::_["who"] = who_);
}

}  // namespace dp::r
