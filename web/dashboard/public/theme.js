// Runs before the page is drawn, so that a dark page never flashes light.
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem('parley-theme');
    } catch {
      // Storage is switched off: the system's choice holds.
    }
    const theme =
      chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme;
  };
  apply();
  dark.addEventListener('change', apply);
  addEventListener('parley-theme', apply);
})();

// The first format of numbers or dates in a process takes the browser 30 ms of work. Done while the page is still
// loading its code, it delays nothing.
setTimeout(() => new Intl.NumberFormat());

// The script and the style are those of the build that wrote the page. During an upgrade another build may be asked for them,
// and does not have them: the page would stay empty. It is loaded again when all its files can be loaded, but only once:
// something on the way, such as a browser extension, may block them whenever the page needs them.
const againKey = 'parley-loaded-again';
const isLoadedAgain = wasLoadedAgain();
const maxWaitMs = 30_000;
addEventListener('error', onMissing, true);

/** Without storage this cannot be known, and the page is not loaded again. */
function wasLoadedAgain() {
  try {
    const mark = sessionStorage.getItem(againKey);
    sessionStorage.removeItem(againKey);
    return mark !== null;
  } catch {
    return true;
  }
}

function onMissing({ target }) {
  const isStyle = target?.rel === 'stylesheet';
  const file = target instanceof HTMLScriptElement ? target.src : isStyle ? target.href : '';
  // Browser extensions add files of their own. Files that come later are the pages' own matter.
  const isOurs = file.startsWith(`${location.origin}/assets/`);
  if (!isOurs || document.getElementById('root')?.firstChild) return;
  removeEventListener('error', onMissing, true);
  if (isLoadedAgain) sayWhatToDo();
  else void loadAgain(1_000);
}

async function loadAgain(waitMs) {
  const page = await fetch(location.href).then(
    (response) => response.text(),
    () => '',
  );
  const files = page.match(/(?<=")\/assets\/[^"]+/g) ?? [];
  const found = await Promise.all(
    files.map((file) =>
      fetch(file).then(
        ({ ok }) => ok,
        () => false,
      ),
    ),
  );
  if (files.length > 0 && found.every(Boolean)) return reloadOnce();
  sayWhatToDo();
  setTimeout(loadAgain, waitMs, Math.min(2 * waitMs, maxWaitMs));
}

function reloadOnce() {
  try {
    sessionStorage.setItem(againKey, 'yes');
    location.reload();
  } catch {
    // Storage is full.
    sayWhatToDo();
  }
}

/** In front of the page, which may still be drawn, but without its style. */
function sayWhatToDo() {
  if (document.readyState === 'loading') {
    addEventListener('DOMContentLoaded', sayWhatToDo);
    return;
  }
  if (document.querySelector('[data-missing]')) return;
  const notice = document.createElement('main');
  notice.dataset.missing = '';
  notice.style.cssText = 'padding: 2rem; font: 1rem/1.5 system-ui';
  const title = document.createElement('h1');
  title.style.fontWeight = 'bold';
  title.textContent = 'Parley’s files can’t be loaded.';
  const text = document.createElement('p');
  text.textContent =
    'Load the page again in a minute. If this doesn’t help, a browser extension or a proxy may block them.';
  const button = document.createElement('button');
  button.style.cssText = 'margin-top: 1rem; padding: 0.5rem 1rem; border: 1px solid';
  button.textContent = 'Load again';
  button.onclick = () => location.reload();
  notice.append(title, text, button);
  document.body.prepend(notice);
}
