// Light or dark as the reader's system has it, until the reader chooses the other; that is kept in this browser, for all pages of
// the course. Read in the head, so that a page is never seen in the wrong colours first.
"use strict";
(() => {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)"), shelf = "twiddle-theme";
  const system = () => dark.matches ? "dark" : "light";
  try {
    const kept = localStorage.getItem(shelf);
    if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  } catch { /* no storage: the system's */ }
  function show() {
    for (const button of document.querySelectorAll("[data-choose]"))
      button.setAttribute("aria-pressed", String(button.dataset.choose === (root.dataset.theme || system())));
    document.dispatchEvent(new Event("themechange"));
  }
  // To choose what the system has is to follow it again.
  document.addEventListener("choosetheme", (event) => {
    const chosen = event.detail;
    try {
      if (chosen === system()) localStorage.removeItem(shelf);
      else localStorage.setItem(shelf, chosen);
    } catch { /* not kept */ }
    if (chosen === system()) delete root.dataset.theme;
    else root.dataset.theme = chosen;
    show();
  });
  dark.addEventListener("change", show);
  addEventListener("DOMContentLoaded", () => {
    document.querySelector(".themes").hidden = false;  // it needs this script
    for (const button of document.querySelectorAll("[data-choose]"))
      button.addEventListener("click", () => document.dispatchEvent(new CustomEvent("choosetheme", {detail: button.dataset.choose})));
    show();
  });
})();
