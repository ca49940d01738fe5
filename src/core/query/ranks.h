// In which order truncate() keeps the groups and rows of one person: that of salted hashes.
//
// The rank of a group hangs on the salt, the person and the group; that of a row on these and on
// the row's values. So what is kept of one person is a function of that person's rows and the salt,
// and nobody else's rows have a say (queries_v2, 3.3 and 5.1). Ties of hashes are broken by the
// values themselves, so that rows of one rank are equal, and it does not matter which of them is
// kept.
//
// The salt is drawn for each release, independent of the data; it may be public afterwards.
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

// `siphash` takes the salt as its key. `sha256` is what an engine computes of texts: of the salt in
// hexadecimal digits and e(part) for each part of the id and each key, where e(s) is the number of
// bytes of s, a colon and s; for rows also of the values in decimal digits, `~` where there is
// none, with semicolons between them.
struct Salt {
  enum class Hash : std::uint8_t { siphash, sha256 };
  std::array<std::uint8_t, 16> bytes{};
  Hash hash = Hash::siphash;
};

// How words of ids are read.
enum class IdKind : std::uint8_t { whole, real, text };

class Ranks {
 public:
  // `step` makes the ranks of several steps independent. Only tests keep fewer `bits` of a hash.
  Ranks(const Salt& salt,
        std::vector<IdKind> ids,
        const TextPool& texts,
        std::uint64_t step,
        int bits = 64);

  // Words of a rank, of which `siphash` uses the first.
  static constexpr std::size_t kWords = 4;

  // Hashes of ids that stand one after the other, of one word each whatever the salt's.
  void id_hashes(const std::uint64_t* ids, std::size_t size, std::uint64_t* hashes) const;

  void rank_group(const std::uint64_t* id,
                  const std::vector<Field>& by,
                  const std::uint64_t* keys,
                  std::uint64_t* rank) const;
  // Whether ranks of many groups at once take less time than those of the few that need one.
  bool are_quick() const { return salt_.hash == Salt::Hash::siphash; }
  // The first words of the ranks of many groups: tuples of an id and keys. Ranks are quick.
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
  SipHasher of_id_, of_group_, of_row_;  // which know what they hash, and of which step
};

// A cell in the text that engines give it.
std::string text_of_word(const Field& field, std::uint64_t word, const TextPool& texts);

// Whether cell a comes before b, in an order that hangs on the values alone; 0 if they are equal.
int compare_words(const Field& field, std::uint64_t a, std::uint64_t b, const TextPool& texts);

}  // namespace dp::query
