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
// and does not have them: the page would stay empty. It is loaded again when all files of the page can be loaded.
addEventListener('error', onMissing, true);

function onMissing({ target }) {
  const isNeeded = target instanceof HTMLScriptElement || target?.rel === 'stylesheet';
  // Files that come later are the pages' own matter.
  if (!isNeeded || document.getElementById('root')?.firstChild) return;
  removeEventListener('error', onMissing, true);
  void loadAgain();
}

async function loadAgain() {
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
  if (files.length > 0 && found.every(Boolean)) location.reload();
  else setTimeout(loadAgain, 1_000);
}
