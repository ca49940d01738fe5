// Binds sessions: the joint privacy loss of releases, and their private tables.
#include <memory>

#include "boundary.h"
#include "core/accounting/account.h"
#include "r_ledger.h"
#include "r_scalars.h"

namespace dp::r {

// A private R object. Its handle is empty when R saves, copies or prints it.
struct Hidden {
  std::shared_ptr<void> object;
};

template <>
inline const char* handle_tag<Hidden>() {
  return "dp_hidden";
}

}  // namespace dp::r

using namespace dp;     // NOLINT: bindings speak the core's language
using namespace dp::r;  // NOLINT

namespace {

// Returns list(inner_text, delta_text, inner, delta, spent): exact decimals of one charge, the same
// as doubles rounded up, and the sum of all charges.
Rcpp::List charged_to_r(const AdditiveLoss& before, const AdditiveLoss& after) {
  const Amount inner = Amount::at_least(after.loss - before.loss);
  const Amount delta = Amount::at_least(after.delta - before.delta);
  return Rcpp::List::create(Rcpp::_["inner_text"] = inner.text(),
                            Rcpp::_["delta_text"] = delta.text(),
                            Rcpp::_["inner"] = inner.up(),
                            Rcpp::_["delta"] = delta.up(),
                            Rcpp::_["spent"] = to_double_up(after.loss));
}

}  // namespace

// [[Rcpp::export(rng = false)]]
SEXP core_new_account(double loss, double delta) {
  return guarded([&] { return to_handle(std::make_shared<Account>(loss, delta)); });
}

// Charges an account. Returns the charge as charged_to_r(); NULL if there was no room. `loss` is as
// in loss_from_r(), in the measure of that name.
// [[Rcpp::export(rng = false)]]
SEXP core_account_charge(SEXP account, std::string measure, SEXP loss) {
  return guarded([&]() -> SEXP {
    const LedgerMeasure kind(parse_measure(measure));
    const TotalLoss cost = loss_from_r(kind, loss);
    auto& it = from_handle<Account>(account);
    const AdditiveLoss before = it.spent();
    if (!it.charge({cost.inner.exact(), cost.delta.exact()})) return R_NilValue;
    return charged_to_r(before, it.spent());
  });
}

// Computes the cost of a charge in the measure of that name: list(loss, fits), exact decimals in
// text, and whether there is room now.
// [[Rcpp::export(rng = false)]]
SEXP core_price(SEXP account, std::string measure, SEXP loss) {
  return guarded([&] {
    const LedgerMeasure kind(parse_measure(measure));
    const TotalLoss cost = loss_from_r(kind, loss);
    const AdditiveLoss left = from_handle<Account>(account).left();
    const bool fits = cost.inner.exact() <= left.loss && cost.delta.exact() <= left.delta;
    return Rcpp::List::create(Rcpp::_["loss"] = loss_text(kind, cost), Rcpp::_["fits"] = fits);
  });
}

// Returns the spent loss, rounded up, and the remaining loss, rounded down, each as c(loss, delta).
// [[Rcpp::export(rng = false)]]
SEXP core_account_state(SEXP account) {
  return guarded([&]() -> SEXP {
    const auto& it = from_handle<Account>(account);
    const AdditiveLoss spent = it.spent();
    const AdditiveLoss left = it.left();
    return Rcpp::List::create(Rcpp::_["spent"] = Rcpp::NumericVector::create(
                                  to_double_up(spent.loss), to_double_up(spent.delta)),
                              Rcpp::_["left"] = Rcpp::NumericVector::create(
                                  to_double_down(left.loss), to_double_down(left.delta)));
  });
}

// [[Rcpp::export(rng = false)]]
SEXP core_within_decimal(double x) {
  return guarded([&] { return Rf_ScalarReal(within_decimal(x)); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_hide(SEXP object) {
  return guarded([&] { return to_handle(Hidden{keep_alive(object)}); });
}

// [[Rcpp::export(rng = false)]]
SEXP core_hidden(SEXP handle) {
  return guarded([&] { return kept(from_handle<Hidden>(handle).object); });
}
