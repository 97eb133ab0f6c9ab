import { parseArgs } from 'node:util';
import { listConversationRecords } from '../src/messages/record/listing/list-conversation-records.ts';
import { listRecords } from '../src/messages/record/listing/list-records.ts';
import type { RecordFilter } from '../src/messages/record/listing/record-filter.ts';
import type { RecordPosition } from '../src/messages/record/listing/scan-messages.ts';
import { openPlace } from './open-place.ts';
import { databaseCpuMs, median } from './processes.ts';
import { phoneOf, seedMessages } from './seed-messages.ts';
import { seedSender } from './seed-tenant.ts';

/**
 * Compares pages of `GET /messages` and `GET /conversations` of a tenant with many messages with those of one with few,
 * each with a database of its own, in turns: the database's CPU for each filter, at the top of the list, in its middle
 * and near its end. The aim is 3 times the cost at most. Then walks through parts of the lists: the cost of a message
 * should not depend on where it is. `--only` runs the cases whose names contain a text.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    few: { type: 'string', default: '50000' },
    many: { type: 'string', default: '5000000' },
    rounds: { type: 'string', default: '5' },
    pages: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds);
const pagesOfRound = Number(values.pages);
const limit = 100;
const days = 30;
/** Less than the tenth of the short list that is left after the last place. */
const walked = 4_000;
const seededAt = Date.now();

const places = [await open(Number(values.few)), await open(Number(values.many))] as const;
type Place = Awaited<ReturnType<typeof open>>;
try {
  console.log('page                                            few     many    ratio');
  for (const [name, page] of pages()) await compare(name, page);
  for (const share of [0, 0.5, 0.9]) {
    await compare(`walk from ${share * 100} %, of ${walked} messages`, walkFrom(share), 1);
  }
} finally {
  for (const place of places) await place.close();
}

async function open(count: number) {
  const { dataDir, services, close } = await openPlace();
  const tenant = await seedSender(services, 'bench', 1);
  const startedAt = performance.now();
  const seeded = await seedMessages({ services, dataDir }, tenant.id, count, { days });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`${count} messages of ${seeded.persons} persons in ${seconds} s`);
  return { dataDir, db: services.db, tenantId: tenant.id, seeded, count, close };
}

/** Does one page, as the API does. */
type Page = (place: Place) => Promise<unknown>;

function pages(): [string, Page][] {
  const filters: [string, (place: Place) => RecordFilter][] = [
    ['all', () => ({})],
    ['direction=in', () => ({ direction: 'in' })],
    ['direction=out', () => ({ direction: 'out' })],
    ['status=delivered', () => ({ status: 'delivered' })],
    ['status=failed (none)', () => ({ status: 'failed' })],
    ['status=unknown (none)', () => ({ status: 'unknown' })],
    ['type=text', () => ({ type: 'text' })],
    ['type=image (none)', () => ({ type: 'image' })],
    ['cause=api (none)', () => ({ cause: 'api' })],
    ['cause=bot (none)', () => ({ cause: 'bot' })],
    ['reference (none)', () => ({ reference: 'order-1' })],
    ['number', ({ seeded }) => ({ numberId: seeded.numberId })],
    ['number, direction=in', ({ seeded }) => ({ numberId: seeded.numberId, direction: 'in' })],
    ['direction=in, type=image (none)', () => ({ direction: 'in', type: 'image' })],
    ['direction=out, status=read (none)', () => ({ direction: 'out', status: 'read' })],
    ['from and to, a tenth', () => ({ from: daysAgo(15), to: daysAgo(12) })],
    ['to, type=image (none)', () => ({ to: daysAgo(12), type: 'image' })],
    ['phone with many', () => ({ people: [{ person: phoneOf(0) }] })],
    ['phone with few', () => ({ people: [{ person: phoneOf(5) }] })],
    [
      'phone with many, type=image (none)',
      () => ({ people: [{ person: phoneOf(0) }], type: 'image' }),
    ],
  ];
  const messages = filters.flatMap(([name, filter]) =>
    (name === 'all' || name.startsWith('direction') ? [0, 0.5, 0.9] : [0]).map(
      (share): [string, Page] => [
        `messages, ${name}${share ? `, at ${share * 100} %` : ''}`,
        (place) =>
          listRecords(place.db, place.tenantId, filter(place), {
            limit,
            after: share ? positionOf(place, share) : undefined,
          }),
      ],
    ),
  );
  const conversations = [0, 0.5, 0.9].flatMap((share) =>
    [false, true].map((ofNumber): [string, Page] => [
      `conversations${ofNumber ? ' of a number' : ''}${share ? `, at ${share * 100} %` : ''}`,
      ({ db, tenantId, seeded }) =>
        listConversationRecords(db, tenantId, {
          before: share ? idAt(seeded, share) : undefined,
          limit,
          numberId: ofNumber ? seeded.numberId : undefined,
        }),
    ]),
  );
  return [...messages, ...conversations];
}

function walkFrom(share: number): Page {
  return async (place) => {
    let after: RecordPosition | undefined = share ? positionOf(place, share) : undefined;
    for (let seen = 0; seen < walked; seen += limit) {
      ({ next: after } = await listRecords(place.db, place.tenantId, {}, { limit, after }));
      if (!after) return;
    }
  };
}

async function compare(name: string, page: Page, times = pagesOfRound): Promise<void> {
  if (!name.includes(values.only)) return;
  const costs: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [index, place] of places.entries()) {
      await page(place);
      const before = await databaseCpuMs(place.dataDir);
      for (let time = 0; time < times; time++) await page(place);
      costs[index]!.push(((await databaseCpuMs(place.dataDir)) - before) / times);
    }
  }
  const [small, large] = costs.map(median) as [number, number];
  const ratio = small > 0 ? (large / small).toFixed(2) : '-';
  console.log(
    `${name.padEnd(46)} ${small.toFixed(2).padStart(6)}  ${large.toFixed(2).padStart(6)}  ${ratio.padStart(6)}`,
  );
}

/** The place in the list at a share of it, from the newest on. */
function positionOf({ seeded, count }: Place, share: number): RecordPosition {
  const age = 3_600_000 + share * days * 86_400_000;
  return [Math.floor((seededAt - age) * 1_000), seeded.firstId + Math.floor(count * (1 - share))];
}

function idAt({ firstId, lastId }: Place['seeded'], share: number): number {
  return lastId - Math.floor((lastId - firstId) * share);
}

function daysAgo(some: number): Date {
  return new Date(Date.now() - some * 86_400_000);
}
