// Kernels of every family that lifting knows, and of some that it must not take for one: what each computes, counted.
#pragma once

#include "lift/access_recorder.h"

#include <cmath>
#include <string>
#include <vector>

namespace twiddle::recorded {

enum class Signal { Random, Ramp, Impulse };

struct LiftCase {
  std::string name;
  std::function<void(Machine&, Signal, int seed)> run;
  std::string operations;       // "butterfly2 x16, move x32", by name
  std::string ramp_operations;  // where a ramp's regular values leave something undecided; empty: the same
};

/// The logs of a kernel's runs on other data.
inline std::vector<AccessLog> probes_of(const std::function<void(Machine&, Signal, int seed)>& run, int count) {
  std::vector<AccessLog> probes;
  for (int p = 0; p < count; ++p) {
    Machine other;
    run(other, Signal::Random, 100 + p);
    probes.push_back(other.log);
  }
  return probes;
}

class Signals {
 public:
  Signals(Signal signal, int seed) : signal_(signal), random_(static_cast<unsigned>(seed)) {}
  cd operator()(int j) {
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    switch (signal_) {
      case Signal::Random: {
        const double x = uniform(random_), y = uniform(random_);
        return {x, y};
      }
      case Signal::Ramp: return static_cast<double>(j);
      case Signal::Impulse: return j == 3 ? 1.0 : 0.0;
    }
    return 0;
  }

 private:
  Signal signal_;
  std::mt19937 random_;
};

inline cd unit(double turns) { return std::polar(1.0, 2 * M_PI * turns); }
inline cf narrow(cd z) { return {float(z.real()), float(z.imag())}; }
inline int reversed(int i, int bits) {
  int r = 0;
  for (int b = 0; b < bits; ++b) r |= ((i >> b) & 1) << (bits - 1 - b);
  return r;
}

/// A buffer of n complex values with a signal.
inline int complex_buffer(Machine& m, const char* name, int n, Signal signal, int seed) {
  const int buffer = m.add(name, ElementType::Float2, static_cast<std::uint64_t>(n));
  Signals signals(signal, seed);
  for (int j = 0; j < n; ++j) m.at<cf>(buffer, j) = narrow(signals(j));
  return buffer;
}
inline int real_buffer(Machine& m, const char* name, int n, Signal signal, int seed) {
  const int buffer = m.add(name, ElementType::Float, static_cast<std::uint64_t>(n));
  Signals signals(signal, seed);
  for (int j = 0; j < n; ++j) m.at<float>(buffer, j) = static_cast<float>(signals(j).real());
  return buffer;
}
inline int whole_buffer(Machine& m, const char* name, int n, Signal signal, int seed) {
  const int buffer = m.add(name, ElementType::UInt, static_cast<std::uint64_t>(n));
  std::mt19937 random(static_cast<unsigned>(seed));
  Signals signals(signal, seed);
  for (int j = 0; j < n; ++j)
    m.at<std::uint32_t>(buffer, j) =
        signal == Signal::Random ? std::uint32_t(random()) : std::uint32_t(signals(j).real());
  return buffer;
}

/// The transform of `radix` values, with single roundings.
inline std::vector<cf> small_transform(const std::vector<cf>& in, int sign) {
  const int n = static_cast<int>(in.size());
  std::vector<cf> out(in.size());
  for (int j = 0; j < n; ++j) {
    cd sum = 0;
    for (int k = 0; k < n; ++k) sum += cd(in[k]) * unit(sign * double(j * k % n) / n);
    out[j] = narrow(sum);
  }
  return out;
}

// One stage of butterflies of a radix: item g has its points `stride` apart.
struct Stage {
  int radix = 2, n = 64, stride = 8, sign = -1;
  bool time = true, in_place = true, twiddles = true, digits_reversed = false;
  double scale = 1, first_turn = 0;
};
inline auto stage_of(Stage c) {
  return [c](Machine& m, Signal signal, int seed) {
    const int x = complex_buffer(m, "x", c.n, signal, seed);
    const int y = c.in_place ? x : m.add("y", ElementType::Float2, static_cast<std::uint64_t>(c.n));
    m.run(c.n / c.radix, 1, [&](Item& it, int) {
      const int block = it.id / c.stride, j = it.id % c.stride;
      std::vector<cf> in, out;
      const auto w = [&](int k) {
        return c.twiddles ? unit(c.first_turn * (1 + it.id) + c.sign * double(j * k) / (c.stride * c.radix)) : cd(1);
      };
      for (int k = 0; k < c.radix; ++k) {
        in.push_back(it.load<cf>(x, block * c.stride * c.radix + j + k * c.stride));
        if (c.time) in.back() = narrow(cd(in.back()) * w(k));
      }
      out = small_transform(in, c.sign);
      for (int k = 0; k < c.radix; ++k) {
        cd value = cd(out[k]) * c.scale;
        if (!c.time) value *= w(k);
        int place = k;
        if (c.digits_reversed) place = reversed(k, int(std::log2(c.radix) + 0.5));
        const int to = c.in_place ? block * c.stride * c.radix + j + place * c.stride : it.id + place * (c.n / c.radix);
        it.store<cf>(y, to, narrow(value));
      }
    });
  };
}

inline std::vector<LiftCase> butterfly_cases() {
  std::vector<LiftCase> cases;
  for (const int radix : {2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 32})
    for (const bool time : {true, false})
      for (const bool in_place : {true, false})
        for (const int sign : {-1, 1}) {
          const int stride = 6, n = radix * stride * 2;
          cases.push_back(
              {"radix " + std::to_string(radix) + (time ? " time" : " frequency") + (in_place ? " in place" : " to") +
                   (sign < 0 ? " forward" : " inverse"),
               stage_of({.radix = radix, .n = n, .stride = stride, .sign = sign, .time = time, .in_place = in_place}),
               "butterfly" + std::to_string(radix) + " x" + std::to_string(n / radix), ""});
        }
  cases.push_back({"radix 4 without twiddles", stage_of({.radix = 4, .twiddles = false}), "butterfly4 x16", ""});
  cases.push_back(
      {"radix 8, outputs reversed", stage_of({.radix = 8, .stride = 8, .digits_reversed = true}), "butterfly8 x8", ""});
  cases.push_back({"radix 4, scaled by 1/64", stage_of({.radix = 4, .scale = 1.0 / 64}), "butterfly4 x16", ""});
  cases.push_back({"radix 8 with a large twiddle", stage_of({.radix = 8, .first_turn = 0.013}), "butterfly8 x8", ""});
  return cases;
}

inline void two_in_a_row(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 64, signal, seed);
  m.run(16, 1, [&](Item& it, int) {
    for (int b = 0; b < 2; ++b) {
      const int i0 = it.id + 32 * b, i1 = i0 + 16;
      const cf a = it.load<cf>(x, i0), c = it.load<cf>(x, i1);
      const cf t = narrow(cd(c) * unit(-double(it.id) / 32));
      it.store<cf>(x, i0, a + t);
      it.store<cf>(x, i1, a - t);
    }
  });
}

// Two butterflies whose loads all come before their stores.
inline void two_side_by_side(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 64, signal, seed);
  m.run(16, 1, [&](Item& it, int) {
    cf v[4];
    for (int k = 0; k < 4; ++k) v[k] = it.load<cf>(x, it.id + 16 * k);
    for (int b = 0; b < 2; ++b) {
      const cf t = narrow(cd(v[2 * b + 1]) * unit(-double(it.id) / 32));
      it.store<cf>(x, it.id + 32 * b, v[2 * b] + t);
      it.store<cf>(x, it.id + 32 * b + 16, v[2 * b] - t);
    }
  });
}

// Radix 8 twice, whose stores go out in runs of 3, 5, 4 and 4 between loads of something else.
inline void interleaved_stores(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 256, signal, seed), y = m.add("y", ElementType::Float2, 256);
  const int other = complex_buffer(m, "other", 64, Signal::Random, seed + 1);
  m.run(16, 1, [&](Item& it, int) {
    std::vector<cf> a, b;
    for (int k = 0; k < 8; ++k) {
      a.push_back(it.load<cf>(x, it.id + 32 * k));
      b.push_back(it.load<cf>(x, it.id + 16 + 32 * k));
    }
    for (int k = 0; k < 8; ++k) {
      a[k] = narrow(cd(a[k]) * unit(-double(it.id * k) / 256));
      b[k] = narrow(cd(b[k]) * unit(-double((it.id + 16) * k) / 256));
    }
    a = small_transform(a, -1);
    b = small_transform(b, -1);
    const int order[16] = {0, 8, 1, 9, 2, 10, 11, 3, 4, 12, 5, 13, 6, 14, 7, 15};
    int at = 0;
    for (const int run : {3, 5, 4, 4}) {
      for (int i = 0; i < run; ++i, ++at) {
        const int k = order[at];
        it.store<cf>(y, k < 8 ? it.id + 32 * k : it.id + 16 + 32 * (k - 8), k < 8 ? a[k] : b[k - 8]);
      }
      if (run != 4) it.load<cf>(other, it.id);
    }
  });
}

// Real parts pass through local memory, then imaginary parts: registers hold the points.
inline void split_in_time(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 64, signal, seed), y = m.add("y", ElementType::Float2, 64);
  const int s = m.add("s", ElementType::Float, 64, Space::Local);
  m.run(16, 4, [&](Item& it, int phase) {
    const auto butterfly = [&](int stride) {
      std::vector<cf> v;
      for (int k = 0; k < 4; ++k) v.push_back(narrow(it.z[k] * unit(-double((it.id % stride) * k) / (4 * stride))));
      v = small_transform(v, -1);
      for (int k = 0; k < 4; ++k) it.z[k] = v[k];
    };
    if (phase == 0) {
      for (int k = 0; k < 4; ++k) it.z.push_back(it.load<cf>(x, it.id + 16 * k));
      butterfly(16);
      for (int k = 0; k < 4; ++k) it.store<float>(s, 4 * it.id + k, float(it.z[k].real()));
    } else if (phase == 1) {
      for (int k = 0; k < 4; ++k) it.r.push_back(it.load<float>(s, it.id + 16 * k));
    } else if (phase == 2) {
      for (int k = 0; k < 4; ++k) it.store<float>(s, 4 * it.id + k, float(it.z[k].imag()));
    } else {
      for (int k = 0; k < 4; ++k) it.z[k] = {it.r[k], it.load<float>(s, it.id + 16 * k)};
      butterfly(4);
      for (int k = 0; k < 4; ++k) it.store<cf>(y, it.id + 16 * k, narrow(it.z[k]));
    }
  });
}

inline void planar_radix4(Machine& m, Signal signal, int seed) {
  const int re = real_buffer(m, "re", 64, signal, seed), im = real_buffer(m, "im", 64, signal, seed + 1);
  m.run(16, 1, [&](Item& it, int) {
    std::vector<cf> v;
    for (int k = 0; k < 4; ++k) {
      const float x = it.load<float>(re, it.id + 16 * k);
      const float y = it.load<float>(im, it.id + 16 * k);
      v.push_back(narrow(cd(x, y) * unit(-double(it.id * k) / 64)));
    }
    v = small_transform(v, -1);
    for (int k = 0; k < 4; ++k) {
      it.store<float>(re, it.id + 16 * k, v[k].real());
      it.store<float>(im, it.id + 16 * k, v[k].imag());
    }
  });
}

inline void interleaved_floats(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 128, signal, seed);
  m.run(32, 1, [&](Item& it, int) {
    const int i0 = it.id, i1 = it.id + 32;
    const float ax = it.load<float>(x, 2 * i0), ay = it.load<float>(x, 2 * i0 + 1);
    const float bx = it.load<float>(x, 2 * i1), by = it.load<float>(x, 2 * i1 + 1);
    const cf t = narrow(cd(bx, by) * unit(-double(it.id) / 64));
    it.store<float>(x, 2 * i0, ax + t.real());
    it.store<float>(x, 2 * i0 + 1, ay + t.imag());
    it.store<float>(x, 2 * i1, ax - t.real());
    it.store<float>(x, 2 * i1 + 1, ay - t.imag());
  });
}

inline void double_precision(Machine& m, Signal signal, int seed) {
  const int x = m.add("x", ElementType::Double2, 64);
  Signals signals(signal, seed);
  for (int j = 0; j < 64; ++j) m.at<cd>(x, j) = signals(j);
  m.run(32, 1, [&](Item& it, int) {
    const cd a = it.load<cd>(x, it.id), b = it.load<cd>(x, it.id + 32);
    const cd t = b * unit(-double(it.id) / 64);
    it.store<cd>(x, it.id, a + t);
    it.store<cd>(x, it.id + 32, a - t);
  });
}

inline void with_table(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 64, signal, seed), table = m.add("table", ElementType::Float2, 32);
  for (int k = 0; k < 32; ++k) m.at<cf>(table, k) = narrow(unit(-double(k) / 64));
  m.run(32, 1, [&](Item& it, int) {
    const cf w = it.load<cf>(table, it.id);
    const cf a = it.load<cf>(x, it.id), b = it.load<cf>(x, it.id + 32);
    const cf t = narrow(cd(b) * cd(w));
    it.store<cf>(x, it.id, a + t);
    it.store<cf>(x, it.id + 32, a - t);
  });
}

// All stages of 64 points in local memory, with a barrier after each.
inline void local_stages(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 64, signal, seed), y = m.add("y", ElementType::Float2, 64);
  const int s = m.add("s", ElementType::Float2, 64, Space::Local);
  m.run(32, 8, [&](Item& it, int phase) {
    if (phase == 0 || phase == 7) {
      for (int l = 0; l < 2; ++l) {
        const int i = it.id + 32 * l;
        if (phase == 0)
          it.store<cf>(s, reversed(i, 6), it.load<cf>(x, i));
        else
          it.store<cf>(y, i, it.load<cf>(s, i));
      }
      return;
    }
    const int stride = 1 << (phase - 1), j = it.id % stride, i0 = it.id / stride * 2 * stride + j;
    const cf a = it.load<cf>(s, i0), b = it.load<cf>(s, i0 + stride);
    const cf t = narrow(cd(b) * unit(-double(j) / (2 * stride)));
    it.store<cf>(s, i0, a + t);
    it.store<cf>(s, i0 + stride, a - t);
  });
}

// One launch in which fewer and fewer items do longer and longer loops, as in fft_radix2_single.cl.
inline void single_launch(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 32, signal, seed);
  m.run(32, 5, [&](Item& it, int phase) {
    const int span = 2 << phase;
    if (it.id % span != 0) return;
    for (int j = 0; j < span / 2; ++j) {
      const int i0 = reversed(it.id + j, 5), i1 = reversed(it.id + j + span / 2, 5);
      const cf a = it.load<cf>(x, i0), b = it.load<cf>(x, i1);
      const cf t = narrow(cd(b) * unit(-double(j) / span));
      it.store<cf>(x, i0, a + t);
      it.store<cf>(x, i1, a - t);
    }
  });
}

inline void bit_reversal(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 64, signal, seed);
  m.run(64, 1, [&](Item& it, int) {
    const int r = reversed(it.id, 6);
    if (it.id >= r) return;
    const cf a = it.load<cf>(x, it.id), b = it.load<cf>(x, r);
    it.store<cf>(x, it.id, b);
    it.store<cf>(x, r, a);
  });
}

inline void scaled(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 64, signal, seed);
  m.run(64, 1, [&](Item& it, int) { it.store<cf>(x, it.id, it.load<cf>(x, it.id) * 0.015625f); });
}

inline void rotated(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 64, signal, seed), table = m.add("table", ElementType::Float2, 64);
  for (int k = 0; k < 64; ++k) m.at<cf>(table, k) = narrow(unit(-double(k * k) / 128));
  m.run(64, 1, [&](Item& it, int) {
    const cf w = it.load<cf>(table, it.id), v = it.load<cf>(x, it.id);
    it.store<cf>(x, it.id, narrow(cd(v) * cd(w)));
  });
}

inline void real_split(Machine& m, Signal signal, int seed) {
  const int half = 32, Y = complex_buffer(m, "Y", half, signal, seed), X = m.add("X", ElementType::Float2, 64);
  m.run(half, 1, [&](Item& it, int) {
    const int k = it.id;
    const cf a = it.load<cf>(Y, k), b = it.load<cf>(Y, (half - k) % half);
    const cf G = cf(a.real() + b.real(), a.imag() - b.imag()) / 2.0f,
             H = cf(a.imag() + b.imag(), b.real() - a.real()) / 2.0f;
    const cf t = narrow(cd(H) * unit(-double(k) / 64));
    it.store<cf>(X, k, G + t);
    it.store<cf>(X, k + half, G - t);
  });
}

// Bins k and 32 − k of 64 real points, of which no others are kept.
inline void mirrored_split(Machine& m, Signal signal, int seed) {
  const int half = 32, Y = complex_buffer(m, "Y", half, signal, seed), X = m.add("X", ElementType::Float2, half + 1);
  m.run(half / 2 - 1, 1, [&](Item& it, int) {
    const int k = it.id + 1;
    const cf a = it.load<cf>(Y, k), b = it.load<cf>(Y, half - k);
    const cf G = (a + std::conj(b)) / 2.0f, H = cf(a.imag() + b.imag(), b.real() - a.real()) / 2.0f;
    const cf t = narrow(cd(H) * unit(-double(k) / 64));
    it.store<cf>(X, k, G + t);
    it.store<cf>(X, half - k, std::conj(G - t));
  });
}

// Two real signals are transformed as one complex one: whose spectrum is whose?
inline void two_signals(Machine& m, Signal signal, int seed) {
  const int n = 64, Y = complex_buffer(m, "Y", n, signal, seed), A = m.add("A", ElementType::Float2, n / 2),
            B = m.add("B", ElementType::Float2, n / 2);
  m.run(n / 2 - 1, 1, [&](Item& it, int) {
    const int k = it.id + 1;
    const cf a = it.load<cf>(Y, k), b = it.load<cf>(Y, n - k);
    it.store<cf>(A, k, (a + std::conj(b)) / 2.0f);
    it.store<cf>(B, k, cf(a.imag() + b.imag(), b.real() - a.real()) / 2.0f);
  });
}

// As many places an item as kernels of few items have.
inline void two_signals_in_rows(Machine& m, Signal signal, int seed) {
  const int rows = 15, items = 8, n = 2 * rows * items + 2, Y = complex_buffer(m, "Y", n, signal, seed),
            A = m.add("A", ElementType::Float2, n / 2), B = m.add("B", ElementType::Float2, n / 2);
  m.run(items, 1, [&](Item& it, int) {
    std::vector<cf> low, high;
    const int first = rows * it.id + 1;
    for (int k = first; k < first + rows; ++k) low.push_back(it.load<cf>(Y, k));
    for (int k = first; k < first + rows; ++k) high.push_back(std::conj(it.load<cf>(Y, n - k)));
    for (int r = 0; r < rows; ++r) it.store<cf>(A, first + r, (low[r] + high[r]) / 2.0f);
    for (int r = 0; r < rows; ++r) it.store<cf>(B, first + r, cf(0, -0.5f) * (low[r] - high[r]));
  });
}

inline void mean_of_complex(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 128, signal, seed), y = m.add("y", ElementType::Float2, 64);
  m.run(64, 1, [&](Item& it, int) {
    const cf a = it.load<cf>(x, it.id), b = it.load<cf>(x, it.id + 64);
    it.store<cf>(y, it.id, (a + b) / 2.0f);
  });
}

template <typename T>
void reduce_sequential(Machine& m, int buffer) {
  const int s = m.add("s", m.info.buffers[buffer].type, 16, Space::Local),
            sums = m.add("sums", m.info.buffers[buffer].type, 4);
  m.group_size = 16;
  m.run(64, 6, [&](Item& it, int phase) {
    if (phase == 0) it.store<T>(s, it.local, it.load<T>(buffer, it.id));
    const int stride = 16 >> phase;
    if (phase >= 1 && phase <= 4 && it.local < stride) {
      const T a = it.load<T>(s, it.local), b = it.load<T>(s, it.local + stride);
      it.store<T>(s, it.local, a + b);
    }
    if (phase == 5 && it.local == 0) it.store<T>(sums, it.group, it.load<T>(s, 0));
  });
}

inline void first_add(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 128, signal, seed), y = m.add("y", ElementType::Float, 64);
  m.run(64, 1, [&](Item& it, int) {
    const float a = it.load<float>(x, it.id), b = it.load<float>(x, it.id + 64);
    it.store<float>(y, it.id, a + b);
  });
}

inline void grid_stride(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 512, signal, seed), y = m.add("y", ElementType::Float, 64);
  m.run(64, 1, [&](Item& it, int) {
    float sum = 0;
    for (int i = it.id; i < 512; i += 64) sum += it.load<float>(x, i);
    it.store<float>(y, it.id, sum);
  });
}

// s[t] += s[t + k], again and again, the sum held in a register between its stores.
inline void held_sums(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 64, signal, seed), y = m.add("y", ElementType::Float, 64);
  m.run(8, 1, [&](Item& it, int) {
    float sum = it.load<float>(x, 8 * it.id);
    it.store<float>(y, 8 * it.id, sum);
    for (int i = 1; i < 8; ++i) {
      sum += it.load<float>(x, 8 * it.id + i);
      it.store<float>(y, 8 * it.id + i, sum);
    }
  });
}

inline void loop_of_combines(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 64, signal, seed);
  m.run(8, 1, [&](Item& it, int) {
    for (int k = 1; k < 8; ++k) {
      const float a = it.load<float>(x, it.id), b = it.load<float>(x, it.id + 8 * k);
      it.store<float>(x, it.id, a + b);
    }
  });
}

// Blelloch's way down: left and right change places, then the right one adds.
inline void scan_down(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 64, signal, seed);
  m.run(32, 1, [&](Item& it, int) {
    const int left = 2 * it.id, right = left + 1;
    const float a = it.load<float>(x, left), b = it.load<float>(x, right);
    it.store<float>(x, left, b);
    it.store<float>(x, right, a);
    it.store<float>(x, right, b + a);
  });
}

inline void hillis_steele(Machine& m, Signal signal, int seed) {
  const int x = whole_buffer(m, "x", 64, signal, seed), y = m.add("y", ElementType::UInt, 64);
  m.run(64, 1, [&](Item& it, int) {
    if (it.id >= 8) {
      const std::uint32_t a = it.load<std::uint32_t>(x, it.id - 8), b = it.load<std::uint32_t>(x, it.id);
      it.store<std::uint32_t>(y, it.id, a + b);
    } else {
      it.store<std::uint32_t>(y, it.id, it.load<std::uint32_t>(x, it.id));
    }
  });
}

inline void histogram(Machine& m, Signal, int seed) {
  const int x = m.add("x", ElementType::UInt, 64), bins = m.add("bins", ElementType::UInt, 16);
  std::mt19937 random(static_cast<unsigned>(seed));
  for (int j = 0; j < 64; ++j) m.at<std::uint32_t>(x, j) = random() % 16;
  m.run(64, 2, [&](Item& it, int phase) {
    if (phase == 0 && it.id < 16) it.store<std::uint32_t>(bins, it.id, 0);
    if (phase == 1) it.atomic_add<std::uint32_t>(bins, it.load<std::uint32_t>(x, it.id), 1);
  });
}

inline void transposed(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 64, signal, seed), y = m.add("y", ElementType::Float2, 64);
  const int tile = m.add("tile", ElementType::Float2, 72, Space::Local);
  m.run(64, 2, [&](Item& it, int phase) {
    const int row = it.id / 8, column = it.id % 8;
    if (phase == 0) it.store<cf>(tile, 9 * row + column, it.load<cf>(x, it.id));
    if (phase == 1) it.store<cf>(y, it.id, it.load<cf>(tile, 9 * column + row));
  });
}

inline void dft_with_table(Machine& m, Signal signal, int seed) {
  const int n = 16, x = complex_buffer(m, "x", n, signal, seed), y = m.add("y", ElementType::Float2, n);
  const int table = m.add("table", ElementType::Float2, n);
  for (int k = 0; k < n; ++k) m.at<cf>(table, k) = narrow(unit(-double(k) / n));
  m.run(n, 1, [&](Item& it, int) {
    cf sum = 0;
    for (int j = 0; j < n; ++j) {
      const cf w = it.load<cf>(table, j * it.id % n), v = it.load<cf>(x, j);
      sum += narrow(cd(w) * cd(v));
    }
    it.store<cf>(y, it.id, sum);
  });
}

inline void dft_computed(Machine& m, Signal signal, int seed) {
  const int n = 16, x = complex_buffer(m, "x", n, signal, seed), y = m.add("y", ElementType::Float2, n);
  m.run(n, 1, [&](Item& it, int) {
    cf sum = 0;
    for (int j = 0; j < n; ++j) sum += narrow(unit(-double(j * it.id % n) / n) * cd(it.load<cf>(x, j)));
    it.store<cf>(y, it.id, sum);
  });
}

inline void maximum(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 128, signal, seed), y = m.add("y", ElementType::Float, 64);
  m.run(64, 1, [&](Item& it, int) {
    const float a = it.load<float>(x, it.id), b = it.load<float>(x, it.id + 64);
    it.store<float>(y, it.id, std::max(a, b));
  });
}

inline void product_of_three(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 96, signal, seed), y = m.add("y", ElementType::Float, 32);
  m.run(32, 1, [&](Item& it, int) {
    float product = 1;
    for (int k = 0; k < 3; ++k) product *= it.load<float>(x, it.id + 32 * k);
    it.store<float>(y, it.id, product);
  });
}

// ---- what is no butterfly

inline void saxpy(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 64, signal, seed), y = real_buffer(m, "y", 64, Signal::Random, seed + 1);
  m.run(64, 1, [&](Item& it, int) {
    const float a = it.load<float>(x, it.id), b = it.load<float>(y, it.id);
    it.store<float>(y, it.id, 2.5f * a + b);
  });
}

// Sum and difference of two real numbers side by side, which as a complex value have turned by an angle of their own each.
inline void haar(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 64, signal, seed), y = m.add("y", ElementType::Float, 64);
  m.run(32, 1, [&](Item& it, int) {
    const float a = it.load<float>(x, 2 * it.id), b = it.load<float>(x, 2 * it.id + 1);
    it.store<float>(y, 2 * it.id, (a + b) / 8);
    it.store<float>(y, 2 * it.id + 1, (a - b) / 8);
  });
}

// What a kernel's scalar argument is added to, multiplied by, or both.
template <typename T>
void with_scalars(Machine& m, int x, T factor, T offset) {
  const int y = m.add("y", m.info.buffers[static_cast<std::size_t>(x)].type, 64);
  m.run(64, 1, [&](Item& it, int) { it.store<T>(y, it.id, it.load<T>(x, it.id) * factor + offset); });
}

inline void complex_product(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 64, signal, seed), y = complex_buffer(m, "y", 64, Signal::Random, seed + 1);
  const int z = m.add("z", ElementType::Float2, 64);
  m.run(64, 1, [&](Item& it, int) {
    const cf a = it.load<cf>(x, it.id), b = it.load<cf>(y, it.id);
    it.store<cf>(z, it.id, narrow(cd(a) * cd(b)));
  });
}

inline void blur(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 66, signal, seed), y = m.add("y", ElementType::Float, 64);
  m.run(64, 1, [&](Item& it, int) {
    const float a = it.load<float>(x, it.id), b = it.load<float>(x, it.id + 1), c = it.load<float>(x, it.id + 2);
    it.store<float>(y, it.id, 0.25f * a + 0.5f * b + 0.25f * c);
  });
}

inline void givens(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 128, signal, seed);
  m.run(64, 1, [&](Item& it, int) {
    const float c = 0.8f, s = 0.6f;
    const float a = it.load<float>(x, it.id), b = it.load<float>(x, it.id + 64);
    it.store<float>(x, it.id, c * a + s * b);
    it.store<float>(x, it.id + 64, c * b - s * a);
  });
}

inline void sort_step(Machine& m, Signal signal, int seed) {
  const int x = real_buffer(m, "x", 64, signal, seed);
  m.run(32, 1, [&](Item& it, int) {
    const float a = it.load<float>(x, 2 * it.id), b = it.load<float>(x, 2 * it.id + 1);
    it.store<float>(x, 2 * it.id, std::min(a, b));
    it.store<float>(x, 2 * it.id + 1, std::max(a, b));
  });
}

inline void square(Machine& m, Signal signal, int seed) {
  const int x = complex_buffer(m, "x", 64, signal, seed);
  m.run(64, 1, [&](Item& it, int) {
    const cd a = it.load<cf>(x, it.id);
    it.store<cf>(x, it.id, narrow(a * a));
  });
}

inline std::vector<LiftCase> other_cases() {
  return {
      {"two butterflies in a row", two_in_a_row, "butterfly2 x32", ""},
      {"two butterflies side by side", two_side_by_side, "butterfly2 x32", ""},
      {"stores interleaved with loads", interleaved_stores, "butterfly8 x32", ""},
      {"split in time", split_in_time, "butterfly4 x32", ""},
      {"real and imaginary parts in two buffers", planar_radix4, "butterfly4 x16", ""},
      {"complex values as pairs of floats", interleaved_floats, "butterfly2 x32", ""},
      {"double precision", double_precision, "butterfly2 x32", ""},
      {"twiddles from a table", with_table, "butterfly2 x32", ""},
      {"stages in local memory", local_stages, "butterfly2 x192, move x128", ""},
      {"one launch, longer loops", single_launch, "butterfly2 x80", ""},
      {"bit reversal", bit_reversal, "move x56", ""},
      {"scale", scaled, "scale x64", ""},
      {"rotation by a table", rotated, "rotate x64", ""},
      {"split of a real transform", real_split, "pack x32", ""},
      {"split of a real transform, half of its bins", mirrored_split, "pack x15", ""},
      {"spectra of two real signals", two_signals, "pack x62", "undecided"},
      {"spectra of two real signals, fifteen places an item", two_signals_in_rows, "pack x240", "undecided"},
      {"mean of complex values", mean_of_complex, "linear2 x64", "undecided"},
      {"reduction of floats",
       [](Machine& m, Signal signal, int seed) { reduce_sequential<float>(m, real_buffer(m, "x", 64, signal, seed)); },
       "move x68, sum2 x60", ""},
      {"reduction of words",
       [](Machine& m, Signal signal, int seed) {
         reduce_sequential<std::uint32_t>(m, whole_buffer(m, "x", 64, signal, seed));
       },
       "move x68, sum2 x60", ""},
      {"addition while loading", first_add, "sum2 x64", ""},
      {"sums of a grid's stride", grid_stride, "sum8 x64", ""},
      {"sums held in a register", held_sums, "move x8, sum2 x56", ""},
      {"a loop of combines", loop_of_combines, "sum2 x56", ""},
      {"the way down of a scan", scan_down, "move x64, sum2 x32", ""},
      {"Hillis and Steele", hillis_steele, "move x8, sum2 x56", ""},
      {"histogram", histogram, "atomic x64, constant x16", ""},
      {"transposition", transposed, "move x128", ""},
      {"Fourier transform by definition, table", dft_with_table, "linear16 x16", ""},
      {"Fourier transform by definition", dft_computed, "linear16 x16", ""},
      {"maximum", maximum, "maximum2 x64", "undecided"},
      {"product", product_of_three, "product3 x32", ""},
      {"saxpy", saxpy, "linear2 x64", ""},
      {"complex product", complex_product, "product2 x64", ""},
      {"blur", blur, "linear3 x64", "undecided"},
      {"Haar's sums and differences", haar, "butterfly2 x32", "undecided"},
      {"a number plus an argument",
       [](Machine& m, Signal signal, int seed) { with_scalars(m, real_buffer(m, "x", 64, signal, seed), 1.0f, 0.7f); },
       "linear1 x64", "undecided"},
      {"a number times an argument, plus another",
       [](Machine& m, Signal signal, int seed) { with_scalars(m, real_buffer(m, "x", 64, signal, seed), -3.1f, 0.2f); },
       "linear1 x64", "undecided"},
      {"a complex number plus an argument",
       [](Machine& m, Signal signal, int seed) {
         with_scalars(m, complex_buffer(m, "x", 64, signal, seed), cf(1, 0), cf(0.3f, -0.4f));
       },
       "linear1 x64", "undecided"},
      {"a word times an argument, plus another",
       [](Machine& m, Signal signal, int seed) { with_scalars(m, whole_buffer(m, "x", 64, signal, seed), 10u, ~2u); },
       "linear1 x64", "undecided"},
      {"a word plus an argument",
       [](Machine& m, Signal signal, int seed) { with_scalars(m, whole_buffer(m, "x", 64, signal, seed), 1u, 5u); },
       "linear1 x64", "undecided"},
      {"Givens rotation", givens, "linear2 x128", "undecided"},
      {"sort", sort_step, "maximum2 x32, minimum2 x32", "move x64"},
      {"square", square, "", ""},
  };
}

}  // namespace twiddle::recorded
