// Where the reader is: an event and a perspective, kept in the page's address.
//
// A jump is a step of the browser's history; single steps only change the present one, and not
// faster than browsers allow it.

const place = (() => {
  const listeners = [];
  const present = { seq: 1, view: match.views[0] };
  let written = 0;

  const addressOf = (seq, view) => `#seq=${seq}&view=${view}`;

  function read() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const seq = Number(asked.get("seq"));
    return {
      seq: Number.isInteger(seq) && seq > 0 ? Math.min(seq, match.last) : null,
      view: match.views.includes(asked.get("view")) ? asked.get("view") : null,
    };
  }

  function tell() {
    for (const listen of listeners) listen(present);
  }

  function write(isJump) {
    clearTimeout(written);
    const put = (how) => history[how](null, "", addressOf(present.seq, present.view));
    if (isJump) put("pushState");
    else written = setTimeout(put, 200, "replaceState");
  }

  function go(seq, { view = present.view, isJump = false } = {}) {
    const wanted = Math.max(1, Math.min(seq, match.last));
    if (wanted === present.seq && view === present.view) return;
    // What is not written yet must not be lost by going back to it.
    if (isJump) history.replaceState(null, "", addressOf(present.seq, present.view));
    Object.assign(present, { seq: wanted, view });
    write(isJump);
    tell();
  }

  function follow() {
    const { seq, view } = read();
    // An address of another kind, such as a section of the page, is not a place in the match.
    if (seq === null && view === null) return;
    clearTimeout(written);
    Object.assign(present, { seq: seq ?? present.seq, view: view ?? present.view });
    tell();
  }

  return {
    present,
    addressOf,
    go,
    listen: (listener) => listeners.push(listener),
    begin() {
      Object.assign(present, { view: read().view ?? present.view, seq: read().seq ?? present.seq });
      addEventListener("hashchange", follow);
      addEventListener("popstate", follow);
      tell();
    },
  };
})();
