// On the page Troubleshooting: a field for a message, which shows the messages on the page that have most of its words.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const section = document.getElementById("every-message");
  if (section === null) return;
  const wordsOf = (text) => new Set(text.toLowerCase().match(/[a-z_]{2,}/g) ?? []);
  const messages = [...section.querySelectorAll("li")].map((entry) => ({ entry, words: wordsOf(entry.textContent) }));

  // Messages that have all words asked for. Names and values of the user are not on the page: if no message has all, then
  // those that share most words with the text, for their length.
  const nearest = (asked) => {
    const shared = messages.map(({ words }) => [...words].filter((word) => asked.has(word)).length);
    if (Math.max(...shared) === asked.size) return new Set(messages.filter((_, place) => shared[place] === asked.size));
    const scores = messages.map(({ words }, place) => shared[place] ** 2 / Math.max(words.size, 1));
    const least = Math.max(...scores) * 0.8;
    return new Set(messages.filter((_, place) => scores[place] > 0 && scores[place] >= least));
  };

  const field = document.createElement("textarea");
  field.placeholder = "Paste a message here to find it";
  field.setAttribute("aria-label", field.placeholder);
  field.rows = 2;
  field.style.cssText = "box-sizing: border-box; width: 100%; font: inherit";
  field.addEventListener("input", () => {
    const asked = wordsOf(field.value);
    const shown = asked.size > 0 ? nearest(asked) : new Set(messages);
    for (const message of messages) message.entry.hidden = !shown.has(message);
    for (const part of section.querySelectorAll("section")) {
      part.hidden = part.querySelector("li:not([hidden])") === null;
    }
  });
  section.querySelector("h2").after(field);
});
