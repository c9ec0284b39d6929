// Names of the kinds of mistakes.

import { t } from "./words.js";

const KINDS = {
  "misread-hand": t("hand misread"),
  "second-combination": t("second combination"),
  "wrong-row": t("wrong row of the pay table"),
  "side-bet": t("side bet missed"),
  qualification: t("dealer's game misjudged"),
  cap: t("table maximum"),
  arithmetic: t("arithmetic"),
  "house-rule": t("house rule"),
  "left-out": t("bet left out"),
  "not-placed": t("bet not placed"),
  order: t("order"),
  "card-count": t("number of cards"),
  other: t("wrong result"),
};

export function kindName(kind) {
  return KINDS[kind] ?? kind;
}

// "paid 100 too much": over- and underpayment are told alike.
export function differenceText(difference, money) {
  if (!difference) return "";
  const amount = money(Math.abs(difference));
  return difference > 0
    ? t("{amount} too much for the player", { amount })
    : t("{amount} too little for the player", { amount });
}
