// A reason in words, with the usual ones ready to tap.

import { act } from "./api.js";
import { h } from "./dom.js";
import { key, once, openSheet } from "./sheet.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

const USUAL = {
  void: [t("Misdeal"), t("A card was exposed"), t("Wrong number of cards"), t("Wrong order of dealing")],
  overrule: [t("Settled by hand"), t("Supervisor's decision"), t("House ruling")],
};

export function reasonSheet(action, extra = {}) {
  const input = h("input", { class: "reason-input", maxlength: 200, "aria-label": t("Reason") });
  const titles = { void: t("Misdeal: why?"), overrule: t("Overrule: why?") };
  const explain = {
    void: t("The round does not count. Every bet goes back."),
    overrule: t("The hand passes as it was settled by hand. The reason is recorded."),
  };
  const send = once(async (reason) => {
    if (!reason.trim()) toast(t("A reason is needed."));
    else if (await act(action, { ...extra, reason: reason.trim() })) close();
  });
  const close = openSheet(
    titles[action],
    h(
      "div",
      { class: "reasons" },
      h("p", {}, explain[action]),
      USUAL[action].map((text) => key(text, "usual", { "data-value": text })),
      input,
    ),
    [key(t("Cancel"), "close"), key(t("Enter"), "save", { class: "warn" })],
    (pressed, data) => {
      if (pressed === "usual") send(data.value);
      else if (pressed === "save") send(input.value);
      else return false;
      return true;
    },
  );
}
