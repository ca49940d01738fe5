// Orders the groups and rows of one person for truncate(), by salted hashes.
//
// The rank of a group depends only on the salt, the person and the group. The rank of a row depends
// also on the row's values. So the rows kept for one person are a function of that person's rows
// and the salt; other people's rows have no effect (queries_v2, 3.3 and 5.1). Values break ties
// between hashes. Rows of equal rank are therefore equal, and keeping either gives the same result.
//
// Each release draws a new salt, independent of the data. The salt can be public afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/data/siphash.h"
#include "core/expressions/field.h"
#include "core/expressions/text_pool.h"
#include "core/query/sip_lanes.h"

namespace dp::query {

// `siphash` uses the salt as its key. `sha256` is the hash that an engine computes from text: the
// salt in hexadecimal digits, then e(part) for each part of the id and each key. Here e(s) is the
// number of bytes of s, a colon and s. For rows, the values follow in decimal digits, `~` if
// missing, separated by semicolons.
struct Salt {
  enum class Hash : std::uint8_t { siphash, sha256 };
  std::array<std::uint8_t, 16> bytes{};
  Hash hash = Hash::siphash;
};

// How to interpret the words of an id.
enum class IdKind : std::uint8_t { whole, real, text };

class Ranks {
 public:
  // `step` makes the ranks of different steps independent. Only tests keep fewer `bits` of a hash.
  Ranks(const Salt& salt,
        std::vector<IdKind> ids,
        const TextPool& texts,
        std::uint64_t step,
        int bits = 64);

  // Number of words in a rank; `siphash` uses only the first.
  static constexpr std::size_t kWords = 4;

  // Hashes consecutive ids of one word each, for either kind of salt.
  void id_hashes(const std::uint64_t* ids, std::size_t size, std::uint64_t* hashes) const;

  void rank_group(const std::uint64_t* id,
                  const std::vector<Field>& by,
                  const std::uint64_t* keys,
                  std::uint64_t* rank) const;
  // Whether ranking many groups at once is faster than ranking only the few that need it.
  bool are_quick() const { return salt_.hash == Salt::Hash::siphash; }
  // First words of the ranks of many groups, given as tuples of an id and keys. Requires
  // are_quick().
  std::vector<std::uint64_t> ranks_of_groups(const SipTuples& groups,
                                             const std::vector<Field>& by) const;
  void rank_row(const std::uint64_t* id,
                const std::vector<Field>& by,
                const std::uint64_t* keys,
                const std::vector<Field>& fields,
                const std::uint64_t* values,
                std::uint64_t* rank) const;

 private:
  SipHasher begun(SipHasher hasher, const std::uint64_t* id) const;
  std::vector<std::size_t> texts_in(const std::vector<Field>& by) const;
  void put_hashes(const SipHasher& hasher,
                  SipTuples tuples,
                  const std::vector<std::size_t>& texts,
                  std::uint64_t* hashes) const;
  void add(SipHasher& hasher, const std::vector<Field>& fields, const std::uint64_t* words) const;
  std::string id_text(const std::uint64_t* id) const;
  void put_digest(const std::string& text, std::uint64_t* rank) const;

  Salt salt_;
  std::vector<IdKind> ids_;
  const TextPool* texts_;
  std::uint64_t mask_;
  SipHasher of_id_, of_group_, of_row_;  // tagged with kind and step
};

// Formats a cell as engines do.
std::string text_of_word(const Field& field, std::uint64_t word, const TextPool& texts);

// Compares cells a and b by their values only: negative if a comes first, 0 if they are equal.
int compare_words(const Field& field, std::uint64_t a, std::uint64_t b, const TextPool& texts);

}  // namespace dp::query
