import type { Command } from 'commander';
import type { Config } from '../../../config.ts';
import { findSenders } from '../../../messages/sending/find-senders.ts';
import { createNumberFinder } from '../../../numbers/find-number.ts';
import { nameFrom } from '../../../platform/values/texts/name.ts';
import type { Services } from '../../../services.ts';
import { type StoreActivity, storeActivity } from '../../../stores/activity/metric-queries.ts';
import { platformNames, platforms } from '../../../stores/platforms/platforms.ts';
import { deliveryUrl } from '../../../stores/present-store.ts';
import { listStores, type StoreRow } from '../../../stores/queries.ts';
import { type ChangedKeys, changeKeys } from '../../../stores/setup/change-keys.ts';
import { changeStore } from '../../../stores/setup/change-store.ts';
import { createStore } from '../../../stores/setup/create-store.ts';
import { pauseStore } from '../../../stores/setup/pause-store.ts';
import { removeStore } from '../../../stores/setup/remove-store.ts';
import { CommandError, readSecretFile, table, tenantBySlug, withServices } from '../../command.ts';
import { storeEventCommands } from './store-events.ts';
import { storeMapCommand } from './store-map.ts';
import { storeOf } from './store-of.ts';

export function storeCommands(program: Command): void {
  const store = program.command('store').description('Connect online stores to a tenant.');
  create(store);
  set(store);
  setKeys(store);
  setNumber(store);
  pause(store);
  list(store);
  storeMapCommand(store);
  storeEventCommands(store);

  withServices(
    store
      .command('delete')
      .description(
        'Delete a store webhook and its events. Posts to its address are refused from then on.',
      )
      .argument('<tenant>')
      .argument('<id>', 'see `parley store list`'),
    async (services, slug: string, id: string) => {
      const { tenant, store: found } = await storeOf(services, slug, id);
      await removeStore(services, tenant.id, found.id);
      return { json: { deleted: found.id }, text: `Deleted store ${found.id} (${found.name}).` };
    },
  );
}

type KeyOptions = {
  secret: boolean;
  secretFile?: string;
  headerFile?: string;
  basicFile?: string;
};
type CreateOptions = KeyOptions & {
  platform: string;
  name: string;
  country?: string;
  from?: string;
};

function create(store: Command): void {
  withServices(
    withKeyOptions(
      store
        .command('create')
        .description('Create an address for a store to post to. Its secret is shown only once.')
        .argument('<tenant>')
        .requiredOption('--platform <platform>', platformNames.join(', '))
        .requiredOption('--name <name>', 'the name of the store'),
    )
      .option('--country <code>', 'country of phones whose address has none, such as DE')
      .option(
        '--from <number>',
        'the number that sends its messages: its phone or the network’s id; default: as for every send',
      ),
    async (services, slug: string, options: CreateOptions) => {
      const tenant = await tenantBySlug(services, slug);
      const { store: created, secret } = await createStore(services, tenant.id, {
        platform: options.platform,
        name: options.name,
        country: options.country,
        numberId: await numberOf(services, tenant.id, options.from),
        ...(await readKeys(options)),
      });
      const shown = presentStore(created, services.config);
      const { ownSecret } = platforms[created.platform];
      const isGenerated = options.secret && !options.secretFile;
      return {
        json: { ...shown, secret },
        text: [
          `Created store ${created.id} (${created.name}) of ${slug}.`,
          `Delivery URL  ${shown.url}`,
          ...(ownSecret && isGenerated
            ? [
                ownSecret.text,
                'All posts are refused until you set that secret:',
                `  parley store set-keys ${slug} ${created.id} --secret-file key.txt`,
              ]
            : secretLine(secret)),
        ].join('\n'),
      };
    },
  );
}

function setKeys(store: Command): void {
  withServices(
    withKeyOptions(
      store
        .command('set-keys')
        .description(
          'Set a new secret or authentication of a store, and keep the other. Without options, generate a new secret. The old secret is accepted for another hour; an old authentication is refused within a second.',
        )
        .argument('<tenant>')
        .argument('<id>', 'see `parley store list`'),
      'unchanged, or generated if no option is given',
    ).option('--no-auth', 'no header or basic authentication any more'),
    async (services, slug: string, id: string, options: KeyOptions & { auth: boolean }) => {
      const { store: found } = await storeOf(services, slug, id);
      const secret = await changeKeys(services, found, await readChangedKeys(options));
      return {
        json: { id: found.id, url: deliveryUrl(services.config, found.webhook_id), secret },
        text: [
          `Changed the keys of store ${found.id} (${found.name}).`,
          ...secretLine(secret),
        ].join('\n'),
      };
    },
  );
}

function set(store: Command): void {
  withServices(
    store
      .command('set')
      .description('Change the name of a store, or the country of phones whose address has none.')
      .argument('<tenant>')
      .argument('<id>', 'see `parley store list`')
      .option('--name <name>', 'the name of the store')
      .option('--country <code>', 'two letters, such as DE')
      .option('--no-country', 'no country any more'),
    async (
      services,
      slug: string,
      id: string,
      { name, country }: { name?: string; country?: string | false },
    ) => {
      if (name === undefined && country === undefined) {
        throw new CommandError('Give --name, --country or --no-country.');
      }
      const { tenant, store: found } = await storeOf(services, slug, id);
      const changes = { name, country: country === false ? null : country };
      const numbers = createNumberFinder(services);
      const changed = await changeStore({ ...services, numbers }, tenant.id, found.id, changes);
      return {
        json: presentStore(changed, services.config),
        text: `Changed store ${changed.id} (${changed.name}${changed.country ? `, ${changed.country}` : ''}).`,
      };
    },
  );
}

function setNumber(store: Command): void {
  withServices(
    store
      .command('set-number')
      .description(
        'Choose the number that sends the messages of a store. Without one, the number of the latest message with the buyer sends, or the default, of those whose account has the template.',
      )
      .argument('<tenant>')
      .argument('<id>', 'see `parley store list`')
      .argument('[number]', 'its phone or the network’s id'),
    async (services, slug: string, id: string, from: string | undefined) => {
      const { tenant, store: found } = await storeOf(services, slug, id);
      const numbers = createNumberFinder(services);
      const changes = { number_id: await numberOf(services, tenant.id, from) };
      const changed = await changeStore({ ...services, numbers }, tenant.id, found.id, changes);
      return {
        json: presentStore(changed, services.config),
        text: from
          ? `Messages of store ${found.id} (${found.name}) are now sent from ${from}.`
          : `Messages of store ${found.id} (${found.name}) are now sent like every other message.`,
      };
    },
  );
}

function pause(store: Command): void {
  withServices(
    store
      .command('pause')
      .description(
        'Store the posts of a store, but process none until `resume`. The dashboard shows the pause and its reason.',
      )
      .argument('<tenant>')
      .argument('<id>', 'see `parley store list`')
      .option('--reason <text>', 'what the tenant should know about it'),
    async ({ db, ...services }, slug: string, id: string, options: { reason?: string }) => {
      const { store: found } = await storeOf({ db, ...services }, slug, id);
      const reason = options.reason === undefined ? null : nameFrom(options.reason, 'reason');
      const changed = (await pauseStore(db, found, { isPaused: true, reason }))!;
      return {
        json: presentStore(changed, services.config),
        text: `Paused store ${found.id} (${found.name}). Its posts are stored and wait for \`parley store resume ${slug} ${found.id}\`.`,
      };
    },
  );

  withServices(
    store
      .command('resume')
      .description('Process the posts of a paused store again, the waiting ones first.')
      .argument('<tenant>')
      .argument('<id>', 'see `parley store list`'),
    async (services, slug: string, id: string) => {
      const { store: found } = await storeOf(services, slug, id);
      const changed = (await pauseStore(services.db, found, { isPaused: false, reason: null }))!;
      return {
        json: presentStore(changed, services.config),
        text: `Resumed store ${found.id} (${found.name}).`,
      };
    },
  );
}

/** Finds our id of a number by its phone or the network's id. */
async function numberOf(
  services: Services,
  tenantId: number,
  from: string | undefined,
): Promise<number | null> {
  if (from === undefined) return null;
  const [number] = await findSenders(createNumberFinder(services), tenantId, from);
  return number.id;
}

function secretLine(secret: string | null): string[] {
  return secret === null ? [] : [`Secret        ${secret}`];
}

/** Adds the options that say how posts are authenticated. */
function withKeyOptions(command: Command, byDefault = 'generated'): Command {
  return command
    .option(
      '--secret-file <file>',
      `a file with the secret that the store signs with, - for standard input; default: ${byDefault}`,
    )
    .option('--no-secret', 'posts are not signed; a header or basic authentication is needed')
    .option(
      '--header-file <file>',
      'a file with a header that every post must have, as "Name: value"',
    )
    .option(
      '--basic-file <file>',
      'a file with the basic authentication of every post, as "user:password"',
    );
}

async function readChangedKeys(options: KeyOptions & { auth: boolean }): Promise<ChangedKeys> {
  const { secret, authentication } = await readKeys(options);
  if (!options.auth && authentication) {
    throw new CommandError('Give --no-auth, --header-file or --basic-file.');
  }
  if (secret === undefined && !authentication && options.auth) return { new_secret: true };
  return { secret, authentication: options.auth ? authentication : null };
}

async function readKeys(options: KeyOptions) {
  if (!options.secret && options.secretFile) {
    throw new CommandError('Give --secret-file or --no-secret.');
  }
  const generated = options.secret ? undefined : null;
  return {
    secret: options.secretFile ? await readSecretFile(options.secretFile) : generated,
    authentication: await readAuthentication(options),
  };
}

function list(store: Command): void {
  withServices(
    store
      .command('list')
      .description(
        'List the stores of a tenant, with the counts of the last 28 days. Samples of `parley store test` count as received, but not as last seen.',
      )
      .argument('<tenant>'),
    async (services, slug: string) => {
      const { db, config } = services;
      const tenant = await tenantBySlug(services, slug);
      const rows = await listStores(db, tenant.id);
      const activity = await storeActivity(db, tenant.id);
      const stores = rows.map((row) => ({
        ...presentStore(row, config),
        ...presentActivity(activity.find((each) => each.store_id === row.id)!),
      }));
      return {
        json: { stores },
        text: table(
          ['ID', 'PLATFORM', 'NAME', 'DELIVERY URL', 'RECEIVED', 'REFUSED', 'FAILED', 'LAST SEEN'],
          stores.map((each) => [
            String(each.id),
            each.platform,
            each.name,
            each.url,
            String(each.received),
            String(each.refused),
            String(each.failed),
            `${each.last_seen_at ?? 'never'}${each.paused_since ? ' (paused)' : each.quiet_since ? ' (gone quiet)' : ''}`,
          ]),
        ),
      };
    },
  );
}

async function readAuthentication({ headerFile, basicFile }: KeyOptions) {
  if (headerFile && basicFile) throw new CommandError('Give --header-file or --basic-file.');
  if (headerFile) {
    const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(await readSecretFile(headerFile)) ?? [];
    return { type: 'header' as const, name, value: value.trimStart() };
  }
  if (basicFile) {
    const [, username = '', password = ''] =
      /^([^:]*):(.*)$/.exec(await readSecretFile(basicFile)) ?? [];
    return { type: 'basic' as const, username, password };
  }
  return undefined;
}

function presentStore(row: StoreRow, config: Config) {
  return {
    id: row.id,
    url: deliveryUrl(config, row.webhook_id),
    platform: row.platform,
    name: row.name,
    country: row.country,
    number_id: row.number_id,
    paused_since: row.paused_since?.toISOString() ?? null,
    pause_reason: row.pause_reason,
    created_at: row.created_at.toISOString(),
  };
}

function presentActivity({ store_id: _, ...activity }: StoreActivity) {
  const { last_seen_at, quiet_since } = activity;
  const processed = activity.done + activity.nothing_to_do + activity.skipped + activity.failed;
  return {
    ...activity,
    processed,
    last_seen_at: last_seen_at?.toISOString() ?? null,
    quiet_since: quiet_since?.toISOString() ?? null,
  };
}
