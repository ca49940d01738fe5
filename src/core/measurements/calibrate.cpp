#include "core/measurements/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"

namespace dp {
namespace {

std::vector<double> parts_of(const Distance& loss) {
  const auto* tuple = loss.as<Distance::Tuple>();
  if (tuple == nullptr) return {number_in<double>(loss)};
  std::vector<double> parts;
  for (const Distance& part : *tuple) parts.push_back(number_in<double>(part));
  return parts;
}

std::vector<double> allowed_parts(const Distance& loss, const std::string& name) {
  std::vector<double> parts = parts_of(loss);
  for (const double part : parts) {
    if (!std::isfinite(part) || part < 0) {
      throw Error(ErrorKind::invalid_distance,
                  "`" + name + "` cannot be found for a loss of " + debug(loss) +
                      ": it must be finite and not negative.");
    }
  }
  return parts;
}

// Whether an error rejects this value, not an argument that is always invalid.
bool is_refusal(ErrorKind kind) {
  return kind == ErrorKind::failed_map || kind == ErrorKind::overflow ||
         kind == ErrorKind::make_measurement || kind == ErrorKind::make_transformation;
}

class Judge {
 public:
  Judge(const FreeArgument& free,
        const std::function<Measurement(double)>& make,
        const Distance& d_in,
        const Distance& loss)
      : free_(free),
        make_(make),
        d_in_(d_in),
        loss_(loss),
        allowed_(allowed_parts(loss, free.name)) {}

  Taken operator()(double value) {
    try {
      Measurement made = make_(value);
      const Taken taken = of(made.map(d_in_));
      any_judged_ = true;
      if (taken.within) best_ = std::move(made);
      return taken;
    } catch (const Error& error) {
      if (!is_refusal(error.kind())) throw;
      if (!refusal_) refusal_ = error;
      return {false, std::numeric_limits<double>::quiet_NaN()};
    }
  }

  // The last value that was within the loss, which is the least one.
  Measurement best() { return *std::move(best_); }

  [[noreturn]] void fail() const {
    if (!any_judged_ && refusal_) throw *refusal_;
    throw Error(ErrorKind::search,
                "no finite `" + free_.name + "` has a loss of " + debug(loss_) + " or less.");
  }

 private:
  Taken of(const Distance& loss) const {
    const std::vector<double> lost = parts_of(loss);
    if (lost.size() != allowed_.size()) {
      throw Error(ErrorKind::invalid_distance,
                  "a loss of this measurement is " + debug(loss) + ", not of the form of " +
                      debug(loss_) + ".");
    }
    Taken taken{true, 0};
    for (std::size_t i = 0; i < lost.size(); ++i) {
      if (lost[i] == 0) continue;
      taken.within = taken.within && lost[i] <= allowed_[i];
      taken.share = std::max(taken.share, lost[i] / allowed_[i]);
    }
    return taken;
  }

  const FreeArgument& free_;
  const std::function<Measurement(double)>& make_;
  const Distance& d_in_;
  const Distance& loss_;
  std::vector<double> allowed_;
  bool any_judged_ = false;  // and not refused
  std::optional<Measurement> best_;
  std::optional<Error> refusal_;
};

}  // namespace

Calibrated calibrate(const FreeArgument& free,
                     const std::function<Measurement(double)>& make,
                     const Distance& d_in,
                     const Distance& loss) {
  Judge judge(free, make, d_in, loss);
  const std::optional<double> value =
      least_value(free.values, [&](double each) { return judge(each); });
  if (!value) judge.fail();
  return {*value, judge.best()};
}

}  // namespace dp
