#include "core/measures/concentrated_law.h"

#include <memory>
#include <utility>

#include "core/measures/cdp_delta.h"
#include "core/measures/profile_loss_law.h"
#include "core/numeric/cast.h"
#include "core/numeric/directed.h"

namespace dp {
namespace {

// The law of a profile, with its rho.
class ConcentratedLossLaw final : public LossLaw {
 public:
  ConcentratedLossLaw(Rho rho, LossLawPtr law) : rho_(rho), law_(std::move(law)) {}

  double rho() const { return rho_.value(); }
  double parameters() const { return rho(); }

  LossExtent extent() const override { return law_->extent(); }
  double most() const override { return law_->most(); }
  void add_to(LossGrid& grid) const override { law_->add_to(grid); }
  bool equals(const LossLaw& other) const override { return has_same_parameters(*this, other); }

 private:
  Rho rho_;
  LossLawPtr law_;
};

}  // namespace

LossPair concentrated_pair(Rho rho) {
  const PrivacyProfile profile([rho](double epsilon) { return cdp_delta(rho, Epsilon(epsilon)); });
  const LossLawPtr law =
      std::make_shared<ConcentratedLossLaw>(rho, profile_loss_pair(profile).forward);
  return {law, law};
}

std::vector<LossPair> with_one_rho(const std::vector<LossPair>& pairs) {
  std::vector<LossPair> kept;
  double total = 0;
  for (const LossPair& pair : pairs) {
    const auto* law = dynamic_cast<const ConcentratedLossLaw*>(pair.forward.get());
    if (law == nullptr) {
      kept.push_back(pair);
    } else {
      total = add_up(total, mul_up(law->rho(), cast_up<double>(pair.times)));
    }
  }
  if (total > 0) kept.push_back(concentrated_pair(Rho(total)));
  return kept;
}

}  // namespace dp
