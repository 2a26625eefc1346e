#include "viewer/facts/search.h"

#include "synthetic_trace.h"
#include "test_support.h"

#include <doctest.h>

using namespace twiddle;

TEST_CASE("the search box finds items, elements, twiddles, positions and steps, on from where one is") {
  Document document(synthetic::Fft<float>({.n = 8}).in_memory());
  const auto found = [&](const char* text, std::uint64_t from = 0) { return search(document, text, from); };
  CHECK(found("8").step == 8);
  CHECK(found(" step 8 ").step == 8);
  CHECK(found("end").step == document.info().steps);
  CHECK(found("L3.S2.I1").step == 8);

  CHECK(found("item 3").step == 2);  // the second swap is item 3's
  const Found next = found("item 3", 2);
  CHECK(document.replay->operation(next.step).item == 3);
  CHECK(next.step > 2);
  CHECK(found("item 3", document.info().steps).step == 2);  // round past the end
  REQUIRE(next.pin);
  CHECK(next.pin->kind == MarkKind::Operation);

  const Found element = found("element 3", 0);
  REQUIRE(element.pin);
  CHECK(element.pin->index == 3);
  const Operation touching = document.replay->operation(element.step);
  CHECK(std::any_of(touching.writes.begin(), touching.writes.end(),
                    [&](const Access& write) { return write.buffer == element.pin->buffer && write.index == 3; }));
  CHECK(found("F[3]").step == element.step);
  CHECK(found("data[1]").step == 1);

  const Operation turned = document.replay->operation(found("twiddle 0.7071").step);
  CHECK(turned.coefficients[0].component(0) == doctest::Approx(0.70710678));
  CHECK(found("w −0.7071").step > 0);

  CHECK(contains(sentence_of([&] { found("item 99"); }), "0 to 7"));
  CHECK(contains(sentence_of([&] { found("element 99"); }), "8 elements"));
  CHECK(contains(sentence_of([&] { found("G[1]"); }), "no buffer G"));
  CHECK(contains(sentence_of([&] { found("twiddle 3"); }), "No twiddle"));
  CHECK(contains(sentence_of([&] { found("99"); }), "There is no step 99"));
  CHECK(contains(sentence_of([&] { found("  "); }), "item 5"));
}
