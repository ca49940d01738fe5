// The unit of privacy that a ledger protects, and its form in records.
#pragma once

#include <string>

#include "core/ledger/json.h"
#include "core/metrics/privacy_unit.h"
#include "core/one_of.h"

namespace dp {

// Ledgers of the first format have the curator's words instead of a unit. The person who charges
// them vouches for the protection.
using LedgerUnit = OneOf<std::string, PrivacyUnit>;

// Words as text; a unit as {"columns":["id"],"count":1,"relation":"add_remove","what":"people"}.
Json json_of(const LedgerUnit& unit);

// The format of a ledger with such a unit.
const char* format_of(const LedgerUnit& unit);

// Throws ErrorKind::ledger unless json_of() can write it.
LedgerUnit parse_unit(const Json& json);

}  // namespace dp
