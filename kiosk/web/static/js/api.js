// What people enter goes to the server; a refusal is shown as one line.

import { toast } from "./toast.js";
import { t } from "./words.js";

// The token of the page: whoever is signed in must send it with every change.
export function tokenHeader() {
  const token = document.querySelector('meta[name="csrf"]')?.content;
  return token ? { "X-CSRF-Token": token } : {};
}

export async function post(path, body) {
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...tokenHeader() },
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

export function act(action, body = {}) {
  return post(`round/${action}`, body);
}
