/**
 * Requests the page that the dashboard begins with.
 *
 * @returns whether the service is reachable, and whether it has a newer dashboard than the open one
 */
export async function askForDashboard(): Promise<{ isReachable: boolean; isNewer: boolean }> {
  const response = await fetch('/', { cache: 'no-store' }).catch(() => null);
  if (!response?.ok) return { isReachable: false, isNewer: false };
  const open = document.querySelector('script[type=module]')?.getAttribute('src') ?? '';
  return { isReachable: true, isNewer: !(await response.text()).includes(open) };
}
