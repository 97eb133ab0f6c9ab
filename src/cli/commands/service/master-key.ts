import type { Command } from 'commander';
import { masterKeyLockClass } from '../../../platform/database/advisory-locks.ts';
import { isServed } from '../../../platform/migrating/schema-version.ts';
import { createVault, type Vault } from '../../../platform/secrets/crypto.ts';
import { countOtherKeys } from '../../../platform/secrets/keys-in-use.ts';
import {
  findMasterKeys,
  masterKeyPath,
  newMasterKey,
  replaceMasterKeys,
} from '../../../platform/secrets/master-key.ts';
import { CommandError, type CommandServices, withServices } from '../../command.ts';
import { refuseOtherKey } from '../../open-secrets-of.ts';
import { startProgress } from '../../progress.ts';
import { countOutdated, findLastReseal, resealSecrets } from '../../reseal-secrets.ts';

/** Idempotency keys are valid for a day, and those from before the change need the old key. */
const dayMs = 86_400_000;

export function masterKeyCommands(program: Command): void {
  const masterKey = program
    .command('master-key')
    .description('Change the key that encrypts the secrets in the database.');

  withServices(
    masterKey
      .command('change')
      .description(
        'Encrypt all secrets with a new key. In the data folder it is generated, while Parley is stopped; for PARLEY_MASTER_KEY see docs/operating.md. Can be run again.',
      ),
    async (services) => {
      await refuseOtherKey(services);
      const { dataDir, masterKeys: configured } = services.config;
      const keys = await beginChange(services);
      const changing = { ...services, vault: createVault(...keys) };
      await refuseOtherProcesses(changing);
      const progress = startProgress(100);
      const { outdated, current } = await resealSecrets(changing, (done, of) =>
        progress?.update((100 * done) / of),
      ).finally(() => progress?.stop());
      if (outdated === 0 && current > 0 && !(await findLastReseal(services.db))) {
        throw new CommandError(
          'Every secret was encrypted with the first key already. If this is the old key, put the new one first, and restart all processes with the keys in this order. If it is the new one, nothing needs the second key.',
        );
      }
      // A request that was in progress may have stored a value that it had read before.
      const left = await countOutdated(changing);
      const done = `Encrypted ${outdated} values with the first master key. ${describeLeft(left)}`;
      const next = configured
        ? 'Next: a day later, run `parley master-key finish`.'
        : `Next: copy ${masterKeyPath(dataDir)} to where you keep the key, start Parley, and a day later run \`parley master-key finish\`.`;
      return {
        json: { encrypted: outdated, left: left.outdated, unreadable: left.unreadable },
        text: `${done}\n${next}`,
        failure: left.outdated > 0 ? 'Values are left. Run the command again.' : undefined,
      };
    },
  );

  withServices(
    masterKey
      .command('finish')
      .description(
        'Check that no secret and no process needs the old key, and remove it from the data folder. Run it a day after the change.',
      ),
    async (services) => {
      const { dataDir, masterKeys: configured } = services.config;
      const keys = (await findMasterKeys(dataDir, configured))!;
      if (keys.length === 1) throw new CommandError('There is only one master key: nothing to do.');
      await refuseOtherProcesses(services);
      const left = await countOutdated(services);
      const changedAt = await findLastReseal(services.db);
      // In the setting, the new key may still be the second one. The command itself wrote the file in the right order.
      const isUnchanged = configured && left.current > 0 && !changedAt;
      if (left.outdated > 0 || isUnchanged) {
        throw new CommandError(`${describeLeft(left)} Run \`parley master-key change\` first.`);
      }
      refuseWithinDay(services, changedAt);
      if (!configured) await replaceMasterKeys(dataDir, keys.slice(0, 1));
      const done = configured
        ? 'Remove the second key from PARLEY_MASTER_KEY, and restart all processes.'
        : `Removed the second key from ${masterKeyPath(dataDir)}. Copy the file to where you keep the key.`;
      const keep = 'Keep the old key for as long as the backups from before the change.';
      return {
        json: { removed: !configured, unreadable: left.unreadable },
        text: `${describeLeft(left)}\n${done}\n${keep}`,
      };
    },
  );
}

/** @returns the keys, the new one first */
async function beginChange({ db, config }: CommandServices): Promise<Buffer[]> {
  const client = await db.connect();
  try {
    // If two commands run at once, the second one uses the key that the first one generated.
    await client.query('select pg_advisory_lock($1, 0)', [masterKeyLockClass]);
    const keys = (await findMasterKeys(config.dataDir, config.masterKeys))!;
    if (keys.length > 1) return keys;
    if (config.masterKeys) {
      throw new CommandError(
        'PARLEY_MASTER_KEY has one key. Set the new and the old one, in the steps of "Change the master key" in docs/operating.md.',
      );
    }
    // It would meet values that it cannot decrypt.
    if (await isServed(client)) {
      throw new CommandError('Parley serves with the old key. Stop it first.');
    }
    const both = [newMasterKey(), ...keys];
    await replaceMasterKeys(config.dataDir, both);
    return both;
  } finally {
    await client.end();
  }
}

/** What they encrypt could not be decrypted later, or they could not decrypt what this command encrypts. */
async function refuseOtherProcesses(given: { db: CommandServices['db']; vault: Vault }) {
  const count = await countOtherKeys(given);
  if (count === 0) return;
  throw new CommandError(
    `Processes that serve with other master keys than this command, or with the same in another order: ${count}. Restart them with those of this command; see "Change the master key" in docs/operating.md.`,
  );
}

function refuseWithinDay({ clock }: CommandServices, changedAt: Date | undefined): void {
  const from = new Date((changedAt?.getTime() ?? 0) + dayMs);
  if (from <= clock.now()) return;
  throw new CommandError(
    `Run this from ${from.toISOString()} on. Until then, a request with an Idempotency-Key from before the change may be repeated, which needs the second key.`,
  );
}

function describeLeft({ outdated, unreadable }: { outdated: number; unreadable: number }): string {
  const needs = outdated === 0 ? 'None needs the second key.' : `${outdated} need the second key.`;
  return unreadable === 0
    ? needs
    : `${needs} ${unreadable} cannot be decrypted with any key: \`parley doctor\` and "Secrets" in docs/operating.md.`;
}
