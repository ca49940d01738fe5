#include "core/combinators/privacy_filter.h"

#include <memory>
#include <utility>

#include "core/accounting/budget.h"
#include "core/combinators/fixed_loss_map.h"

namespace dp {
namespace {

[[noreturn]] void refuse_query(const std::string& sentence) {
  throw Error(ErrorKind::failed_function, sentence);
}

class PrivacyFilter final : public OdometerQueryable {
 public:
  PrivacyFilter(OdometerQueryablePtr odometer, Distance d_in, Distance d_out)
      : OdometerQueryable(odometer->input_metric()),
        odometer_(std::move(odometer)),
        d_in_(std::move(d_in)),
        d_out_(std::move(d_out)) {}

 private:
  Value answer(const Value& query) override {
    const Distance pending = open().loss_with(d_in_, query);
    if (!is_within(pending, d_out_)) {
      odometer_.reset();
      refuse_query("filter is now exhausted: pending privacy loss (" + debug(pending) +
                   ") would exceed privacy budget (" + debug(d_out_) + ")");
    }
    return open().ask(query);
  }

  Distance compute_loss(const Distance& d_in) override { return open().loss(d_in); }

  Distance compute_loss_with(const Distance& d_in, const Value& query) override {
    return open().loss_with(d_in, query);
  }

  OdometerQueryable& open() const {
    if (odometer_ == nullptr) refuse_query("filter is exhausted: no more queries can be answered");
    return *odometer_;
  }

  OdometerQueryablePtr odometer_;  // null once it is exhausted
  Distance d_in_;
  Distance d_out_;
};

}  // namespace

Measurement make_privacy_filter(const Odometer& odometer,
                                const Distance& d_in,
                                const Distance& d_out) {
  check_budget(odometer.output_measure(), d_out);
  return Measurement(
      odometer.input_domain(),
      odometer.input_metric(),
      odometer.output_measure(),
      whole_function([=](const Value& data) -> Value {
        return QueryablePtr(std::make_shared<PrivacyFilter>(odometer.invoke(data), d_in, d_out));
      }),
      promise(d_in, d_out, "input distance must not be greater than d_in"));
}

}  // namespace dp
