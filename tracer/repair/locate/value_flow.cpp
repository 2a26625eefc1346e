#include "tracer/repair/locate/value_flow.h"

#include "tracer/run/plan_run.h"
#include "tracer/run/trace_setup.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <tuple>
#include <unordered_map>

namespace twiddle {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t probes = 40;
constexpr std::size_t max_records = 120000;  // of one run
constexpr std::size_t max_reads = probes - 6;

// All runs of one launch: the first one's log, and the values of each.
struct LoggedLaunch {
  AccessLog log;
  std::vector<std::vector<std::uint64_t>> values;
  std::uint64_t group_size = 1;
  std::vector<ElementType> types;  // of the trace's buffers
};

std::optional<std::vector<LoggedLaunch>> logged_runs(const Plan& plan, Runtime& runtime,
                                                     const std::vector<std::size_t>& inputs) {
  PlanRun run(plan, runtime);
  TraceOptions options;
  options.accesses = Accesses::All;
  const TraceSetup setup = set_up_trace(run, options);
  std::vector<std::vector<std::byte>> first;
  for (const Buffer& buffer : plan.buffers) first.push_back(first_content(plan, buffer));
  std::vector<LoggedLaunch> all(plan.launches.size());
  for (std::size_t probe = 0; probe < probes; ++probe) {
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
      if (std::find(inputs.begin(), inputs.end(), b) == inputs.end()) {
        runtime.upload(run.handle(b), 0, first[b]);
        continue;
      }
      Buffer random = plan.buffers[b];
      random.content = {Content::Kind::Signal};
      random.content.signal = "random:" + std::to_string(7000 + 100 * probe + b);
      runtime.upload(run.handle(b), 0, first_content(plan, random));
    }
    std::size_t records = 0;
    for (std::size_t l = 0; l < plan.launches.size(); ++l) {
      if (!setup.launches[l].logged) return std::nullopt;
      RawAccesses raw = run.run_logged(plan.launches[l], {});
      if (raw.lost > 0 || !raw.unlogged.empty() || !runtime.overruns().empty()) return std::nullopt;
      const LaunchInfo& info = setup.info.launches[l];
      std::vector<int> buffers;
      for (const AccessRange& range : raw.ranges) buffers.push_back(setup.launches[l].buffer_of(range));
      LoggedLaunch& into = all[l];
      into.group_size = std::max<std::uint64_t>(info.group_size(), 1);
      if (into.types.empty())
        for (const BufferInfo& buffer : setup.info.buffers) into.types.push_back(buffer.type);
      AccessLog log = resolve(std::move(raw), into.group_size, buffers);
      records += log.size();
      for (AccessSite& site : log.sites)
        if (site.file.empty()) site.file = setup.info.sources[static_cast<std::size_t>(info.source)].name;
      if (records > max_records) return std::nullopt;
      into.values.push_back(std::move(log.value));
      if (probe == 0)
        into.log = std::move(log);
      else if (log.begin != into.log.begin || log.site != into.log.site || log.buffer != into.log.buffer ||
               log.offset != into.log.offset)
        return std::nullopt;
    }
  }
  return all;
}

// The factors with which the columns add up to the target; of columns that others add up to, 0. Empty: there are none.
std::vector<Complex> factors_of(const std::vector<const Complex*>& columns, const Complex* target, double tolerance) {
  constexpr double independent = 1e-4;
  const std::size_t n = columns.size();
  std::vector<std::vector<Complex>> basis;
  std::vector<std::size_t> of;
  std::vector<std::vector<Complex>> upper;  // each used column in the basis
  const auto product = [](const Complex* a, const Complex* b) {
    Complex sum = 0;
    for (std::size_t k = 0; k < probes; ++k) sum += std::conj(a[k]) * b[k];
    return sum;
  };
  for (std::size_t c = 0; c < n; ++c) {
    std::vector<Complex> rest(columns[c], columns[c] + probes), row;
    const double size = std::sqrt(std::real(product(rest.data(), rest.data())));
    for (const auto& one : basis) {
      row.push_back(product(one.data(), rest.data()));
      for (std::size_t k = 0; k < probes; ++k) rest[k] -= row.back() * one[k];
    }
    const double left = std::sqrt(std::real(product(rest.data(), rest.data())));
    if (!(left > independent * size)) continue;
    for (Complex& one : rest) one /= left;
    row.emplace_back(left);
    basis.push_back(std::move(rest));
    upper.push_back(std::move(row));
    of.push_back(c);
  }
  std::vector<Complex> rest(target, target + probes), in;
  const double size = std::sqrt(std::real(product(target, target)));
  for (const auto& one : basis) {
    in.push_back(product(one.data(), rest.data()));
    for (std::size_t k = 0; k < probes; ++k) rest[k] -= in.back() * one[k];
  }
  if (!(std::sqrt(std::real(product(rest.data(), rest.data()))) <= tolerance * size)) return {};
  std::vector<Complex> factors(n);
  for (std::size_t i = basis.size(); i-- > 0;) {
    const Complex factor = in[i] / upper[i][i];
    for (std::size_t j = 0; j < i; ++j) in[j] -= factor * upper[i][j];
    factors[of[i]] = std::abs(factor) < 1e-5 ? 0 : factor;
  }
  return factors;
}

class FlowMaker {
 public:
  FlowMaker(const std::vector<LoggedLaunch>& launches, const std::vector<std::size_t>& inputs, bool complex)
      : launches_(launches), inputs_(inputs) {
    flow_.complex = complex;
  }

  std::optional<ValueFlow> run() {
    for (std::size_t l = 0; l < launches_.size(); ++l)
      if (!launch(l)) return std::nullopt;
    for (const auto& [place, value] : cells_)
      if (std::get<1>(place) < 0) flow_.last[{std::get<0>(place), std::get<2>(place)}] = value;
    return std::move(flow_);
  }

 private:
  // Buffer, its owner (a group's, an item's; −1: everybody's) and byte.
  using Cell = std::tuple<std::size_t, std::int64_t, std::uint64_t>;
  struct Item {
    std::uint64_t at = 0;
    std::vector<std::uint32_t> reads;
    std::size_t fresh = 0;  // the first of those since it wrote last
    bool wrote = false;
  };

  bool launch(std::size_t l) {
    const LoggedLaunch& one = launches_[l];
    const AccessLog& log = one.log;
    site_of_.assign(log.sites.size(), -1);
    std::erase_if(cells_, [](const auto& cell) { return std::get<1>(cell.first) >= 0; });
    std::vector<Item> items(log.items());
    for (std::uint64_t i = 0; i < items.size(); ++i) items[i].at = log.begin[i];
    bool left = true;
    for (int epoch = 0; left; ++epoch) {
      left = false;
      for (std::uint64_t i = 0; i < items.size(); ++i) {
        while (items[i].at < log.begin[i + 1]) {
          const std::uint64_t k = items[i].at++;
          const AccessSite& site = log.sites[log.site[k]];
          if (site.kind == AccessKind::Barrier && site.scope != MemoryScope::SubGroup) break;
          if (touches_memory(site.kind) && !access(one, l, epoch, i, items[i], k)) return false;
        }
        left = left || items[i].at < log.begin[i + 1];
      }
    }
    return true;
  }

  bool same_in_all(const LoggedLaunch& one, std::uint64_t k) const {
    return std::all_of(one.values.begin(), one.values.end(),
                       [&](const auto& run) { return run[k] == one.values[0][k]; });
  }

  bool access(const LoggedLaunch& one, std::size_t l, int epoch, std::uint64_t i, Item& item, std::uint64_t k) {
    const AccessLog& log = one.log;
    const AccessSite& site = log.sites[log.site[k]];
    if (log.buffer[k] < 0) return false;
    const auto buffer = static_cast<std::size_t>(log.buffer[k]);
    // A whole struct is copied as bytes: what it is made of, its buffer knows.
    const ElementTraits& type = traits(buffer < one.types.size() ? one.types[buffer] : site.type);
    const std::size_t bytes = traits(type.scalar).bytes;
    if (!type.floating || bytes < 4) return same_in_all(one, k);
    const bool fixed = same_in_all(one, k);
    const std::size_t step = flow_.complex && !fixed ? 2 * bytes : bytes;
    if (!fixed) {
      if (flow_.complex && (site.chunk != step || log.offset[k] % step != 0)) return false;
      if (flow_.step != step && !flow_.values.empty() && varied_) return false;
      flow_.step = step;
      varied_ = true;
    }
    const std::int64_t owner = site.space == Space::Private ? static_cast<std::int64_t>(i)
                               : site.space == Space::Local ? static_cast<std::int64_t>(i / one.group_size)
                                                            : -1;
    for (std::size_t at = 0; at + step <= site.chunk; at += step) {
      const Cell cell{buffer, owner, log.offset[k] + at};
      std::vector<Complex> numbers(probes);
      for (std::size_t p = 0; p < probes; ++p) {
        numbers[p] = number(one.values[p][k], at, bytes, step > bytes);
        if (!std::isfinite(numbers[p].real()) || !std::isfinite(numbers[p].imag())) return false;
      }
      if (is_read(site.kind) ? !read(cell, numbers, fixed, item)
                             : !write(cell, numbers, fixed, item, log, k, l, epoch, i))
        return false;
    }
    return true;
  }

  static Complex number(std::uint64_t bits, std::size_t at, std::size_t bytes, bool complex) {
    const auto one = [&](std::size_t from) {
      if (bytes == 8) {
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
      }
      float value = 0;
      std::memcpy(&value, reinterpret_cast<const std::byte*>(&bits) + from, sizeof value);
      return static_cast<double>(value);
    };
    return complex ? Complex(one(at), one(at + bytes)) : Complex(one(at));
  }

  std::uint32_t add(ValueFlow::Value value, std::vector<Complex> numbers) {
    flow_.values.push_back(std::move(value));
    numbers_.push_back(std::move(numbers));
    return static_cast<std::uint32_t>(flow_.values.size() - 1);
  }

  bool read(const Cell& cell, std::vector<Complex>& numbers, bool fixed, Item& item) {
    const auto known = cells_.find(cell);
    if (fixed) return true;
    std::uint32_t value = 0;
    if (known != cells_.end()) {
      value = known->second;
      if (numbers_[value] != numbers) return false;  // another item's that came first, or the like
    } else {
      const auto buffer = std::get<0>(cell);
      if (std::find(inputs_.begin(), inputs_.end(), buffer) == inputs_.end() || std::get<1>(cell) >= 0) return false;
      ValueFlow::Value first;
      first.input = static_cast<std::int64_t>(flow_.inputs.size());
      flow_.inputs[{buffer, std::get<2>(cell)}] = first.input;
      value = add(std::move(first), std::move(numbers));
      cells_[cell] = value;
    }
    if (std::exchange(item.wrote, false)) item.fresh = item.reads.size();
    item.reads.push_back(value);
    return true;
  }

  bool write(const Cell& cell, std::vector<Complex>& numbers, bool fixed, Item& item, const AccessLog& log,
             std::uint64_t k, std::size_t l, int epoch, std::uint64_t i) {
    ValueFlow::Value value;
    value.launch = static_cast<int>(l) + 1;
    value.epoch = epoch;
    value.item = i;
    int& number = site_of_[log.site[k]];
    if (number < 0) {
      const auto same = std::find(flow_.sites.begin(), flow_.sites.end(), log.sites[log.site[k]]);
      number = static_cast<int>(same - flow_.sites.begin());
      if (same == flow_.sites.end()) flow_.sites.push_back(log.sites[log.site[k]]);
    }
    value.site = number;
    item.wrote = true;
    if (!fixed) {
      double tolerance = 3e-5;
      bool found = false;
      for (const std::size_t from : {item.fresh, std::size_t(0)}) {
        std::vector<std::uint32_t> reads;
        for (std::size_t r = item.reads.size(); r-- > from && reads.size() < max_reads;)
          if (std::find(reads.begin(), reads.end(), item.reads[r]) == reads.end()) reads.push_back(item.reads[r]);
        std::reverse(reads.begin(), reads.end());
        std::vector<const Complex*> columns;
        for (const std::uint32_t r : reads) columns.push_back(numbers_[r].data());
        std::vector<Complex> factors = factors_of(columns, numbers.data(), tolerance);
        if (factors.empty()) continue;
        value.reads = std::move(reads);
        value.factors = std::move(factors);
        found = true;
        break;
      }
      if (!found) return false;
    }
    // What is across other values is no value of its own.
    cells_[cell] = add(std::move(value), std::move(numbers));
    return true;
  }

  const std::vector<LoggedLaunch>& launches_;
  const std::vector<std::size_t>& inputs_;
  ValueFlow flow_;
  bool varied_ = false;
  std::vector<std::vector<Complex>> numbers_;  // of each value, by run
  std::map<Cell, std::uint32_t> cells_;
  std::vector<int> site_of_;
};

}  // namespace

std::optional<ValueFlow> value_flow_of(const Plan& plan, Runtime& runtime, const std::vector<std::size_t>& inputs) {
  const auto launches = logged_runs(plan, runtime, inputs);
  if (!launches) return std::nullopt;
  for (const bool complex : {true, false})
    if (auto flow = FlowMaker(*launches, inputs, complex).run()) return flow;
  return std::nullopt;
}

}  // namespace twiddle
