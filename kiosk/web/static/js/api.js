// What people enter goes to the server; a refusal is shown as one line, and what needs leave or a
// reason asks for it.

import { askLeave } from "./leave.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

// The token of the page: whoever is signed in must send it with every change.
export function tokenHeader() {
  const token = document.querySelector('meta[name="csrf"]')?.content;
  return token ? { "X-CSRF-Token": token } : {};
}

export async function get(path) {
  const response = await fetch(`/api/v1/${path}`).catch(() => null);
  return response?.ok ? response.json() : null;
}

async function ask(path, body, headers) {
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...tokenHeader(), ...headers },
      body: JSON.stringify(body),
    });
  } catch {
    return { ok: false, answer: { message: t("No connection: nothing was entered.") } };
  }
  return { ok: response.ok, answer: await response.json().catch(() => ({})) };
}

async function plain(path, body, headers = {}) {
  let { ok, answer } = await ask(path, body, headers);
  if (!ok && answer.error === "csrf") {
    // Somebody else has signed in at this browser meanwhile: the page takes over the new token.
    const known = await get("dealer");
    const meta = document.querySelector('meta[name="csrf"]');
    if (known && meta) {
      meta.content = known.csrf;
      ({ ok, answer } = await ask(path, body, headers));
    }
  }
  return { ok, answer };
}

// Presses at the table reach the kiosk in the order they were made: each waits for the answer to the
// one before, but not for ever. Box 2 and then confirm must never come as confirm and then box 2, nor
// the card put right before the picture of the misread one is kept.
const PATIENCE_MS = 10000;
const IN_ORDER = /^(round|panel)\/|^misread(\/hold)?$|^calibrate\/(lens$|deck\/)/;
let before = Promise.resolve();

function inOrder(send) {
  const patience = new Promise((go) => setTimeout(go, PATIENCE_MS));
  const sent = Promise.race([before, patience]).then(send);
  before = sent.catch(() => {});
  return sent;
}

function sent(path, body, headers) {
  const send = () => plain(path, body, headers);
  return IN_ORDER.test(path) ? inOrder(send) : send();
}

export async function post(path, body, headers = {}) {
  const { ok, answer } = await sent(path, body, headers);
  if (ok) return answer;
  const asked = Object.keys(headers).length > 0;
  if (answer.error === "needs-leave" && !asked) return askLeave({ get, post }, path, body);
  if (answer.error === "reason-needed" && !body.reason) return askLeave({ get, post }, path, body, true);
  toast(answer.message ?? t("That did not work"));
  return null;
}

// What the page does of itself: a refusal is nobody's matter.
export async function quietly(path, body) {
  await sent(path, body).catch(() => {});
}

let hand = null;

// The hand that the page shows: what is entered counts for this one or not at all.
export function showsHand(id) {
  hand = id;
}

export function act(action, body = {}) {
  return post(`round/${action}`, hand === null ? body : { ...body, round: hand });
}
