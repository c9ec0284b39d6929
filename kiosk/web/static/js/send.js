// What the plain pages send: one JSON body, a refusal shown as one line.

import { toast } from "./toast.js";
import { t } from "./words.js";

// `answer`: null when nothing was taken; then `error` is the kind of the refusal ("offline": no
// connection) and `message` its line, which is shown.
export async function send(path, body) {
  const found = await ask(path, body);
  if (found.error) toast(found.message);
  return found;
}

async function ask(path, body) {
  const token = document.querySelector('meta[name="csrf"]')?.content;
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(token ? { "X-CSRF-Token": token } : {}) },
      body: JSON.stringify(body),
    });
  } catch {
    return refused("offline", t("No connection: nothing was entered."));
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return { answer, error: null };
  return refused(answer.error ?? "unknown", answer.message ?? t("That did not work"));
}

function refused(error, message) {
  return { answer: null, error, message };
}
