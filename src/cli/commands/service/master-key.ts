import type { Command } from 'commander';
import { isServed } from '../../../platform/migrating/schema-version.ts';
import { createVault } from '../../../platform/secrets/crypto.ts';
import {
  findMasterKeys,
  masterKeyPath,
  newMasterKey,
  replaceMasterKeys,
} from '../../../platform/secrets/master-key.ts';
import { CommandError, type CommandServices, withServices } from '../../command.ts';
import { isKeyOfDatabase } from '../../open-secrets-of.ts';
import { startProgress } from '../../progress.ts';
import { countOutdated, resealSecrets } from '../../reseal-secrets.ts';

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
      const progress = startProgress(100);
      const { outdated } = await resealSecrets(changing, (done, of) =>
        progress?.update((100 * done) / of),
      ).finally(() => progress?.stop());
      // A request that was in progress may have stored a value that it had read before.
      const left = await countOutdated(changing);
      const done = `Encrypted ${outdated} values with the first master key. ${describeLeft(left)}`;
      const next = configured
        ? 'Next: a day after all processes have started with both keys in this order, `parley master-key finish`.'
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
        'Check that no secret needs the old key, and remove it from the data folder. Run it a day after the change.',
      ),
    async (services) => {
      const { dataDir, masterKeys: configured } = services.config;
      const keys = (await findMasterKeys(dataDir, configured))!;
      if (keys.length === 1) throw new CommandError('There is only one master key: nothing to do.');
      const left = await countOutdated(services);
      if (left.outdated > 0) {
        throw new CommandError(`${describeLeft(left)} Run \`parley master-key change\` first.`);
      }
      if (!configured) await replaceMasterKeys(dataDir, keys.slice(0, 1));
      const done = configured
        ? 'Remove the old key from PARLEY_MASTER_KEY, and restart all processes.'
        : `Removed the old key from ${masterKeyPath(dataDir)}. Copy the file to where you keep the key.`;
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
  const keys = (await findMasterKeys(config.dataDir, config.masterKeys))!;
  if (keys.length > 1) return keys;
  if (config.masterKeys) {
    throw new CommandError(
      'PARLEY_MASTER_KEY has one key. Set the new and the old one, in the steps of "Change the master key" in docs/operating.md.',
    );
  }
  const client = await db.connect();
  try {
    // It would meet values that it cannot decrypt.
    if (await isServed(client)) {
      throw new CommandError('Parley serves with the old key. Stop it first.');
    }
  } finally {
    await client.end();
  }
  const both = [newMasterKey(), ...keys];
  await replaceMasterKeys(config.dataDir, both);
  return both;
}

async function refuseOtherKey(services: CommandServices): Promise<void> {
  if (services.config.masterKeyLost || (await isKeyOfDatabase(services))) return;
  throw new CommandError(
    'The master key does not decrypt the secrets in the database; see `parley doctor`.',
  );
}

function describeLeft({ outdated, unreadable }: { outdated: number; unreadable: number }): string {
  const needs = outdated === 0 ? 'None needs the second key.' : `${outdated} need the second key.`;
  return unreadable === 0
    ? needs
    : `${needs} ${unreadable} cannot be decrypted with any key: \`parley doctor\` and "Secrets" in docs/operating.md.`;
}
