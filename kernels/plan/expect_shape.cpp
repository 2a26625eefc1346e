#include "kernels/plan/expect_shape.h"

#include "base/error.h"

#include <bit>

namespace twiddle {
namespace {

using Transform = Expect::Transform;
__extension__ using Wide = unsigned __int128;

// Lays one expectation over its buffers, in the order of its functions.
class Layout {
 public:
  explicit Layout(const Plan& plan) : plan_(plan), expect_(plan.expect), make_(traits(plan.expect.transform)) {}

  ExpectShape lay() {
    if (expect_.transform == Transform::None)
      throw usage_error("{} does not say what to expect: give it an [expect] table",
                        plan_.title.empty() ? Message("the plan") : plan_.title);
    find_buffers();
    choose_grains();
    measure();
    place(shape_.from, expect_.from, shape_.from.buffer != PointMap::none, Message("input"));
    place(shape_.to, expect_.to, true, Message("output"));
    check_full();
    check_sizes();
    return shape_;
  }

 private:
  const Buffer& buffer(std::size_t index) const { return plan_.buffers[index]; }
  const Buffer& in() const { return buffer(shape_.from.buffer); }
  const Buffer& out() const { return buffer(shape_.to.buffer); }
  bool has_input() const { return shape_.from.buffer != PointMap::none; }
  static std::uint64_t components(const Buffer& buffer) {
    return static_cast<std::uint64_t>(traits(buffer.type).components);
  }

  std::size_t find(const std::string& name) const {
    const std::optional<std::size_t> found = plan_.buffer_index(name);
    if (!found) throw usage_error("the plan expects something of buffer {}, which it does not have", name);
    return *found;
  }

  void find_side(PointMap& map, const std::string& name, const Expect::Side& side) const {
    map.buffer = find(name);
    map.element_components = static_cast<int>(components(buffer(map.buffer)));
    if (side.imaginary.empty() || side.imaginary == name) return;
    map.imaginary = find(side.imaginary);
    const Buffer &re = buffer(map.buffer), &im = buffer(map.imaginary);
    if (re.type != im.type || re.count != im.count || components(re) != 1)
      throw usage_error(
          "{} and {} are to be the parts of complex numbers: both need {} elements of one scalar type, and have {} {} "
          "and {} {}",
          re.name, im.name, std::max(re.count, im.count), re.count, traits(re.type).name, im.count,
          traits(im.type).name);
  }

  void find_buffers() {
    find_side(shape_.to, expect_.output, expect_.to);
    if (expect_.transform == Transform::Equals)
      find_side(shape_.from, expect_.operand, expect_.from);
    else if (expect_.transform != Transform::Values)
      find_side(shape_.from, expect_.input, expect_.from);
    if (make_.needs_extra && !expect_.operand.empty() && expect_.transform != Transform::Equals)
      shape_.operand = find(expect_.operand);
    if (expect_.transform == Transform::Ntt && (traits(in().type).floating || traits(out().type).floating))
      throw usage_error("an ntt is of whole numbers: {} and {} need an integer type, and are {} and {}", in().name,
                        out().name, traits(in().type).name, traits(out().type).name);
    if (expect_.transform == Transform::ArgMax && traits(out().type).floating && traits(out().type).components > 1)
      throw usage_error("arg-max gives indices: {} needs an integer type, and is {}", out().name,
                        traits(out().type).name);
  }

  // How many components a point has: decided by the elements, and where these are scalars in place of complex numbers, by
  // how many there are.
  void choose_grains() {
    PointMap &from = shape_.from, &to = shape_.to;
    const auto natural = [&](const Buffer& one) {
      return components(one) == 2 || (components(one) > 3 && make_.fourier) ? 2 : 1;
    };
    to.grain = natural(out());
    if (!expect_.to.imaginary.empty() && to.imaginary == PointMap::none) to.grain = 2;
    if (has_input()) {
      from.grain = natural(in());
      if (!expect_.from.imaginary.empty() && from.imaginary == PointMap::none) from.grain = 2;
    }
    if (make_.fourier) {
      const bool scalar_in = from.grain == 1 && from.imaginary == PointMap::none;
      const bool scalar_out = to.grain == 1 && to.imaginary == PointMap::none;
      if (expect_.transform == Transform::RealFft && from.grain == 2 && expect_.from.imaginary.empty()) from.grain = 1;
      if (make_.inverse && scalar_out && scalar_in) from.grain = to.grain = 2;
      if (!make_.inverse && scalar_out) {
        to.grain = 2;
        if (scalar_in && expect_.transform != Transform::RealFft && in().count == out().count) from.grain = 2;
      }
      // Pairs of real points: more points than the buffer has elements.
      if (from.grain == 2 && components(in()) >= 2 && points_asked() > count_of(from) && !expect_.from.points &&
          !expect_.batch)
        from.grain = 1;
    }
    if (has_input()) from.capacity = count_of(from);
    to.capacity = count_of(to);
  }
  std::uint64_t points_asked() const { return expect_.points; }
  std::uint64_t count_of(const PointMap& map) const {
    return buffer(map.buffer).count * components(buffer(map.buffer)) / static_cast<std::uint64_t>(map.grain);
  }

  // How many transforms there are room for, when each takes `length` points of a side.
  std::uint64_t batch_of(const PointMap& map, const Expect::Side& side, std::uint64_t length) const {
    if (expect_.batch) return expect_.batch;
    const std::uint64_t stride = std::max<std::uint64_t>(1, side.stride);
    if (length == 0) return 1;
    if (side.dist) {
      const Wide reach = wide(length - 1) * stride + side.offset + 1;
      return map.capacity < reach ? 1 : static_cast<std::uint64_t>((map.capacity - reach) / side.dist + 1);
    }
    if (stride > 1 || side.offset || length >= map.capacity) return 1;
    if (map.capacity % length != 0)
      throw usage_error("verify cannot divide the {} points of {} into transforms of {}", map.capacity,
                        buffer(map.buffer).name, length);
    return map.capacity / length;
  }

  static Wide wide(std::uint64_t value) { return value; }

  // All points of a side that its stride and offset reach.
  std::uint64_t reached(const PointMap& map, const Expect::Side& side) const {
    const std::uint64_t stride = std::max<std::uint64_t>(1, side.stride);
    if (side.points) return side.points;
    if (map.capacity <= side.offset) return 0;
    return (map.capacity - side.offset + stride - 1) / stride;
  }

  void measure_plane() {
    const auto two = [&](const Buffer& one) { return one.shape.size() == 2; };
    const bool turned = expect_.transform == Transform::Transpose;
    if (expect_.rows) {
      shape_.rows = expect_.rows, shape_.columns = expect_.columns;
    } else if (two(in())) {
      shape_.rows = in().shape[0], shape_.columns = in().shape[1];
    } else if (two(out())) {
      shape_.rows = out().shape[turned ? 1 : 0], shape_.columns = out().shape[turned ? 0 : 1];
    } else {
      throw usage_error("verify needs the shape of {} to compare {} in two dimensions: [rows, columns]", in().name,
                        make_.name);
    }
    shape_.points = shape_.rows * shape_.columns;
    shape_.from.rows = shape_.rows, shape_.from.columns = shape_.columns;
    shape_.to.rows = turned ? shape_.columns : shape_.rows;
    shape_.to.columns = turned ? shape_.rows : shape_.columns;
    shape_.batch = batch_of(shape_.from, expect_.from, shape_.points);
    // Half of a real picture's spectrum.
    const bool real =
        shape_.from.grain == 1 && shape_.from.imaginary == PointMap::none && expect_.transform == Transform::Fft2d;
    if (real && expect_.to == Expect::Side{.imaginary = expect_.to.imaginary} &&
        shape_.to.capacity == shape_.batch * shape_.rows * (shape_.columns / 2 + 1))
      shape_.to.columns = shape_.columns / 2 + 1;
  }

  // A convolution of pictures: taps and input have two dimensions.
  bool plane_of_taps() const {
    return expect_.transform == Transform::Convolution && buffer(shape_.operand).shape.size() == 2 &&
           (in().shape.size() == 2 || expect_.rows);
  }

  void measure() {
    PointMap &from = shape_.from, &to = shape_.to;
    if (make_.plane) return measure_plane();
    if (expect_.transform == Transform::Values) {
      // A file that serves several sizes may hold more than this one's.
      to.columns = expect_.to.points ? expect_.to.points
                                     : std::min<std::uint64_t>(expect_.table.size(), reached(to, expect_.to));
      shape_.points = to.columns;
      if (to.columns > expect_.table.size())
        throw usage_error("{} holds {} values, and {} are expected of {}", expect_.file, expect_.table.size(),
                          to.columns, out().name);
      return;
    }
    if (plane_of_taps()) return measure_convolution_plane();
    if (expect_.transform == Transform::Matrix) return measure_matrix();

    // Half a spectrum goes back to real points: the output says how many.
    const bool to_real = make_.inverse && to.grain == 1 && to.imaginary == PointMap::none;
    std::uint64_t points = expect_.points;
    if (points == 0) {
      const PointMap& measured = to_real ? to : from;
      const std::uint64_t all = reached(measured, to_real ? expect_.to : expect_.from);
      points = expect_.batch && !(to_real ? expect_.to : expect_.from).points &&
                       !(to_real ? expect_.to : expect_.from).dist && (to_real ? expect_.to : expect_.from).stride < 2
                   ? all / expect_.batch
                   : all;
      if (!to_real && expect_.from.points && expect_.transform != Transform::Sum) points = expect_.from.points;
    }
    if (points == 0 && !make_.one && expect_.transform != Transform::Histogram &&
        expect_.transform != Transform::Scan && expect_.transform != Transform::SegmentedSum &&
        expect_.transform != Transform::Sort && expect_.transform != Transform::Equals)
      throw usage_error("verify cannot divide the {} points of {} into transforms of {}", from.capacity, in().name,
                        points);
    shape_.points = points;
    from.columns = expect_.from.points ? expect_.from.points : points;
    if (to_real && !expect_.from.points && from.capacity < points * std::max<std::uint64_t>(1, expect_.batch))
      from.columns = points / 2 + 1;
    if (from.columns > points)
      throw usage_error("{} of {} points cannot take {} points of {}", make_.name, points, from.columns, in().name);
    shape_.batch = batch_of(from, expect_.from, from.columns);
    to.columns = expect_.to.points ? expect_.to.points : results();
  }

  // Results of one transform, where the plan does not say.
  std::uint64_t results() {
    const std::uint64_t points = shape_.points, batch = shape_.batch, room = shape_.to.capacity;
    const bool bare = expect_.to == Expect::Side{.imaginary = expect_.to.imaginary};
    if (make_.one) return 1;
    switch (expect_.transform) {
      case Transform::Histogram: return room / batch;
      case Transform::SegmentedSum: {
        const std::uint64_t pointers = buffer(shape_.operand).count;
        if (pointers < 1)
          throw usage_error("segments are row pointers, one more than there are sums, and {} has none",
                            expect_.operand);
        return pointers - 1;
      }
      case Transform::Convolution: return expect_.mode == Expect::Mode::Full ? points + taps() - 1 : points;
      case Transform::RealFft: return bare && room == batch * points ? points : points / 2 + 1;
      case Transform::Fft: {
        // A real input's spectrum may end in the middle.
        const bool real = shape_.from.grain == 1 && shape_.from.imaginary == PointMap::none;
        return bare && real && room < batch * points && room % batch == 0 && room > 0 ? room / batch : points;
      }
      default: return points;
    }
  }

  std::uint64_t taps() const {
    const std::uint64_t count = buffer(shape_.operand).count;
    if (count == 0) throw usage_error("a convolution needs taps, and {} has none", expect_.operand);
    return count;
  }

  void measure_convolution_plane() {
    const Buffer& taps = buffer(shape_.operand);
    const bool full = expect_.mode == Expect::Mode::Full;
    if (taps.count == 0) throw usage_error("a convolution needs taps, and {} has none", taps.name);
    shape_.tap_columns = taps.shape[1];
    shape_.rows = expect_.rows ? expect_.rows : in().shape[0];
    shape_.columns = expect_.rows ? expect_.columns : in().shape[1];
    shape_.points = shape_.rows * shape_.columns;
    shape_.from.rows = shape_.rows, shape_.from.columns = shape_.columns;
    shape_.to.rows = full ? shape_.rows + taps.shape[0] - 1 : shape_.rows;
    shape_.to.columns = full ? shape_.columns + taps.shape[1] - 1 : shape_.columns;
    shape_.batch = batch_of(shape_.from, expect_.from, shape_.points);
  }

  void measure_matrix() {
    const std::uint64_t columns = expect_.table_columns, rows = columns ? expect_.table.size() / columns : 0;
    if (columns == 0) throw usage_error("{} holds no matrix", expect_.file);
    if (expect_.points && expect_.points != columns)
      throw usage_error("{} has {} columns, and the plan says {} points: a column is an input", expect_.file, columns,
                        expect_.points);
    shape_.points = columns;
    shape_.from.columns = expect_.from.points ? expect_.from.points : columns;
    if (shape_.from.columns > columns || shape_.from.capacity < shape_.from.columns)
      throw usage_error("{} has {} columns, one for each input, and {} has {} points", expect_.file, columns, in().name,
                        shape_.from.capacity);
    shape_.batch = batch_of(shape_.from, expect_.from, shape_.from.columns);
    shape_.to.columns = expect_.to.points ? expect_.to.points : rows;
    if (shape_.to.columns > rows)
      throw usage_error("{} has {} rows, one for each output, and the plan says {}", expect_.file, rows,
                        shape_.to.columns);
  }

  void place(PointMap& map, const Expect::Side& side, bool there, const Message& what) {
    if (!there) return;
    const Buffer& one = buffer(map.buffer);
    map.stride = std::max<std::uint64_t>(1, side.stride);
    map.offset = side.offset;
    // Rows of a longer array are as far apart as that has columns.
    const bool pitched = one.shape.size() == 2 && one.shape[1] > map.columns && map.rows > 1;
    map.row_stride = side.row_stride ? side.row_stride : pitched ? one.shape[1] * map.stride : map.columns * map.stride;
    map.dist = side.dist;
    if (map.dist == 0) {
      if (map.stride > 1 && shape_.batch > 1 && !side.row_stride)
        throw usage_error("{} transforms whose points are {} apart: say how far apart they begin, {}_dist",
                          shape_.batch, map.stride, what);
      map.dist = map.rows > 1 ? map.rows * map.row_stride : map.columns * map.stride;
    }
    if (map.columns == 0 || map.rows == 0) return;
    const Wide needed = wide(map.offset) + wide(shape_.batch - 1) * map.dist + wide(map.rows - 1) * map.row_stride +
                        wide(map.columns - 1) * map.stride + 1;
    if (needed <= map.capacity) return;
    const std::uint64_t shown = needed > max_plan_elements ? max_plan_elements : static_cast<std::uint64_t>(needed);
    throw usage_error("{}: {} × {} points reach over {} elements of {}, which has {}", make_.name, shape_.batch,
                      map.length(), shown, one.name, map.capacity);
  }

  // Where the plan says nothing of an output's layout, all of it is results: more of them is a mistake in the plan.
  void check_full() const {
    const PointMap& to = shape_.to;
    const bool bare = expect_.to == Expect::Side{.imaginary = expect_.to.imaginary} && !expect_.batch;
    if (!bare || make_.one || to.length() * shape_.batch == to.capacity) return;
    if (to.rows > 1 && to.row_stride != to.columns) return;
    throw usage_error(
        "verify cannot compare the {} values of {} with the {} results of {}: give it {} elements, or say "
        "output_points, batch or output_dist",
        to.capacity, out().name, to.length() * shape_.batch, make_.name, to.length() * shape_.batch);
  }

  void check_sizes() const {
    const std::uint64_t points = shape_.points;
    if (expect_.transform == Transform::Haar && !std::has_single_bit(points))
      throw usage_error("a haar transform takes a power of two of points, and {} has {}: the nearest are {} and {}",
                        in().name, points, std::bit_floor(points), std::bit_ceil(points));
    if (expect_.transform != Transform::Ntt) return;
    if (expect_.modulus < 2) throw usage_error("an ntt needs a modulus of 2 or more, not {}", expect_.modulus);
    if (has_order(expect_.root, points, expect_.modulus)) return;
    // Of a prime, a power of nearly any number is one.
    for (std::uint64_t base = 2; (expect_.modulus - 1) % points == 0 && base < 200; ++base) {
      const std::uint64_t root = power(base, (expect_.modulus - 1) / points, expect_.modulus);
      if (has_order(root, points, expect_.modulus))
        throw usage_error("{} is no {}-th root of unity modulo {}: {} is one", expect_.root, points, expect_.modulus,
                          root);
    }
    throw usage_error("{} is no {}-th root of unity modulo {}", expect_.root, points, expect_.modulus);
  }

  static std::uint64_t power(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
    Wide value = 1 % modulus, factor = base % modulus;
    for (; exponent > 0; exponent >>= 1, factor = factor * factor % modulus)
      if (exponent & 1) value = value * factor % modulus;
    return static_cast<std::uint64_t>(value);
  }

  // Whether n is the smallest power of the root that is 1.
  static bool has_order(std::uint64_t root, std::uint64_t n, std::uint64_t modulus) {
    if (power(root, n, modulus) != 1 % modulus) return false;
    std::uint64_t rest = n;
    for (std::uint64_t prime = 2; rest > 1; ++prime) {
      if (prime * prime > rest) prime = rest;
      if (rest % prime != 0) continue;
      if (power(root, n / prime, modulus) == 1 % modulus) return false;
      while (rest % prime == 0) rest /= prime;
    }
    return true;
  }

  const Plan& plan_;
  const Expect& expect_;
  const TransformTraits& make_;
  ExpectShape shape_;
};

}  // namespace

ExpectShape shape_of_expectation(const Plan& plan) { return Layout(plan).lay(); }

}  // namespace twiddle
