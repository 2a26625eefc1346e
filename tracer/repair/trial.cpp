#include "tracer/repair/trial.h"

#include "base/error.h"
#include "tracer/runtime/kernel_fault.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace twiddle {
namespace {

using Contents = std::vector<std::vector<std::byte>>;

bool is_input(const Plan& plan, const Buffer& buffer) {
  const Expect& expect = plan.expect;
  if (buffer.name == expect.operand && expect.transform != Expect::Transform::Equals) return false;
  return buffer.name == expect.input || buffer.name == expect.from.imaginary ||
         (buffer.content.kind == Content::Kind::Signal);
}

std::vector<std::byte> drawn_again(const std::vector<std::byte>& content, std::size_t element, std::uint64_t seed) {
  std::vector<std::byte> out(content.size());
  std::mt19937_64 generator(seed);
  const std::size_t count = content.size() / element;
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(out.data() + i * element, content.data() + generator() % count * element, element);
  return out;
}

// Whether it has numbers that noise from −1 to 1 has not: digits to count, say, of which a kernel makes indices.
bool beyond_noise(const Buffer& buffer, const std::vector<std::byte>& content) {
  const ElementTraits& type = traits(buffer.type);
  const auto any = [&](auto number) {
    for (std::size_t at = 0; at + sizeof number <= content.size(); at += sizeof number) {
      std::memcpy(&number, content.data() + at, sizeof number);
      if (number > 1 || number < -1) return true;
    }
    return false;
  };
  if (type.wide) return any(double());
  return component_bytes_of(buffer.type) == sizeof(float) && any(float());
}

// The first input that begins with the same and that no launch takes beside this one: a copy, of which a slow kernel makes what is
// compared with.
std::size_t original_of(const Plan& plan, const Contents& contents, std::size_t buffer) {
  const auto both = [&](const Launch& launch, std::size_t other) {
    bool one = false, two = false;
    for (const Argument& argument : launch.arguments)
      for (const std::size_t taken : buffers_of(argument)) {
        one = one || taken == buffer;
        two = two || taken == other;
      }
    return one && two;
  };
  for (std::size_t other = 0; other < buffer; ++other)
    if (plan.buffers[other].type == plan.buffers[buffer].type && is_input(plan, plan.buffers[other]) &&
        contents[other] == contents[buffer] &&
        std::none_of(plan.launches.begin(), plan.launches.end(), [&](const Launch& one) { return both(one, other); }))
      return other;
  return buffer;
}

}  // namespace

std::vector<Contents> trial_contents(const Plan& plan, std::size_t trials) {
  std::vector<Contents> all(1);
  for (const Buffer& buffer : plan.buffers) all[0].push_back(first_content(plan, buffer));
  // Without an input only the plan's own outcome is known.
  if (plan.expect.transform == Expect::Transform::Values) return all;
  for (std::size_t trial = 1; trial < trials; ++trial) {
    Contents contents = all[0];
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
      Buffer buffer = plan.buffers[b];
      if (!is_input(plan, buffer) || buffer.count == 0) continue;
      if (const std::size_t original = original_of(plan, all[0], b); original != b) {
        contents[b] = contents[original];
        continue;
      }
      const std::uint64_t seed = 1000 * trial + b + 1;
      if (traits(buffer.type).floating && !beyond_noise(buffer, all[0][b])) {
        buffer.content = {Content::Kind::Signal};
        buffer.content.signal = "random:" + std::to_string(seed);
        contents[b] = first_content(plan, buffer);
      } else {
        contents[b] = drawn_again(all[0][b], traits(buffer.type).bytes, seed);
      }
    }
    all.push_back(std::move(contents));
  }
  return all;
}

std::vector<Contents> sparse_contents(const Plan& plan, const std::vector<Contents>& trials) {
  std::vector<Contents> all;
  if (trials.size() < 2) return all;
  // One element alone at the start, within and at the end, and two neighbours.
  struct Kept {
    std::uint64_t parts, of, count;
  };
  for (const Kept kept : {Kept{0, 1, 1}, Kept{1, 1, 1}, Kept{2, 5, 1}, Kept{3, 5, 2}}) {
    Contents contents = trials[0];
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
      const Buffer& buffer = plan.buffers[b];
      if (!is_input(plan, buffer) || buffer.count == 0) continue;
      const std::size_t bytes = traits(buffer.type).bytes;
      const std::uint64_t first = std::min(buffer.count * kept.parts / kept.of, buffer.count - 1);
      std::fill(contents[b].begin(), contents[b].end(), std::byte(0));
      for (std::uint64_t i = first; i < std::min(first + kept.count, buffer.count); ++i)
        std::memcpy(contents[b].data() + i * bytes, trials[1][b].data() + i * bytes, bytes);
    }
    all.push_back(std::move(contents));
  }
  return all;
}

namespace {

// A value above all others of the content, in the place of element i; false where there is none above.
template <typename T>
bool put_largest(std::vector<std::byte>& content, std::uint64_t i) {
  T largest{}, one{};
  for (std::size_t at = 0; at + sizeof one <= content.size(); at += sizeof one) {
    std::memcpy(&one, content.data() + at, sizeof one);
    if (at == 0 || one > largest) largest = one;
  }
  if (!(largest < std::numeric_limits<T>::max() / 4)) return false;
  largest = static_cast<T>(largest + 1);
  std::memcpy(content.data() + i * sizeof one, &largest, sizeof largest);
  return true;
}

}  // namespace

std::vector<Contents> spread_contents(const Plan& plan, const std::vector<Contents>& trials, std::size_t most,
                                      std::size_t max_bytes) {
  std::vector<Contents> all;
  using Transform = Expect::Transform;
  if (trials.size() < 2 || (plan.expect.transform != Transform::Max && plan.expect.transform != Transform::ArgMax))
    return all;
  std::size_t bytes = 0;
  for (const std::vector<std::byte>& content : trials[1]) bytes += content.size();
  most = std::min(most, max_bytes / std::max<std::size_t>(bytes, 1));
  for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
    const Buffer& buffer = plan.buffers[b];
    if (buffer.name != plan.expect.input || buffer.count == 0) continue;
    const std::uint64_t count = std::min<std::uint64_t>(buffer.count, most);
    for (std::uint64_t k = 0; k < count; ++k) {
      Contents contents = trials[1];
      const std::uint64_t i = count == 1 ? 0 : k * (buffer.count - 1) / (count - 1);
      const bool put = buffer.type == ElementType::Float    ? put_largest<float>(contents[b], i)
                       : buffer.type == ElementType::Double ? put_largest<double>(contents[b], i)
                       : buffer.type == ElementType::Int    ? put_largest<std::int32_t>(contents[b], i)
                       : buffer.type == ElementType::UInt   ? put_largest<std::uint32_t>(contents[b], i)
                                                            : false;
      if (put) all.push_back(std::move(contents));
    }
  }
  return all;
}

std::optional<std::size_t> computed_reference(const Plan& plan) {
  if (plan.expect.transform != Expect::Transform::Equals) return std::nullopt;
  for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
    const Content::Kind kind = plan.buffers[b].content.kind;
    if (plan.buffers[b].name == plan.expect.operand && kind != Content::Kind::Signal && kind != Content::Kind::File)
      return b;
  }
  return std::nullopt;
}

namespace {

// Whether what a plan computed to compare with is still that: bit for bit, or, where compilers may round floating values in
// another order, as near as the outcome itself has to be.
bool is_still(const Plan& plan, std::size_t buffer, const std::vector<std::byte>& now,
              const std::vector<std::byte>& then) {
  if (now == then) return true;
  const ElementTraits& type = traits(plan.buffers[buffer].type);
  if (!type.floating || now.size() != then.size()) return false;
  const std::size_t bytes = traits(type.scalar).bytes;
  double apart = 0, size = 0;
  for (std::size_t at = 0; at + bytes <= now.size(); at += bytes) {
    if (std::memcmp(now.data() + at, then.data() + at, bytes) == 0) continue;
    apart += std::norm(component(type.scalar, now.data() + at, 0) - component(type.scalar, then.data() + at, 0));
  }
  for (std::size_t at = 0; at + bytes <= then.size(); at += bytes)
    size += std::norm(component(type.scalar, then.data() + at, 0));
  return std::sqrt(apart) <= std::max(1e-4, 10 * plan.expect.bound) * std::sqrt(size);
}

}  // namespace

Trial::Trial(const Plan& plan, Runtime& runtime, const std::vector<Contents>& contents,
             const std::vector<std::vector<std::byte>>& reference, std::size_t judged)
    : plan_(plan),
      runtime_(runtime),
      contents_(contents),
      reference_(reference),
      run_(plan, runtime),
      shape_(shape_of_expectation(plan)),
      wanted_(contents.size()),
      judged_(std::min(judged, contents.size())) {}

const Trial::Wanted& Trial::wanted(std::size_t content) {
  std::optional<Wanted>& known = wanted_[content];
  if (known) return *known;
  known.emplace();
  using Transform = Expect::Transform;
  if (!traits(plan_.buffers[shape_.to.buffer].type).floating || shape_.from.buffer == PointMap::none ||
      plan_.expect.transform == Transform::Equals || plan_.expect.transform == Transform::Ntt)
    return *known;
  const auto bytes = [&](std::size_t b) {
    return b == PointMap::none ? std::span<const std::byte>() : std::span<const std::byte>(contents_[content][b]);
  };
  const auto operand = operand_of(plan_, shape_, bytes(shape_.operand));
  const auto x = points_of(plan_, shape_.from, shape_.batch, bytes(shape_.from.buffer), bytes(shape_.from.imaginary));
  known->values = reference(plan_.expect, shape_, x, operand);
  const bool real = shape_.to.grain == 1 && shape_.to.imaginary == PointMap::none;
  for (std::complex<double>& value : known->values) {
    if (real) value = value.real();
    known->size += std::norm(value);
  }
  known->size = std::sqrt(known->size);
  return *known;
}

// Local memory that the launch brings, with room behind it: a driver keeps it in this process, and changed kernels reach over
// its end. Elements beyond it have no owner.
Launch Trial::with_room(const Launch& launch) const {
  Launch roomy = launch;
  std::size_t all = 0;
  for (Argument& argument : roomy.arguments)
    if (auto* local = std::get_if<LocalArgument>(&argument)) all += local->bytes = 4 * local->bytes + 4096;
  return all > runtime_.device().local_bytes / 2 ? launch : roomy;
}

void Trial::build(const std::vector<Launch>& launches) {
  for (const Launch& launch : launches) run_.call(launch);
}

// Whether the launches ended and stayed within their buffers.
bool Trial::run(const std::vector<Launch>& launches, std::size_t content) {
  ++runs_;
  if (!states_) states_ = run_.program_states();
  for (std::size_t b = 0; b < plan_.buffers.size(); ++b) runtime_.upload(run_.handle(b), 0, contents_[content][b]);
  run_.set_program_states(*states_);
  try {
    int number = 0;
    for (const Launch& launch : launches) {
      run_.check_arguments(launch, ++number);
      run_.run(with_room(launch));
      if (!runtime_.overruns().empty()) return false;
    }
  } catch (const Error& error) {
    // A thread that waits in a kernel forever: nothing runs after it.
    if (launch_left_running()) throw DeviceLost();
    if (error.message().english().find("does not compile") != std::string::npos) throw;
    return false;
  }
  return true;
}

std::vector<std::vector<std::byte>> Trial::left(const std::vector<Launch>& launches, std::size_t content) {
  std::vector<std::vector<std::byte>> last;
  if (run(launches, content))
    for (std::size_t b = 0; b < plan_.buffers.size(); ++b) last.push_back(run_.download(b));
  return last;
}

std::vector<std::complex<double>> Trial::points_left(
    const std::function<const std::vector<std::byte>&(std::size_t)>& after) const {
  const auto imaginary = shape_.to.imaginary == PointMap::none ? std::span<const std::byte>()
                                                               : std::span<const std::byte>(after(shape_.to.imaginary));
  return points_of(plan_, shape_.to, shape_.batch, after(shape_.to.buffer), imaginary);
}

std::vector<std::complex<double>> Trial::apart(const std::vector<Launch>& launches) {
  std::vector<std::complex<double>> all;
  for (std::size_t k = 0; k < judged_; ++k) {
    const std::vector<std::complex<double>>& expected = wanted(k).values;
    if (expected.empty()) return {};
    const std::vector<std::vector<std::byte>> last = left(launches, k);
    if (last.empty()) return {};
    const auto got = points_left([&](std::size_t b) -> const std::vector<std::byte>& { return last[b]; });
    for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i) all.push_back(got[i] - expected[i]);
  }
  return all;
}

bool Trial::right(const std::vector<Launch>& launches) {
  for (std::size_t k = judged_; k-- > 0;)
    if (!right(launches, k)) return false;
  return true;
}

bool Trial::right(const std::vector<Launch>& launches, std::size_t content) {
  wrong_share_ = 1;
  if (!run(launches, content)) return false;
  std::vector<std::vector<std::byte>> last(plan_.buffers.size());
  const auto after = [&](std::size_t b) -> const std::vector<std::byte>& {
    if (last[b].empty()) last[b] = run_.download(b);
    return last[b];
  };
  if (const auto held = computed_reference(plan_); held && content < reference_.size())
    if (reference_[content].size() == contents_[content][*held].size() &&
        !is_still(plan_, *held, after(*held), reference_[content]))
      return false;
  // Most are wrong by far: that is quickly seen.
  const Wanted& expected = wanted(content);
  if (!expected.values.empty()) {
    const auto got = points_left(after);
    double apart = 0;
    // As large as the values are on average, for one that should be nought has no size of its own.
    const double mean = expected.size / std::sqrt(static_cast<double>(expected.values.size()));
    const double near = std::max(1e-3, 100 * plan_.expect.bound) * mean;
    std::size_t wrong = 0;
    const double room = std::max(1e-2, 100 * plan_.expect.bound) * expected.size +
                        1e-3 * std::sqrt(static_cast<double>(expected.values.size()));
    for (std::size_t k = 0; k < got.size() && k < expected.values.size(); ++k) {
      const double square = std::norm(got[k] - expected.values[k]);
      apart += square;
      wrong += !(square <= near * near);
    }
    wrong_share_ = static_cast<double>(wrong) / static_cast<double>(expected.values.size());
    if (!(std::sqrt(apart) <= room)) return false;
  }
  const RunContents both{[&](std::size_t b) { return contents_[content][b]; }, [&](std::size_t b) { return after(b); }};
  if (!expected.values.empty()) {
    const bool pass = verify(plan_, both).pass;
    if (!pass && wrong_share_ == 0) wrong_share_ = 1;  // all of it a little
    return pass;
  }
  // Compilers may round a changed program in another order than the one that it is compared with; a check of the repaired one says
  // the last word.
  if (plan_.expect.transform == Expect::Transform::Equals && traits(plan_.buffers[shape_.to.buffer].type).floating)
    for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
      if (plan_.buffers[b].name == plan_.expect.operand &&
          is_still(plan_, shape_.to.buffer, after(shape_.to.buffer), after(b)))
        return true;
  const Outcome outcome = compare(plan_, both);
  if (outcome.elements > 0) wrong_share_ = static_cast<double>(outcome.wrong) / static_cast<double>(outcome.elements);
  return outcome.pass;
}

std::vector<std::size_t> Trial::outputs() const {
  std::vector<std::size_t> all{shape_.to.buffer};
  if (shape_.to.imaginary != PointMap::none) all.push_back(shape_.to.imaginary);
  return all;
}

const std::vector<Trial::Before>& Trial::before_of(const std::vector<Launch>& before) {
  if (before_) return *before_;
  before_.emplace();
  for (std::size_t k = judged_ - 1; k < contents_.size(); ++k) {
    const std::vector<std::vector<std::byte>> last = left(before, k);
    if (last.empty()) {
      before_->clear();
      break;
    }
    Before one;
    for (const std::size_t b : outputs()) {
      one.left.push_back(last[b]);
      one.wrong.emplace_back(plan_.buffers[b].count);
    }
    const RunContents both{[&](std::size_t b) { return contents_[k][b]; }, [&](std::size_t b) { return last[b]; }};
    for (const PlanElement& element : wrong_elements(plan_, both))
      for (std::size_t o = 0; o < one.wrong.size(); ++o)
        if (outputs()[o] == element.buffer && element.element < one.wrong[o].size() && !one.wrong[o][element.element]) {
          one.wrong[o][element.element] = true;
          ++one.wrong_count;
        }
    before_->push_back(std::move(one));
  }
  return *before_;
}

std::optional<double> Trial::alike(const std::vector<Launch>& before, const std::vector<Launch>& now) {
  const std::vector<Before>& all = before_of(before);
  const std::vector<std::size_t> buffers = outputs();
  std::size_t wrong = 0, changed = 0, both = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!run(now, judged_ - 1 + k)) return std::nullopt;
    wrong += all[k].wrong_count;
    for (std::size_t o = 0; o < buffers.size(); ++o) {
      const std::vector<std::byte> is = run_.download(buffers[o]);
      const std::size_t bytes = traits(plan_.buffers[buffers[o]].type).bytes;
      for (std::size_t i = 0; i < all[k].wrong[o].size(); ++i) {
        if (std::memcmp(is.data() + i * bytes, all[k].left[o].data() + i * bytes, bytes) == 0) continue;
        ++changed;
        both += all[k].wrong[o][i];
      }
    }
  }
  if (wrong == 0) return std::nullopt;
  if (both == 0) return 0;
  return static_cast<double>(both) / std::sqrt(static_cast<double>(changed) * static_cast<double>(wrong));
}

}  // namespace twiddle
