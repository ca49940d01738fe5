#include "core/ledger/claims.h"

#include <algorithm>

namespace dp {

const std::uint64_t* Claims::charge_of(const Digest& claim) const {
  const auto found = charges_.find(claim);
  return found == charges_.end() ? nullptr : &found->second;
}

const Claims::State* Claims::find(std::uint64_t charge) const {
  const auto found = states_.find(charge);
  return found == states_.end() ? nullptr : &found->second;
}

std::vector<std::uint64_t> Claims::pending(const Digest& key) const {
  const auto found = pending_.find(key);
  return found == pending_.end() ? std::vector<std::uint64_t>() : found->second;
}

bool Claims::can_rerun(std::uint64_t charge, std::uint64_t run) const {
  const State* state = find(charge);
  return state != nullptr && state->may_run_again() && run == state->run + 1;
}

bool Claims::can_mark(std::uint64_t charge, std::uint64_t run) const {
  const State* state = find(charge);
  return state != nullptr && state->phase == Phase::open && run == state->run;
}

bool Claims::can_release(std::uint64_t charge) const {
  const State* state = find(charge);
  return state != nullptr && state->phase == Phase::marked;
}

bool Claims::can_fail(std::uint64_t charge, std::uint64_t run) const {
  const State* state = find(charge);
  return state != nullptr && !state->has_ended() && run == state->run;
}

// Do everything that can throw first: no visible state changes before the last line.
void Claims::charge(std::uint64_t charge, const Digest& key, const Digest& claim) {
  std::vector<std::uint64_t>& pending = pending_[key];
  pending.reserve(pending.size() + 1);
  State state;
  state.key = key;
  states_[charge] = state;
  charges_[claim] = charge;
  pending.push_back(charge);
}

void Claims::release(std::uint64_t charge, const Digest& hash) {
  end(charge, Phase::released);
  states_.at(charge).release = hash;
}

void Claims::fail(std::uint64_t charge) { end(charge, Phase::failed); }

void Claims::end(std::uint64_t charge, Phase phase) {
  State& state = states_.at(charge);
  const auto pending = pending_.find(state.key);
  auto& all = pending->second;
  all.erase(std::find(all.begin(), all.end(), charge));
  if (all.empty()) pending_.erase(pending);
  state.phase = phase;
}

}  // namespace dp
