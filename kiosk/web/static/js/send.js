// What the plain pages send: one JSON body, a refusal shown as one line.

import { toast } from "./toast.js";
import { t } from "./words.js";

export async function send(path, body) {
  const token = document.querySelector('meta[name="csrf"]')?.content;
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(token ? { "X-CSRF-Token": token } : {}) },
      body: JSON.stringify(body),
    });
  } catch {
    toast(t("No connection: nothing was entered."));
    return null;
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  toast(answer.message ?? t("That did not work"));
  return null;
}
