#include "core/query/ranks.h"

#include <utility>

#include "core/expressions/calendar.h"
#include "core/expressions/row_batch.h"
#include "core/numeric/text.h"
#include "core/plan/sha256.h"

namespace dp::query {
namespace {

// Tags that keep the hashed words of different kinds distinct.
constexpr std::uint64_t kIdTag = 0;
constexpr std::uint64_t kGroupTag = 1;
constexpr std::uint64_t kRowTag = 2;

// e(s): marks where a part ends.
void append_part(std::string& to, std::string_view part) {
  to += std::to_string(part.size());
  to += ':';
  to.append(part);
}

std::string padded(std::int64_t number, std::size_t width) {
  std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

std::string iso_date(std::int64_t days) {
  const CivilDate date = civil_date(days);
  return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2);
}

bool is_none_word(const Field& field, std::uint64_t word) {
  return in_reals(field) ? !(real_in_word(word) == real_in_word(word))
                         : whole_in_word(word) == kNone;
}

template <class T>
int compared(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

}  // namespace

std::string text_of_word(const Field& field, std::uint64_t word, const TextPool& texts) {
  const std::int64_t whole = whole_in_word(word);
  switch (field.type) {
    case FieldType::real:
      return format_number(real_in_word(word));
    case FieldType::logical:
      return whole != 0 ? "true" : "false";
    case FieldType::date:
      return iso_date(whole);
    case FieldType::levels:
      return field.levels[static_cast<std::size_t>(whole)];
    case FieldType::text:
      return std::string(texts.text(whole));
    default:
      return std::to_string(whole);
  }
}

int compare_words(const Field& field, std::uint64_t a, std::uint64_t b, const TextPool& texts) {
  if (a == b) return 0;
  const bool a_none = is_none_word(field, a);
  const bool b_none = is_none_word(field, b);
  if (a_none || b_none) return a_none ? 1 : -1;
  if (in_reals(field)) return compared(real_in_word(a), real_in_word(b));
  if (field.type == FieldType::text)
    return compared(texts.text(whole_in_word(a)), texts.text(whole_in_word(b)));
  return compared(whole_in_word(a), whole_in_word(b));
}

Ranks::Ranks(
    const Salt& salt, std::vector<IdKind> ids, const TextPool& texts, std::uint64_t step, int bits)
    : salt_(salt),
      ids_(std::move(ids)),
      texts_(&texts),
      mask_(bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1),
      of_id_(sip_key(salt.bytes)),
      of_group_(of_id_),
      of_row_(of_id_) {
  of_id_.add(kIdTag << 32 | step);
  of_group_.add(kGroupTag << 32 | step);
  of_row_.add(kRowTag << 32 | step);
}

// The text's own hash, under the same key, is hashed: it depends on the text, not on its pool
// number.
inline SipHasher Ranks::begun(SipHasher hasher, const std::uint64_t* id) const {
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    hasher.add(ids_[i] == IdKind::text ? texts_->hash(whole_in_word(id[i])) : id[i]);
  }
  return hasher;
}

inline void Ranks::add(SipHasher& hasher,
                       const std::vector<Field>& fields,
                       const std::uint64_t* words) const {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool text = fields[i].type == FieldType::text && whole_in_word(words[i]) != kNone;
    hasher.add(text ? texts_->hash(whole_in_word(words[i])) : words[i]);
  }
}

// Hashes tuples that hold texts at these positions.
void Ranks::put_hashes(const SipHasher& hasher,
                       SipTuples tuples,
                       const std::vector<std::size_t>& texts,
                       std::uint64_t* hashes) const {
  std::vector<std::uint64_t> words;
  if (!texts.empty()) {
    for (std::size_t i = 0; i < tuples.size; ++i) {
      const std::uint64_t* tuple = tuples.first + i * tuples.stride;
      words.insert(words.end(), tuple, tuple + tuples.width);
      for (const std::size_t at : texts) {
        words[i * tuples.width + at] = texts_->hash(whole_in_word(tuple[at]));
      }
    }
    tuples.first = words.data();
    tuples.stride = tuples.width;
  }
  sip_lanes().hash(hasher, tuples, hashes);
  if (mask_ == ~std::uint64_t{0}) return;
  for (std::size_t i = 0; i < tuples.size; ++i) hashes[i] &= mask_;
}

void Ranks::id_hashes(const std::uint64_t* ids, std::size_t size, std::uint64_t* hashes) const {
  put_hashes(of_id_, {ids, ids_.size(), ids_.size(), size}, texts_in({}), hashes);
}

std::vector<std::uint64_t> Ranks::ranks_of_groups(const SipTuples& groups,
                                                  const std::vector<Field>& by) const {
  std::vector<std::uint64_t> ranks(groups.size);
  put_hashes(of_group_, groups, texts_in(by), ranks.data());
  return ranks;
}

// Positions of the words, in an id and keys, that are pool numbers of texts.
std::vector<std::size_t> Ranks::texts_in(const std::vector<Field>& by) const {
  std::vector<std::size_t> texts;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (ids_[i] == IdKind::text) texts.push_back(i);
  }
  for (std::size_t i = 0; i < by.size(); ++i) {
    if (by[i].type == FieldType::text) texts.push_back(ids_.size() + i);
  }
  return texts;
}

std::string Ranks::id_text(const std::uint64_t* id) const {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : salt_.bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (ids_[i] == IdKind::text) {
      append_part(text, texts_->text(whole_in_word(id[i])));
    } else {
      append_part(text,
                  ids_[i] == IdKind::real ? format_number(real_in_word(id[i]))
                                          : std::to_string(whole_in_word(id[i])));
    }
  }
  return text;
}

void Ranks::put_digest(const std::string& text, std::uint64_t* rank) const {
  const Digest digest = sha256(text);
  for (std::size_t w = 0; w < 4; ++w) {
    rank[w] = 0;
    for (std::size_t i = 0; i < 8; ++i) rank[w] = rank[w] << 8 | digest[8 * w + i];
  }
}

void Ranks::rank_group(const std::uint64_t* id,
                       const std::vector<Field>& by,
                       const std::uint64_t* keys,
                       std::uint64_t* rank) const {
  if (salt_.hash == Salt::Hash::siphash) {
    SipHasher hasher = begun(of_group_, id);
    add(hasher, by, keys);
    *rank = hasher.hash() & mask_;
    return;
  }
  std::string text = id_text(id);
  for (std::size_t i = 0; i < by.size(); ++i) {
    append_part(text, text_of_word(by[i], keys[i], *texts_));
  }
  put_digest(text, rank);
}

void Ranks::rank_row(const std::uint64_t* id,
                     const std::vector<Field>& by,
                     const std::uint64_t* keys,
                     const std::vector<Field>& fields,
                     const std::uint64_t* values,
                     std::uint64_t* rank) const {
  if (salt_.hash == Salt::Hash::siphash) {
    SipHasher hasher = begun(of_row_, id);
    add(hasher, by, keys);
    add(hasher, fields, values);
    *rank = hasher.hash() & mask_;
    return;
  }
  std::string text = id_text(id);
  for (std::size_t i = 0; i < by.size(); ++i) {
    append_part(text, text_of_word(by[i], keys[i], *texts_));
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) text += ';';
    const bool none = is_none_word(fields[i], values[i]);
    text += none ? "~" : text_of_word(fields[i], values[i], *texts_);
  }
  put_digest(text, rank);
}

}  // namespace dp::query
