// The event feed. It says when the connection is lost and comes back by itself.

const SILENCE_MS = 5000;
const AGAIN_MS = 1500;
const HIDDEN_MS = 15000;
const NAMES = ["hello", "round", "table", "health", "panel", "dealer", "rules", "beat"];

export function connect({ onEvent, onLost, onFound }) {
  let source = null;
  let alive = false;
  let heard = performance.now();
  let again = null;

  function open() {
    clearTimeout(again);
    again = null;
    source?.close();
    source = new EventSource("/events");
    heard = performance.now();
    for (const name of NAMES) {
      source.addEventListener(name, (event) => {
        heard = performance.now();
        if (!alive) {
          alive = true;
          onFound();
        }
        onEvent(name, JSON.parse(event.data));
      });
    }
    source.addEventListener("error", lose);
  }

  function lose() {
    if (alive) {
      alive = false;
      onLost();
    }
    source?.close();
    again ??= setTimeout(open, AGAIN_MS);
  }

  // A pulled cable gives no error for minutes: silence counts as loss.
  setInterval(() => {
    if (!document.hidden && performance.now() - heard > SILENCE_MS) lose();
  }, 1000);

  let rest = 0;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(rest);
    if (!document.hidden) {
      if (!source || source.readyState === EventSource.CLOSED) open();
    } else {
      // A browser allows few connections to one server: a hidden page gives its own back.
      rest = setTimeout(() => {
        clearTimeout(again);
        again = null;
        source?.close();
        alive = false;
        onLost();
      }, HIDDEN_MS);
    }
  });
  open();
}
