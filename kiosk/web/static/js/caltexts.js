// What the checks, the pieces and the verdicts are called.

import { t } from "./words.js";

export const CHECKS = {
  focus: t("Focus"),
  sharpness: t("Sharpness to the edges"),
  exposure: t("Exposure"),
  light: t("Even light"),
};

export const VERDICTS = { good: t("good"), tight: t("just enough"), "too small": t("too small") };

export const PIECES = [t("far left"), t("far right"), t("near right"), t("near left")];

export const LENS_WHY = {
  "no-board": t("The board is not seen."),
  "cut-off": t("Less than half of the board is seen."),
  same: t("That is like a picture before: move or tilt the board."),
};

export const USED = {
  now: t("In use now."),
  clear: t("It will be used as soon as the felt is clear and the hand is over."),
  restart: t("Kept with its camera. Start the kiosk again to use them."),
};

export const STEPS = [t("Camera"), t("Felt"), t("Zones"), t("Save and use")];
