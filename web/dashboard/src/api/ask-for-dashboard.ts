/**
 * Asks for the page that the dashboard begins with.
 *
 * @returns whether the service answers, and with a later dashboard than the one that is open
 */
export async function askForDashboard(): Promise<{ answers: boolean; isLater: boolean }> {
  const answer = await fetch('/', { cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return { answers: false, isLater: false };
  const open = document.querySelector('script[type=module]')?.getAttribute('src') ?? '';
  return { answers: true, isLater: !(await answer.text()).includes(open) };
}
