// Who deals now: a sign at the top, and a sheet with faces and a PIN.

import { h } from "./dom.js";
import { get, post } from "./api.js";
import { whoAndPin } from "./leave.js";
import { key, once, openSheet } from "./sheet.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

export function dealerSign(dealer) {
  if (!dealer.set_up) {
    return h("a", { class: "sign maybe", href: "/setup" }, `! ${t("No admin yet: set up")}`);
  }
  const name = dealer.dealer ? t("Deals: {name}", { name: dealer.dealer.name }) : t("Who deals?");
  if (!dealer.here) return dealer.dealer ? h("span", { class: "sign" }, name) : null;
  return h("button", { type: "button", class: "sign dealer-sign", "data-do": "who-deals" }, name);
}

let asked = 0;

// Who deals, as the newest question was answered: null for the answer to an older one. The token of
// forms and scripts changes with the session.
async function newest(question) {
  asked += 1;
  const mine = asked;
  const answer = await question;
  if (!answer || mine !== asked) return null;
  const meta = document.querySelector('meta[name="csrf"]');
  if (meta && answer.csrf) meta.content = answer.csrf;
  return answer;
}

export function askDealer() {
  return newest(get("dealer"));
}

export function dealerSheet(dealer, learned) {
  if (!dealer.people.length) {
    toast(t("Nobody has a PIN yet: an instructor adds people on the page People."));
    return;
  }
  const who = whoAndPin(dealer.people, dealer.dealer?.id ?? null);
  const choose = once(async (body) => {
    const answer = await post("dealer", body);
    who.clear();
    if (!answer) return;
    learned(await newest(answer));
    close();
    // What was asked before this answer came knows only the session before.
    askDealer().then(learned);
  });
  const enter = () => {
    const { person, pin } = who.value();
    if (!person || !pin) toast(t("Choose a person and enter the PIN."));
    else choose({ person, pin });
  };
  who.onEnter(enter);
  const close = openSheet(
    t("Who deals?"),
    h("div", { class: "leave" }, who.element),
    [
      key(t("Nobody"), "nobody", { disabled: !dealer.dealer }),
      key(t("Cancel"), "close"),
      key(t("Begin to deal"), "begin", { class: "good" }),
    ],
    (pressed, data) => {
      if (pressed === "begin") enter();
      else if (pressed === "nobody") choose({ person: null });
      else return who.pressed(pressed, data);
      return true;
    },
  );
  who.begin();
}
