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
