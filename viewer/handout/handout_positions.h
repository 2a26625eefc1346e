// What a handout says at a position of its trace, as JSON for the page's player: the operation in words and equations, its
// twiddle, its line.
#pragma once

#include "viewer/document/document.h"
#include "viewer/words/operation_text.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace twiddle {

class HandoutPositions {
 public:
  explicit HandoutPositions(Document& document) : document_(document) {}

  /// `description` is the diagram's, for screen readers.
  nlohmann::json at(std::uint64_t step, const std::string& description);
  /// [reads, writes] of an operation as "buffer:index" keys; of a local array the index counts through all groups.
  nlohmann::json accesses(std::uint64_t step);
  /// Parts of equations repeat: each is here once, and equations hold numbers.
  const nlohmann::json& parts() const { return parts_; }

 private:
  Document& document_;
  nlohmann::json parts_ = nlohmann::json::array();
  std::map<std::string, int> part_of_;
  std::map<int, std::vector<std::string>> lines_of_;  // of a source

  int part(const EquationPart& part);
  nlohmann::json equations(const std::vector<Equation>& equations);
};

}  // namespace twiddle
