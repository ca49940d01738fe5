// Arbitrary bytes as a ledger file. Each line is accepted, or rejected without any change.
//
// Hashes would stop a fuzzer before the rules on content. So if the first byte is even, each line
// of canonical JSON gets its correct hashes.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/ledger/state.h"

namespace dp::test {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

// The line with the hash of the previous record and its own hash.
std::string sealed(const LedgerState& state, std::string_view line) {
  const Json given = parse_json(line, kMostLineBytes);
  const auto* members = given.as<Json::Object>();
  if (members == nullptr) return std::string(line);
  Json record;
  for (const JsonMember& member : *members) {
    if (member.key != "hash" && member.key != "prev") record.set(member.key, member.value);
  }
  record.set("prev", state.size() == 0 ? std::string(64, '0') : hexadecimal(state.head().hash));
  record.set("hash", chain_hash(std::nullopt, to_text(record)));
  return to_text(record);
}

void take(LedgerState& state, std::string_view given, bool seals) {
  const std::uint64_t size = state.size();
  const TotalLoss spent = state.spent();
  const TotalLoss total = state.total();
  try {
    const std::string line = seals ? sealed(state, given) : std::string(given);
    state.apply(line);
    require(to_text(LedgerRecord::parse(line).json()) == line, "a second spelling");
    require(state.size() == size + 1, "a record that does not count");
    require(state.spent().is_within(state.total()), "more spent than there was");
    require(total.is_within(state.total()) || size == 0, "a total that fell");
  } catch (const Error&) {
    require(state.size() == size && state.spent() == spent && state.total() == total,
            "a refused record changed the ledger");
  }
}

}  // namespace
}  // namespace dp::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  std::string_view rest(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  dp::LedgerState state(std::nullopt);
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    dp::test::take(state, rest.substr(0, end), bytes[0] % 2 == 0);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return 0;
}
