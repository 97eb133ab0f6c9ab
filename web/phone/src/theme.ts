/** The page follows the theme of the system. */
const dark = matchMedia('(prefers-color-scheme: dark)');

export function followTheme(): void {
  const apply = () => {
    document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
  };
  apply();
  dark.addEventListener('change', apply);
}
