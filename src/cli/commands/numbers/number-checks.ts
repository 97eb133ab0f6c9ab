import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Check } from '../../../numbers/checking/check.ts';
import { verifyNumber } from '../../../numbers/checking/verify-number.ts';
import { createNumberFinder } from '../../../numbers/find-number.ts';
import { nameOf } from '../../../numbers/name-of.ts';
import { presentNumber } from '../../../numbers/present-number.ts';
import { listNumbers, type NumberRow } from '../../../numbers/queries.ts';
import { describeState } from '../../../numbers/state/number-state.ts';
import type { Tenant } from '../../../tenants/queries.ts';
import {
  CommandError,
  type CommandServices,
  readSecretFile,
  tenantBySlug,
  withServices,
} from '../../command.ts';
import { expiryFrom } from '../../times.ts';

/** The options of commands that check a number. */
export type CheckingOptions = { pinFile?: string; takeOver?: boolean; wait?: string };

export function addCheckingOptions(command: Command): Command {
  return command
    .option('--pin-file <file>', 'a file with the six digits that register the number')
    .option('--take-over', 'take the callbacks of the number from another program or installation')
    .option('--wait <duration>', 'wait for a message to the number, such as 5m');
}

export async function readCheckingOptions({ pinFile, takeOver = false }: CheckingOptions) {
  const pin = pinFile === undefined ? undefined : await readSecretFile(pinFile);
  if (pin !== undefined && !/^\d{6}$/.test(pin)) throw new CommandError('A PIN has six digits.');
  return { pin, takeOver };
}

export function verifyCommand(number: Command): void {
  const command = number
    .command('verify')
    .description(
      'Check one number or all of a tenant, set up callbacks, and wait for a message if asked.',
    )
    .argument('<tenant>')
    .argument('[phone-number-id]');
  withServices(
    addCheckingOptions(command),
    async (services, slug: string, chosen: string | undefined, options: CheckingOptions) => {
      const tenant = await tenantBySlug(services, slug);
      const ids = chosen === undefined ? await connectedIds(services, tenant) : [chosen];
      const isOne = ids.length === 1;
      if (!isOne && options.pinFile !== undefined) {
        throw new CommandError('--pin-file needs the id of one number: `parley number list`.');
      }
      const verified: Verified[] = [];
      for (const id of ids) verified.push(await verify(services, tenant, id, options));
      const all = verified.map(({ json }) => json);
      const failures = verified.flatMap(({ name, failure }) =>
        failure === undefined ? [] : [isOne ? failure : `${name}: ${failure}`],
      );
      return {
        json: chosen === undefined ? { numbers: all } : all[0]!,
        text: verified
          .map(({ name, text }) => [...(isOne ? [] : [name]), ...text].join('\n'))
          .join('\n\n'),
        ...(failures.length > 0 && { failure: failures.join(' ') }),
      };
    },
  );
}

async function connectedIds({ db }: CommandServices, { id, slug }: Tenant): Promise<string[]> {
  const rows = await listNumbers(db, id);
  if (rows.length === 0) throw new CommandError(`${slug} has no connected number.`);
  return rows.map((row) => row.phone_number_id);
}

type Verified = { json: object; name: string; text: string[]; failure: string | undefined };

async function verify(
  services: CommandServices,
  tenant: Tenant,
  phoneNumberId: string,
  options: CheckingOptions,
): Promise<Verified> {
  const find = () => findNumber(services, tenant.id, tenant.slug, phoneNumberId);
  const { id } = await find();
  const found = await verifyNumber(
    services,
    createNumberFinder(services),
    { tenantId: tenant.id, id },
    { ...(await readCheckingOptions(options)), repair: true },
  );
  const checks = found ?? [];
  const row = await waitForMessage(services, find, options);
  const shown = presentNumber(services.config, row);
  const works = shown.state !== 'does_not_work';
  return {
    json: { number: shown, state: shown.state, checks },
    name: `${nameOf(row)} (${phoneNumberId})`,
    text: [...describeChecks(checks), ...(works ? [describeNext(row, shown.state)] : [])],
    failure: works ? undefined : describeState(shown),
  };
}

async function findNumber(
  { db }: CommandServices,
  tenantId: number,
  slug: string,
  phoneNumberId: string,
): Promise<NumberRow> {
  const rows = await listNumbers(db, tenantId);
  const found = rows.find((each) => each.phone_number_id === phoneNumberId);
  if (!found) throw new CommandError(`${slug} has no connected number ${phoneNumberId}.`);
  return found;
}

/** Waits until a message has arrived at a number, if asked to. Returns the number as it is then. */
export async function waitForMessage(
  { config, interrupted }: CommandServices,
  find: () => Promise<NumberRow>,
  { wait }: CheckingOptions,
): Promise<NumberRow> {
  const end = expiryFrom(wait)?.getTime() ?? 0;
  let row = await find();
  const isWaiting = () => presentNumber(config, row).state === 'not_verified' && Date.now() < end;
  if (isWaiting()) process.stderr.write(`Send any message to ${nameOf(row)} now.\n`);
  while (isWaiting()) {
    await sleep(500, undefined, { signal: interrupted });
    row = await find();
  }
  return row;
}

/** One line for each check, and another one for what to do. */
export function describeChecks(checks: Check[]): string[] {
  return checks.flatMap(({ name, ok, found, fix }) => [
    `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(12)}  ${found}`,
    ...(ok || fix === undefined ? [] : [`${' '.repeat(20)}${fix}`]),
  ]);
}

/** What remains to be done, or that nothing does. */
export function describeNext(row: NumberRow, state: string): string {
  if (state === 'works') return `${nameOf(row)} works: a message has arrived.`;
  return `Not verified yet. Send any message to ${nameOf(row)} now: when it arrives, the number is proven to work.`;
}
