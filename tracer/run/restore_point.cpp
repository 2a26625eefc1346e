#include "tracer/run/restore_point.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

namespace twiddle {

RestorePoint::RestorePoint(PlanRun& run, const Launch& launch, const TraceSink& sink)
    : run_(run), sink_(sink), states_(run.program_states()) {
  const std::vector<bool>& read_only = run.signature(launch).read_only;
  const bool local_is_parameter = run.runtime().source_extension() == ".cl";
  std::set<std::size_t> used;
  std::size_t parameter = 0;
  for (const Argument& argument : launch.arguments) {
    // What a struct's pointers are for, the kernel's parameters do not say.
    for (const std::size_t buffer : buffers_of(argument))
      if (run.plan().buffers.at(buffer).space == Space::Global &&
          (std::holds_alternative<StructArgument>(argument) || !read_only.at(parameter)))
        used.insert(buffer);
    parameter += local_is_parameter || !std::holds_alternative<LocalArgument>(argument);
  }
  buffers_.assign(used.begin(), used.end());
}

RestorePoint::~RestorePoint() {
  for (BufferHandle copy : copies_) run_.runtime().release(copy);
}

void RestorePoint::keep_copy() {
  if (!copies_.empty()) return;
  for (std::size_t buffer : buffers_) {
    copies_.push_back(run_.runtime().allocate(run_.bytes(buffer)));
    run_.runtime().copy(run_.handle(buffer), copies_.back(), run_.bytes(buffer));
  }
}

void RestorePoint::restore() {
  run_.set_program_states(states_);
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (copies_.empty())
      run_.runtime().upload(run_.handle(buffers_[i]), 0, sink_.replayed(static_cast<int>(buffers_[i])));
    else
      run_.runtime().copy(copies_[i], run_.handle(buffers_[i]), run_.bytes(buffers_[i]));
  }
}

std::uint64_t RestorePoint::digest(std::size_t buffer) {
  constexpr std::size_t piece = std::size_t(16) << 20;
  std::vector<std::byte> part(std::min(run_.bytes(buffer), piece));
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < run_.bytes(buffer); at += piece) {
    const std::span<std::byte> here = std::span(part).first(std::min(piece, run_.bytes(buffer) - at));
    run_.runtime().download(run_.handle(buffer), at, here);
    const std::string_view text(reinterpret_cast<const char*>(here.data()), here.size());
    sum = sum * 0x9E3779B97F4A7C15u + std::hash<std::string_view>{}(text);
  }
  return sum;
}

void RestorePoint::compare(bool first) {
  std::vector<std::uint64_t> now;
  for (std::size_t buffer : buffers_) now.push_back(digest(buffer));
  if (first || digests_.empty())
    digests_ = std::move(now);
  else if (now != digests_)
    differed_ = true;
}

}  // namespace twiddle
