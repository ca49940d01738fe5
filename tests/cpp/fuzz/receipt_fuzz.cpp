// Arbitrary bytes as a receipt or a stored release. An accepted text is the only spelling of its
// content.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "core/error.h"
#include "core/ledger/amount.h"
#include "core/ledger/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto amount = dp::Amount::parse(text);
  if (amount && amount->text() != text) throw std::logic_error("an amount with two spellings");
  try {
    if (dp::to_text(dp::parse_json(text, std::size_t{1} << 20)) != text) {
      throw std::logic_error("a receipt with two spellings");
    }
  } catch (const dp::Error&) {
  }
  return 0;
}
