// Sentences that were put together in English where no language is known, said again in the one that is set: an error
// thrown by a lower layer, or a sentence that a file has kept.
#pragma once

#include <string>
#include <string_view>

namespace twiddle {

/// The sentence in the language that is set. It is compared with the catalogue's texts that have places, as
/// "{} is cut short: {} × {} pixels need {} bytes, {} are there"; the one with the most words of its own says it, and what
/// fills its places is said again in turn, as an error may hold another. A sentence that no text fits stays as it is, and
/// in English every one does.
std::string retold(std::string_view sentence);

}  // namespace twiddle
