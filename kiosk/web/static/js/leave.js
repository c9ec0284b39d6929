// An action that needs an instructor or a supervisor: choose who allows it, their PIN, and a reason where one is due.

import { h } from "./dom.js";
import { key, once, openSheet } from "./sheet.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

// What needs a reason, with the usual ones ready to tap.
const WITH_REASON = {
  undo: [t("Slip of the finger"), t("Pressed too early")],
  hold: [t("Dispute settled"), t("Counted again"), t("Held by mistake")],
  bets: [t("Bet was misheard"), t("Chips were counted again")],
  cards: [t("Card was misread"), t("Card was entered wrongly")],
};
const OF_SUPERVISORS = ["overrule"];

// Faces to choose from, a PIN field and its pad. `pressed` handles the pad; `value()` reads both.
export function whoAndPin(people, chosen = null) {
  let person = chosen;
  const field = h("input", {
    class: "pin",
    type: "password",
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: 12,
    "aria-label": t("PIN"),
  });
  const faces = people.map((one) =>
    h(
      "button",
      {
        type: "button",
        class: "choice face-key",
        "data-do": "face",
        "data-person": one.id,
        "aria-pressed": String(one.id === person),
      },
      one.name,
    ),
  );
  const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0"];
  const element = h(
    "div",
    { class: "who-and-pin" },
    h("div", { class: "face-keys", role: "group", "aria-label": t("Person") }, faces),
    h(
      "div",
      { class: "pin-side" },
      field,
      h("div", { class: "pad" }, digits.map((digit) => key(digit, "pin-digit", { "data-value": digit }))),
    ),
  );
  return {
    element,
    value: () => ({ person, pin: field.value }),
    pressed(action, data) {
      if (action === "face") {
        person = data.person;
        for (const face of faces) face.setAttribute("aria-pressed", String(face.dataset.person === person));
        field.focus({ preventScroll: true });
      } else if (action === "pin-digit") {
        field.value = data.value === "⌫" ? field.value.slice(0, -1) : field.value + data.value;
      } else return false;
      return true;
    },
    begin() {
      (person ? field : faces[0])?.focus({ preventScroll: true });
    },
    clear() {
      field.value = "";
    },
    onEnter(use) {
      field.addEventListener("keydown", (event) => {
        if (event.key === "Enter") use();
      });
    },
  };
}

function usualReasons(action) {
  return h("div", { class: "usual-reasons" }, WITH_REASON[action].map((text) => key(text, "usual", { "data-value": text })));
}

function title(action) {
  return OF_SUPERVISORS.includes(action) ? t("A supervisor must allow this") : t("An instructor must allow this");
}

// Resolves to the answer of the action once it was allowed, null when nobody allowed it.
export function askLeave(send, path, body, reasonOnly = false) {
  const action = path.split("/").pop();
  return new Promise((resolve) => {
    let done = false;
    const finish = (answer) => {
      if (done) return;
      done = true;
      resolve(answer);
    };
    open(send, action, path, body, reasonOnly, finish);
  });
}

async function open(send, action, path, body, reasonOnly, finish) {
  const known = reasonOnly ? null : await send.get("dealer");
  const people = (known?.people ?? []).filter((person) => person.leave.includes(action));
  if (!reasonOnly && !people.length) {
    toast(
      OF_SUPERVISORS.includes(action)
        ? t("A supervisor must sign in for this (menu: Sign in).")
        : t("An instructor must sign in for this (menu: Sign in)."),
    );
    return finish(null);
  }
  const who = reasonOnly ? null : whoAndPin(people, people.length === 1 ? people[0].id : null);
  const due = action in WITH_REASON && !body.reason;
  const reason = h("input", { class: "reason-input", maxlength: 200, placeholder: t("Reason"), "aria-label": t("Reason") });
  const allow = once(async () => {
    const why = reason.value.trim();
    if (due && !why) return toast(t("A reason is needed."));
    let headers = {};
    if (who) {
      const { person, pin } = who.value();
      if (!person || !pin) return toast(t("Choose a person and enter the PIN."));
      const given = await send.post("approve", { person, pin, action });
      who.clear();
      if (!given) return undefined;
      headers = { "X-Approval": given.approval };
    }
    const answer = await send.post(path, due ? { ...body, reason: why } : body, headers);
    if (answer) close();
    return answer ? finish(answer) : undefined;
  });
  who?.onEnter(allow);
  const close = openSheet(
    reasonOnly ? t("Why?") : title(action),
    h("div", { class: "leave" }, due ? usualReasons(action) : null, due ? reason : null, who?.element ?? null),
    [key(t("Cancel"), "close"), key(t("Allow"), "allow", { class: "good" })],
    (pressed, data) => {
      if (pressed === "allow") allow();
      else if (pressed === "usual") {
        reason.value = data.value;
        if (who) who.begin();
        else allow();
      } else if (pressed === "close") {
        finish(null);
        return false;
      } else return who?.pressed(pressed, data) ?? false;
      return true;
    },
  );
  if (due) reason.focus();
  else who?.begin();
}
