// Formulas in running text: what is taken apart, and what stays as it is.
#include "viewer/scene/formula.h"

#include "viewer/scene/fonts.h"

#include <doctest.h>

#include <string>

using namespace twiddle;

namespace {

/// "w[_8][^3] turns": what is below and above in brackets.
std::string parts_text(const std::string& text) {
  std::string out;
  for (const FormulaPart& part : formula_parts(text))
    out += part.place == FormulaPart::Place::Line    ? part.text
           : part.place == FormulaPart::Place::Below ? "[_" + part.text + "]"
                                                     : "[^" + part.text + "]";
  return out;
}

}  // namespace

TEST_CASE("formulas in a text are taken apart, names and code are not") {
  for (const auto& [text, expected] : {std::pair{"w_8^3 turns", "w[_8][^3] turns"},
                                       {"a multiple of 2^s.", "a multiple of 2[^s]."},
                                       {"e^(−2πi/N)", "e[^−2πi/N]"},
                                       {"w_N^(jk) = x", "w[_N][^jk] = x"},
                                       {"−w_N^k", "−w[_N][^k]"},
                                       {"2^20 points, 2^-11 off", "2[^20] points, 2[^−11] off"},
                                       {"10^−6", "10[^−6]"},
                                       {"(a + b)^2", "(a + b)[^2]"},
                                       {"|x[j]|^2, a[1]^2", "|x[j]|[^2], a[1][^2]"},
                                       {"w_N^((2i+1)k)", "w[_N][^(2i+1)k]"},
                                       {"w_(N/2)^k", "w[_N/2][^k]"},
                                       {"N·log_2 N", "N·log[_2] N"},
                                       {"blog_2, w_(N", "blog_2, w_(N"},
                                       {"fft_stage", "fft_stage"},
                                       {"x_re and a_b1", "x_re and a_b1"},
                                       {"TRACE_MOVE(sums, 0)", "TRACE_MOVE(sums, 0)"},
                                       {"lid ^ 1", "lid ^ 1"},
                                       {"lid^1", "lid^1"},
                                       {"2^", "2^"},
                                       {"2^()", "2^()"},
                                       {"w_", "w_"},
                                       {"", ""}}) {
    CAPTURE(text);
    CHECK(parts_text(text) == expected);
  }
}

TEST_CASE("a typeset text is never wider than as it is typed, and is drawn as wide as it says") {
  const Font font{Face::Sans, Weight::Regular, 20};
  for (const char* text : {"w_8^3 turns", "plain words", "e^(−2πi/N) · w_N^(jk)", "2^20"}) {
    CAPTURE(text);
    Scene scene;
    CHECK(formula_width(font, text) <= text_width(font, text) + 0.01f);
    CHECK(formula_text(scene, {5, 30}, text, font, Role::Ink) == doctest::Approx(formula_width(font, text)));
    float right = 0;
    for (const Shape2D& shape : scene.shapes) right = std::max(right, bounds(shape).right());
    CHECK(right <= 5 + formula_width(font, text) + 1);
  }
}
