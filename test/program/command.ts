import { Command } from 'commander';
import { afterAll, beforeAll, vi } from 'vitest';
import { keepSessions } from '../database/keep-sessions.ts';
import { databaseSettings, type TestApp } from './app.ts';

/**
 * Runs a noun of the command in this process, on the database of the test file's app.
 *
 * @param addCommands adds the noun, such as `contactCommands`
 * @param settings environment variables in addition to those of the database and its key
 * @returns `run` returns the printed text; `parley` adds `--json` and parses it
 */
export function testCommand(
  app: TestApp,
  addCommands: (program: Command) => void,
  settings: () => Record<string, string> = () => ({}),
) {
  let sessions: Awaited<ReturnType<typeof keepSessions>>;
  beforeAll(async () => {
    sessions = await keepSessions(app.connection);
    const connection = { ...app.connection, host: sessions.host };
    const all = { ...databaseSettings({ ...app, connection }), ...settings() };
    for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  });
  // A function that `beforeAll` returns would run after the app has waited in vain for these sessions.
  afterAll(async () => {
    vi.unstubAllEnvs();
    await sessions?.close();
  });

  async function run(...args: string[]): Promise<string> {
    const printed: string[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed.push(String(text));
      return true;
    });
    try {
      const program = new Command().exitOverride();
      addCommands(program);
      await program.parseAsync([program.commands[0]!.name(), ...args], { from: 'user' });
    } finally {
      write.mockRestore();
    }
    return printed.join('');
  }

  return {
    run,
    // biome-ignore lint/suspicious/noExplicitAny: tests read output of every shape
    parley: async (...args: string[]): Promise<any> => JSON.parse(await run(...args, '--json')),
  };
}
