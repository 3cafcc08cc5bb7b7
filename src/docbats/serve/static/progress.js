// How far the analysis is, asked of the service while it takes long, and the button that stops it.

import { byId } from "./dom.js";
import { request } from "./service.js";

const SLOW = 600; // milliseconds after which progress is shown
const PAUSE = 400; // milliseconds between two questions

// Show the progress of requests with these names until the function returned is called.
export function showProgress(names, cancel) {
  let over = false;
  const ask = async () => {
    if (over) return;
    try {
      const told = await Promise.all(names.map(async (name) =>
        (await request(`v1/progress/${name}`)).json()));
      const known = told.find(({ stage }) => stage);
      if (!over && known) show(known);
    } catch {
      // the answer to the analysis itself says what is wrong
    }
    if (!over) setTimeout(ask, PAUSE);
  };
  const timer = setTimeout(() => {
    show({ stage: "Analyzing", share: null });
    byId("progress").hidden = false;
    ask();
  }, SLOW);
  byId("cancel").onclick = cancel;
  return () => {
    over = true;
    clearTimeout(timer);
    byId("progress").hidden = true;
  };
}

function show({ stage, share }) {
  byId("stage").textContent = `${stage}…`;
  if (share === null) byId("share").removeAttribute("value");
  else byId("share").value = share;
}
