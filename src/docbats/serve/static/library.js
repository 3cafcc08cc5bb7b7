// The documents of this browser: kept in its own storage, so that they survive a refresh.

import { newId } from "./dom.js";

const NAME = "docbats";
const STORE = "documents";

// Where there is no storage, as in some private windows, documents last as long as the page.
function open() {
  return new Promise((resolve) => {
    let request;
    try {
      request = indexedDB.open(NAME, 1);
    } catch {
      resolve(null);
      return;
    }
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
    request.onblocked = () => resolve(null);
  });
}

const database = open();

async function run(mode, action) {
  const base = await database;
  if (!base) return undefined;
  return new Promise((resolve) => {
    const transaction = base.transaction(STORE, mode);
    const request = action(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => resolve(undefined); // such as a full disk
    transaction.onabort = () => resolve(undefined);
  });
}

export async function loadDocuments() {
  const found = (await run("readonly", (store) => store.getAll())) ?? [];
  return found.sort((a, b) => a.added - b.added);
}

export const saveDocument = (document) => run("readwrite", (store) => store.put(document));
export const removeDocument = (id) => run("readwrite", (store) => store.delete(id));
export const clearDocuments = () => run("readwrite", (store) => store.clear());

let lastAdded = 0;

export function newDocument(values) {
  lastAdded = Math.max(Date.now(), lastAdded + 1); // files opened together keep their order
  return { id: newId().slice(0, 8), added: lastAdded, name: "", text: "", ...values };
}
