// What people enter goes to the server; a refusal is shown as one line.

import { toast } from "./toast.js";
import { t } from "./words.js";

export async function post(path, body) {
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
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
