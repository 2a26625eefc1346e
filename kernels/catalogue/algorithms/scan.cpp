// scan-…: prefix sums, by Hillis and Steele and by Blelloch.
#include "base/tr.h"
#include "kernels/catalogue/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace twiddle {
namespace {

struct ScanWay {
  const char* kernel;
  std::uint64_t elements_per_item, min_group;
  bool exclusive;  // unless the user says otherwise: what the kernel computes by itself
};
constexpr ScanWay hillis_steele{"scan_hillis_steele", 1, 2, false}, blelloch{"scan_blelloch", 2, 1, true};

constexpr std::uint64_t max_scan_elements = std::uint64_t(1) << 27;

class ScanPlan {
 public:
  ScanPlan(const Request& request, const ScanWay& way) : way_(way) {
    const std::uint64_t n = whole_size("n", request.n, 8, 0, max_scan_elements);
    const std::uint64_t default_value = std::bit_ceil(std::max<std::uint64_t>(n, 2)) / way.elements_per_item;
    group_ = power_size("group-size", request.group_size, std::clamp<std::uint64_t>(default_value, way.min_group, 256),
                        way.min_group, 1024);
    width_ = group_ * way.elements_per_item;
    const std::string type = one_of("type", request.type, {"int", "uint", "float"});
    element_ = *element_type_named(type);
    const auto given = request.more.find("kind");
    const std::string kind = given == request.more.end() ? "" : given->second;
    const bool exclusive = (way.exclusive ? one_of("kind", kind, {"exclusive", "inclusive"})
                                          : one_of("kind", kind, {"inclusive", "exclusive"})) == "exclusive";
    defines_ = {"number=" + type, fmt::format("GROUP={}", group_)};
    plan_.title = exclusive ? Message("Prefix sums of {} numbers, exclusive", n)
                            : Message("Prefix sums of {} numbers, inclusive", n);
    take_signal(plan_, request, "ramp", {{"n", n}, {"group-size", group_}});
    plan_.parameters["type"] = type;
    plan_.parameters["kind"] = exclusive ? "exclusive" : "inclusive";

    const std::size_t x = add_input(plan_, "x", element_, n);
    scan(x, "y", n, exclusive, 1);
    // Each time that n doubles: an addition on the way up, one on the way down, and one of an offset.
    const double additions = 4 + 3 * std::log2(static_cast<double>(std::bit_ceil(std::max<std::uint64_t>(n, 1))));
    expect_sums(plan_, Expect::Transform::Scan, "x", "y", element_, additions);
    plan_.expect.exclusive = exclusive;
  }

  Plan plan() const { return plan_; }

 private:
  /// Adds the launches that scan `count` elements of a buffer into a new one, which is returned: scans of groups, the scan
  /// of their sums, and the additions of the offsets that this gives.
  std::size_t scan(std::size_t from, const std::string& name, std::uint64_t count, bool exclusive, int level) {
    const std::size_t to = add_output(plan_, name, element_, count);
    if (count == 0) return to;
    const std::uint64_t groups = (count + width_ - 1) / width_;
    const std::size_t sums = add_output(plan_, fmt::format("sums{}", level), element_, groups);
    add_launch(plan_, "scan", way_.kernel, groups * group_, group_,
               {BufferArgument{from}, BufferArgument{to}, BufferArgument{sums}, size_argument(count),
                int_argument(exclusive ? 1 : 0)},
               defines_)
        .label = level > 1     ? translatable("scan of sums")
                 : groups == 1 ? translatable("scan")
                               : translatable("scans of groups");
    if (groups == 1) return to;
    const std::size_t offsets = scan(sums, fmt::format("offsets{}", level), groups, true, level + 1);
    const std::uint64_t rest = (count - width_ + group_ - 1) / group_ * group_;
    add_launch(plan_, "scan", "add_offsets", rest, group_,
               {BufferArgument{to}, BufferArgument{offsets}, size_argument(count), size_argument(width_)}, defines_)
        .label = translatable("add offsets");
    return to;
  }

  const ScanWay& way_;
  Plan plan_;
  std::uint64_t group_ = 0, width_ = 0;  // items and elements of a group
  ElementType element_ = ElementType::Int;
  std::vector<std::string> defines_;
};

Algorithm describe_scan(const ScanWay& way) {
  return {
      .order = 500,
      .origin = "CUDA",
      .parameters = {{"n", "any number, 0 … 2^27", "8", "how many numbers"},
                     parameters::signal("ramp"),
                     {"type", "int | uint | float", "int", "what kind of numbers"},
                     {"kind", "inclusive | exclusive", way.exclusive ? "exclusive" : "inclusive",
                      "whether element i is a part of its own sum"},
                     parameters::group_size(fmt::format("power of two, {} … 1024", way.min_group),
                                            way.elements_per_item == 1 ? "n rounded up, at most 256"
                                                                       : "half of n rounded up, at most 256")},
      .sizes = "any number from 0 to 2^27",
      .accuracy =
          "int and uint exact modulo 2^32; float 6e-8·(4 + 3 log2 N): for each of the roundings that an element can go "
          "through, measured against the sums of magnitudes",
      .build = [&way](const Request& request) { return ScanPlan(request, way).plan(); }};
}

Algorithm scan_hillis_steele() {
  Algorithm algorithm = describe_scan(hillis_steele);
  algorithm.id = "scan-hillis-steele";
  algorithm.title = "Prefix sums by Hillis and Steele: few steps, many additions";
  algorithm.about =
      "In step d = 1, 2, 4, … every element adds the one d before it. log2 N steps, each with work for every item: the "
      "shortest way, and N log2 N additions where a loop needs N − 1.";
  algorithm.operations = "N log2 N − N + 1 additions in a group";
  algorithm.launches =
      "1 for one group; else 2 more for every level of sums of groups; log2(group) + 2 epochs, and 1 where offsets are "
      "added";
  return algorithm;
}

Algorithm scan_blelloch() {
  Algorithm algorithm = describe_scan(blelloch);
  algorithm.id = "scan-blelloch";
  algorithm.title = "Prefix sums by Blelloch: up a tree of sums and down again";
  algorithm.about =
      "A tree of sums is built upwards; then every node hands down what is before it: to its left child the same, to "
      "its right child the left child's sum as well. Twice as many steps as Hillis and Steele's, and no more than "
      "twice the additions of a loop.";
  algorithm.operations = "2 (N − 1) additions in a group";
  algorithm.launches =
      "1 for one group; else 2 more for every level of sums of groups; 2 log2(elements of a group) + 3 epochs, and 1 "
      "where offsets are added";
  return algorithm;
}

}  // namespace

std::vector<Algorithm> algorithms_of_scan() { return {scan_hillis_steele(), scan_blelloch()}; }

}  // namespace twiddle
