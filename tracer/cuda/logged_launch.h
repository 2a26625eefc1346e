// What the recorder logged of a plan's launch, in the terms of its source: lines of its files, and shared arrays by their names.
#pragma once

#include "tracer/access/access.h"
#include "tracer/cuda/ptx/ptx_variables.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twiddle::cuda {

/// A program as far as its log is read with it.
class LoggedProgram {
 public:
  /// `text`: what the compiler got, with its #line directives.
  LoggedProgram(std::string name, std::string_view text, std::string ptx);

  const std::string& ptx() const { return ptx_; }
  /// Whether its text has this name: what a compiler's own headers bring is none of the user's.
  bool mentions(const std::string& name) const;
  /// A kernel's shared arrays as ranges, without addresses.
  std::vector<AccessRange> shared_arrays(const std::string& kernel_symbol) const;
  /// Gives the accesses' places their lines and texts, and puts shared_arrays() with addresses and owners in place of the
  /// blocks' shared memory as a whole. Where arrays are in it is no compiler's to tell: of all ways that they could follow
  /// each other, the one that the accesses' own lines agree with most. `dynamic_bytes`: what the launch hands over;
  /// `reserved_bytes`: where shared memory begins.
  void name(RawAccesses& raw, const std::string& kernel_symbol, std::uint64_t dynamic_bytes,
            std::uint64_t reserved_bytes) const;

 private:
  void name_places(RawAccesses& raw) const;
  bool waits_or_publishes(const AccessSite& site) const;
  const std::vector<std::string>* lines_of(const std::string& file, std::string& known_as) const;

  std::string name_, ptx_;
  std::map<std::string, std::vector<std::string>> lines_;  // of each file, from 1
  SharedLines shared_lines_;
};

}  // namespace twiddle::cuda
