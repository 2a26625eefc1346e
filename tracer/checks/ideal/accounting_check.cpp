// The ideal of sums and histograms: every input value has to reach the output once, no more and no less. Each element keeps an
// account of how many input values its value holds, and whether it has been taken already; moving, combining and adding
// up spend accounts and open new ones. Any tree of additions is right that spends each account once.
#include "base/message.h"
#include "tracer/checks/access.h"
#include "tracer/checks/check.h"
#include "tracer/checks/element_table.h"
#include "tracer/trace/item_words.h"
#include "tracer/trace/memory/pairs.h"
#include "tracer/trace/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace twiddle {
namespace {

struct Account {
  enum class State : std::uint8_t {
    First,    // what the element held before the first launch
    Open,     // not taken yet
    Spent,    // taken
    Unknown,  // its value came from somewhere that can't be followed
  };
  std::uint64_t step = 0;    // that opened it
  std::uint32_t count = 0;   // input values in it
  std::uint32_t bin = none;  // of a histogram, where there is something in it
  State state = State::First;
  static constexpr std::uint32_t none = 0xffffffffu;
};

class AccountingCheck : public Check {
 public:
  AccountingCheck(const TraceSource& trace, int input, int output)
      : trace_(trace),
        info_(trace.info()),
        input_(input),
        output_(output),
        histogram_(info_.expect.transform == Expect::Transform::Histogram),
        bins_(histogram_ ? std::max<std::uint64_t>(buffer(output).count, 1) : 1),
        taken_(buffer(input).count),
        shared_(info_),
        accounts_(info_),
        readers_(info_.buffers.size()) {}

  void begin_launch(const LaunchInfo& launch) override {
    launch_ = &launch;
    accounts_.forget_locals();
    chain_ = {};
    loaded_ = {};
  }

  void block(const OperationBlock& block, Findings&) override { segment_ = block.segment; }

  void operation(const Operation& op, Findings& findings) override {
    if (chain_.item != op.item) chain_ = {};
    switch (op.kind) {
      case OperationKind::Move: put(op, op.writes[0], spend(op, op.reads[0], findings), findings); break;
      case OperationKind::Combine: {
        Account sum = spend(op, op.reads[0], findings);
        add(sum, spend(op, op.reads[1], findings), op, op.reads[1], findings);
        put(op, op.writes[0], sum, findings);
        break;
      }
      case OperationKind::Swap: swap(op, findings); break;
      case OperationKind::Term: term(op, findings); break;
      case OperationKind::Store: store(op, findings); break;
      case OperationKind::Load: load(op, findings); break;
      case OperationKind::Atomic: atomic(op, findings); break;
      case OperationKind::Barrier: break;
      case OperationKind::Butterfly:
      case OperationKind::Scale:
        for (const Access& write : op.writes) put(op, write, unknown(), findings);
    }
  }

  void end_launch(const LaunchInfo& launch, Findings& findings) override {
    if (info_.detail == Detail::Values)
      trace_.for_each_patch(launch.number, [&](const TraceSource::Patch& patch) {
        for (const std::uint32_t element : patch.elements)
          if (Account* account = accounts_.find(patch.buffer, 0, element)) *account = unknown();
      });
    // What a launch took of which nothing was logged (no trace lines, no accesses) is not known.
    if (launch.kept == 0 && !launch.accesses.logged) untaken_possible_ = false;
    if (!info_.complete) return;
    for (std::size_t b = 0; b < info_.buffers.size(); ++b)
      if (is_local(info_.buffers[b])) report_lost(static_cast<int>(b), findings);
  }

  void end(Findings& findings) override {
    if (!info_.complete) return;
    if (untaken_possible_) report_untaken(findings);
    if (findings.any_errors()) return;
    for (std::size_t b = 0; b < info_.buffers.size(); ++b) {
      const int number = static_cast<int>(b);
      if (!is_local(info_.buffers[b]) && !info_.buffers[b].is_pair() && number != output_ && number != input_)
        report_lost(number, findings);
    }
  }

 private:
  static Account unknown() {
    Account account;
    account.state = Account::State::Unknown;
    return account;
  }
  const BufferInfo& buffer(int number) const { return info_.buffers[number]; }

  Account* account_of(const Operation& op, const Access& access) {
    const BufferInfo* of = info_.buffer(access.buffer);
    if (!of || traits(access.value.type).bytes != traits(of->type).bytes) return nullptr;
    return accounts_.find(access.buffer, op.item / launch_->group_size(), access.index);
  }

  void report(FindingClass kind, const Operation& op, const Access& access, Message message, Message advice,
              Findings& findings) {
    if (!findings.count_repeat(place_of(kind, op, access), op.item))
      findings.add(finding_at(kind, info_, op, access, std::move(message), std::move(advice)));
  }

  /// Takes an account; it must not have been taken before.
  Account spend(const Operation& op, const Access& access, Findings& findings) {
    Account* account = account_of(op, access);
    if (!account) return unknown();
    if (account->state == Account::State::First) {
      account->count = access.buffer == input_ && !histogram_ ? 1 : 0;
      if (access.buffer == input_) taken_[access.index] = true;
    }
    const Account taken = *account;
    note_reader(access);
    if (account->state == Account::State::Unknown) return taken;
    if (account->state == Account::State::Spent && account->count > 0)
      report(FindingClass::DuplicateOperation, op, access,
             Message("{} takes {} once more: it is in another sum already, so that {} would count twice",
                     item_name(info_, op.item), element_text(info_, access), counted(account->count)),
             Message("Let each partial sum be added once: compare the index with the one that this stage needs."),
             findings);
    account->state = Account::State::Spent;
    return taken;
  }

  // Which segments take elements of a buffer, and which of them takes each element of a local array in the groups that do.
  struct Readers {
    std::vector<std::size_t> segments;    // ascending
    std::vector<std::size_t> of_element;  // of a local array; none where it is not taken
    static constexpr std::size_t none = SIZE_MAX;
  };
  void note_reader(const Access& access) {
    Readers& readers = readers_[access.buffer];
    if (readers.segments.empty() || readers.segments.back() != segment_) readers.segments.push_back(segment_);
    if (!is_local(buffer(access.buffer))) return;
    if (readers.of_element.empty()) readers.of_element.assign(buffer(access.buffer).count, Readers::none);
    readers.of_element[access.index] = segment_;
  }

  /// The segment that should have taken what was left in an element by segment `opened`: the one in which other groups take
  /// theirs, else the next one that takes anything from this buffer.
  std::size_t should_have_taken(int number, std::uint64_t element, std::size_t opened) const {
    const Readers& readers = readers_[number];
    if (!readers.of_element.empty())
      if (const std::size_t other = readers.of_element[element]; other != Readers::none && other > opened) return other;
    const auto next = std::upper_bound(readers.segments.begin(), readers.segments.end(), opened);
    return next == readers.segments.end() ? opened : *next;
  }

  static Message counted(std::uint32_t values) {
    return values == 1 ? Message("its value") : Message("its {} values", values);
  }

  void add(Account& sum, const Account& part, const Operation& op, const Access& from, Findings& findings) {
    if (part.state == Account::State::Unknown) sum.state = Account::State::Unknown;
    if (part.bin != Account::none && sum.bin != Account::none && part.bin != sum.bin)
      report(FindingClass::WrongPartner, op, from,
             Message("{} adds {}, which counts bin {}, to the sum of bin {}", item_name(info_, op.item),
                     element_text(info_, from), part.bin, sum.bin),
             Message("Add up the same bin of every group."), findings);
    if (sum.bin == Account::none) sum.bin = part.bin;
    sum.count += part.count;
  }

  /// Opens an account; what was there must have been taken, or have been nothing.
  void put(const Operation& op, const Access& access, Account value, Findings& findings) {
    Account* account = account_of(op, access);
    if (!account) return;
    if (account->state == Account::State::Open && account->count > 0)
      report(FindingClass::MissingOperation, op, access,
             Message("{} overwrites {} before {} was taken from there", item_name(info_, op.item),
                     element_text(info_, access), counted(account->count)),
             Message("Take what is there before it is written, or write elsewhere."), findings);
    if (value.state != Account::State::Unknown) value.state = Account::State::Open;
    value.step = op.step;
    if (histogram_ && access.buffer == output_ && value.bin != Account::none && value.bin != access.index)
      report(FindingClass::WrongPartner, op, access,
             Message("{} leaves the count of bin {} in {}", item_name(info_, op.item), value.bin,
                     element_text(info_, access)),
             Message("Write each bin's count to the bin of its number."), findings);
    *account = value;
    shared_.for_each_other(access.buffer, access.index, [&](int buffer, std::uint64_t element) {
      if (Account* other = accounts_.find(buffer, op.item / launch_->group_size(), element)) *other = unknown();
    });
  }

  void swap(const Operation& op, Findings& findings) {
    const Account a = spend(op, op.reads[0], findings), b = spend(op, op.reads[1], findings);
    put(op, op.writes[0], b, findings);
    put(op, op.writes[1], a, findings);
  }

  // ---- Sums in a register ----

  struct Chain {
    std::uint64_t item = ~std::uint64_t(0);
    bool open = false;
    Access target;
    Account sum;
  };

  void term(const Operation& op, Findings& findings) {
    if (!chain_.open || chain_.target.index != op.target.index || chain_.target.buffer != op.target.buffer)
      chain_ = {op.item, true, op.target, {}};
    add(chain_.sum, spend(op, op.reads[0], findings), op, op.reads[0], findings);
  }

  void store(const Operation& op, Findings& findings) {
    const Access& to = op.writes[0];
    const bool ends = chain_.open && chain_.target.index == to.index && chain_.target.buffer == to.buffer;
    // What a bare store makes of something loaded before can't be told; without a load it is a constant.
    Account value = ends ? chain_.sum : loaded_.item == op.item && !histogram_ ? unknown() : Account{};
    put(op, to, value, findings);
    chain_ = {};
  }

  // ---- Histograms: a load of a value, then an increment of its bin ----

  struct Loaded {
    std::uint64_t item = ~std::uint64_t(0);
    bool pending = false;
    Access from;
  };

  void load(const Operation& op, Findings& findings) {
    const Access& from = op.reads[0];
    if (!histogram_) {  // into a register, where it is no longer followed
      if (Account* account = account_of(op, from)) *account = unknown();
      if (from.buffer == input_) untaken_possible_ = false;
      loaded_ = {op.item, true, from};
      return;
    }
    if (from.buffer != input_ || from.index >= taken_.size()) return;
    if (taken_[from.index])
      report(FindingClass::DuplicateOperation, op, from,
             Message("{} counts {} once more", item_name(info_, op.item), element_text(info_, from)),
             Message("Give each value to one {}: group · items · trips + trip · items + local id.", item_noun(info_)),
             findings);
    taken_[from.index] = true;
    loaded_ = {op.item, true, from};
  }

  void atomic(const Operation& op, Findings& findings) {
    const Access& to = op.writes[0];
    Account* account = account_of(op, to);
    if (!account) return;
    if (!histogram_) {
      *account = unknown();
      return;
    }
    if (account->state == Account::State::Unknown) return;
    if (chain_.open && chain_.target.index == to.index && chain_.target.buffer == to.buffer) {
      // What a register gathered, added to what others added here.
      if (account->state != Account::State::Open) *account = {};
      account->state = Account::State::Open;
      account->step = op.step;
      add(*account, chain_.sum, op, to, findings);
      chain_ = {};
      return;
    }
    const std::optional<std::uint32_t> told = bin_of(op, to);
    if (!told) {
      *account = unknown();
      return;
    }
    const std::uint32_t bin = *told;
    if (loaded_.pending && loaded_.item == op.item && loaded_.from.known) judge_bin(op, bin, findings);
    loaded_.pending = false;
    if (account->state != Account::State::Open) *account = {};
    account->state = Account::State::Open;
    account->step = op.step;
    account->bin = bin;
    ++account->count;
  }

  /// Several sets of bins in one array are one after the other, or bin by bin: the first value that tells says which. Without
  /// values nothing does.
  std::optional<std::uint32_t> bin_of(const Operation& op, const Access& to) {
    const std::uint64_t sets = buffer(to.buffer).count / bins_;
    const std::uint64_t behind = to.index % bins_, beside = sets > 0 ? to.index / sets : 0;
    if (sets < 2 || behind == beside) return static_cast<std::uint32_t>(behind);
    auto order = order_known_.find(to.buffer);
    if (order == order_known_.end()) {
      if (!loaded_.pending || loaded_.item != op.item || !loaded_.from.known) return std::nullopt;
      const double value = loaded_.from.value.component(0);
      const auto wanted = static_cast<std::uint64_t>(std::clamp(value, 0.0, static_cast<double>(bins_ - 1)));
      order = order_known_.emplace(to.buffer, wanted == beside).first;
    }
    return static_cast<std::uint32_t>(order->second ? beside : behind);
  }

  void judge_bin(const Operation& op, std::uint32_t bin, Findings& findings) {
    const double value = loaded_.from.value.component(0);
    const auto wanted = static_cast<std::uint32_t>(std::clamp(value, 0.0, static_cast<double>(bins_ - 1)));
    if (!std::isfinite(value) || bin == wanted) return;
    Message cause;
    for (const int bits : {8, 16})
      if (cause.empty() && value >= 0 && bin == (static_cast<std::uint64_t>(value) & ((1u << bits) - 1)))
        cause = Message(": only the lowest {} bits of the value are left", bits);
    report(FindingClass::WrongValue, op, op.writes[0],
           Message("{} counts the value {} of {} in bin {}, not in bin {}{}", item_name(info_, op.item),
                   value_text(loaded_.from.value), element_text(info_, loaded_.from), bin, wanted, cause),
           cause.empty() ? Message("Compare how the bin is made from the value.")
                         : Message("Keep the value in a type that holds all of it."),
           findings);
  }

  // ---- What is left over ----

  void report_lost(int number, Findings& findings) {
    accounts_.for_each(number, [&](std::uint64_t group, std::uint64_t element, const Account& account) {
      if (account.state != Account::State::Open || account.count == 0) return;
      lost(number, group, element, account, findings);
    });
  }

  void lost(int number, std::uint64_t group, std::uint64_t element, const Account& account, Findings& findings) {
    const BufferInfo& of = buffer(number);
    Finding finding;
    finding.kind = FindingClass::MissingOperation;
    finding.step = account.step;
    finding.buffer = number;
    finding.element = element;
    finding.launch = launch_ ? launch_->number : 0;
    if (const std::size_t opened = info_.segment_of(account.step); opened < info_.segments.size()) {
      const Segment& segment = info_.segments[should_have_taken(number, element, opened)];
      finding.launch = segment.launch;
      finding.stage = segment.stage;
      finding.epoch = segment.epoch;
    }
    if (finding.launch > 0) finding.source = info_.launch(finding.launch)->source;
    if (findings.count_repeat(Findings::place_of(finding), group)) return;
    finding.message =
        Message("{}[{}]{} holds {} that no {} adds to the rest", of.name, element,
                is_local(of) ? Message(" of group {}", group) : Message(),
                account.count == 1 ? Message("a value") : Message("{} values", account.count), item_noun(info_));
    finding.advice = Message("Let the next stage take every partial sum that this one leaves.");
    findings.add(std::move(finding));
  }

  void report_untaken(Findings& findings) {
    const auto missing = std::find(taken_.begin(), taken_.end(), false);
    if (missing == taken_.end() || info_.launches.empty()) return;
    Finding finding = finding_of(FindingClass::MissingOperation, info_.launches.front());
    finding.step = info_.steps ? 1 : 0;
    finding.buffer = input_;
    finding.element = static_cast<std::uint64_t>(missing - taken_.begin());
    finding.occurrences = static_cast<std::uint64_t>(std::count(missing, taken_.end(), false));
    finding.message = histogram_ ? Message("{}[{}] is never counted", buffer(input_).name, *finding.element)
                                 : Message("{}[{}] is never added to the sum", buffer(input_).name, *finding.element);
    finding.advice =
        Message("Launch enough {}, or let each take more, so that every element has one.", items_noun(info_));
    findings.add(std::move(finding));
  }

  const TraceSource& trace_;
  const TraceInfo& info_;
  const LaunchInfo* launch_ = nullptr;
  const int input_, output_;
  const bool histogram_;
  const std::uint64_t bins_;
  std::vector<bool> taken_;  // input elements that have been taken
  bool untaken_possible_ = true;
  const SharedElements shared_;
  ElementTable<Account> accounts_;
  Chain chain_;
  Loaded loaded_;
  std::map<int, bool> order_known_;  // of arrays with several sets of bins: whether the sets are interleaved
  std::vector<Readers> readers_;     // by buffer
  std::size_t segment_ = 0;          // of the operations that come
};

}  // namespace

/// Only where a plan expects every value in one result, as of a sum or a histogram; filters leave holes.
std::unique_ptr<Check> make_accounting_check(const TraceSource& trace) {
  const TraceInfo& info = trace.info();
  if (!traits(info.expect.transform).each_once || !info.filter.empty() || !info.expect.plain()) return nullptr;
  const int input = info.buffer_named(info.expect.input), output = info.buffer_named(info.expect.output);
  return input < 0 || output < 0 ? nullptr : std::make_unique<AccountingCheck>(trace, input, output);
}

}  // namespace twiddle
