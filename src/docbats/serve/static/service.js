// Requests to the service, and the dialog that asks for its token.

import { byId } from "./dom.js";

const TOKEN = "docbats-token"; // the key in the session storage, which ends with the tab

// The address that `docbats serve` prints may hold the token; it does not stay in the history.
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  sessionStorage.setItem(TOKEN, given);
  history.replaceState(null, "", location.pathname + location.search);
}

export async function request(path, options = {}) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { ...options.headers };
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(path, { ...options, headers, cache: "no-store" });
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  if (response.status === 401) askForToken();
  throw new Error(problem.detail || `The service responded with status ${response.status}.`);
}

function askForToken() {
  const dialog = byId("token-dialog");
  byId("token-error").hidden = !sessionStorage.getItem(TOKEN);
  if (!dialog.open) dialog.showModal();
}

// Call a function each time that a token was entered.
export function onToken(callback) {
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem(TOKEN, byId("token").value);
    byId("token-dialog").close();
    callback();
  });
}
