import { useNavigate } from '@tanstack/react-router';
import { useTenant } from '../../session.ts';
import { type Command, commands, type ShellActions } from './commands.ts';
import { runOnNextPage, runOnPage } from './page-commands.ts';

/** The commands that this person may use, and the function that runs one. */
export function useCommands(shell: Omit<ShellActions, 'tenant'>) {
  const tenant = useTenant();
  const navigate = useNavigate();

  /** @returns whether there was anything to do */
  function run({ id, to, isDoneByPage, run }: Command): boolean {
    if (isDoneByPage && runOnPage(id)) return true;
    if (run) run({ ...shell, tenant });
    if (to) {
      if (isDoneByPage) runOnNextPage(id);
      void navigate({ to, params: { tenant: tenant.slug } });
    }
    return Boolean(run || to);
  }

  return { commands: commands.filter(({ right }) => !right || tenant.can(right)), run };
}
