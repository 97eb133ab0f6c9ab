/** Reloads if the service is reachable. Otherwise the browser's own error page would replace the page. */
export async function loadOnceMore(): Promise<void> {
  const response = await fetch('/', { cache: 'no-store' }).catch(() => null);
  if (response?.ok) location.reload();
}
