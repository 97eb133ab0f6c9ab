/**
 * Moves a tenant between two cells behind HAProxy, under the load of sends, contacts, store posts and inbound messages.
 * The command is ended by `kill -9` after each of its steps, with the process of a cell beside it, and run again. Then
 * everything that was confirmed is looked up: nothing may be lost or doubled. Needs `haproxy` on the path.
 *
 *     npm run chaos:move                    (5,000 messages, with kills)
 *     npm run chaos:move -- 1000000         (one move of a million messages; without kills)
 *     npm run chaos:move -- 1000000 --contacts 500000
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addContacts } from '../bench/seed-contacts.ts';
import { seedTenant } from '../bench/seed-tenant.ts';
import { createStore } from '../src/stores/setup/create-store.ts';
import { setWebhook } from '../src/webhooks/set-webhook.ts';
import { startReceiver } from '../test/servers/receiver.ts';
import { countConfirmed } from './count-confirmed.ts';
import { type Entry, promise, startedBetween, summary } from './ledger.ts';
import { startLoad } from './load.ts';
import { startMixedLoad } from './mixed-load.ts';
import { startNeighbour } from './neighbour.ts';
import { openScene } from './open-scene.ts';
import { type CellName, openCells } from './two-cells.ts';

process.setMaxListeners(0);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    contacts: { type: 'string', default: '0' },
    /** With a number of messages, too. */
    kills: { type: 'boolean', default: false },
  },
});
const messages = Number(positionals[0] ?? 5_000);
const contacts = Number(values.contacts);
const withKills = values.kills || positionals.length === 0;
const perSecond = 5;
/** The first requests of a process compile code and open connections, and its code is optimized later. */
const warmUpMs = withKills ? 5_000 : 40_000;
/** HAProxy sees a process that serves again with the next request. */
const outageMarginMs = 1_000;

const scene = await openScene();
const { shop } = scene;
const neighbour = await seedTenant(scene.services, 'neighbour', 10);
await scene.services.db.pool.query(
  `with made as (
     insert into messages (tenant_id, number_id, direction, person, kind, content)
     select $1, numbers.id, 'out', '+1212' || (5550000 + n % 5000), 'text', '{"text": "Hello"}'
     from generate_series(1, $2) as n join numbers on tenant_id = $1
     returning *
   )
   insert into message_states (tenant_id, message_id, created_at, status, network_id)
   select tenant_id, id, created_at, 'sent', 'wamid.before.' || id from made`,
  [shop.id, messages],
);
if (contacts > 0) await addContacts(scene.services, shop.id, contacts);
const receiver = await startReceiver();
await setWebhook(scene.services, shop.id, { url: `${receiver.url}/hook` });
const { store, secret } = await createStore(scene.services, shop.id, {
  platform: 'woocommerce',
  name: 'Shop',
});
const cells = await openCells(scene);
const { url } = cells;
await scene.callBack(url);

const load = startLoad(url, shop, perSecond);
const other = startNeighbour(url, neighbour, 40);
const mixed = startMixedLoad(
  {
    ...{ url, slug: shop.slug, tokens: shop.tokens, simulatorUrl: scene.simulatorUrl },
    store: { webhookId: store.webhook_id, secret: secret! },
    phoneNumberId: scene.phoneNumberId,
  },
  perSecond,
);
const say = (text: string) =>
  process.stdout.write(`${(load.now() / 1_000).toFixed(0)} s: ${text}\n`);
await sleep(warmUpMs);
const warm = load.now();
say(`the slowest request of another tenant until then: ${other.slowest(0, warm).toFixed(0)} ms`);
await sleep(withKills ? 15_000 : 30_000);

const calm = load.now();
const printed = await cells.move('one', ['--to', 'two', '--json']);
const moved = load.now();
const { rows, held_ms } = JSON.parse(printed!.split('\n').find((line) => line.startsWith('{'))!);
say(`moved ${rows} rows in ${((moved - calm) / 1_000).toFixed(1)} s`);
promise('writes are held at most 60 s', held_ms < 60_000, `${(held_ms / 1_000).toFixed(1)} s`);
const [before, during] = [other.p99(warm, calm), other.p99(calm, moved)];
promise(
  'the p99 of another tenant is at most 1.5 times',
  during <= before * 1.5,
  `${before.toFixed(0)} ms before, ${during.toFixed(0)} ms meanwhile, ${other.p99(moved - held_ms, moved).toFixed(0)} ms while writes were held`,
);
await sleep(3_000);
const isRefused = ({ code }: Entry) => code === 'tenant_moving';
const failed = load.entries.filter((each) => each.status !== 200 && !isRefused(each));
promise('no request fails but those that are held', failed.length === 0, summary(load.entries));
say((await cells.move('one', ['--confirm']))!.trim());

/** When the process of the other tenant's cell was killed, until it served again. */
const outages: [from: number, to: number][] = [];
let at: CellName = 'two';
const kills: [line: string, afterMs: number, process?: 'source' | 'target'][] = [
  ['Copying most rows', 0],
  ['Copying most rows', 700, 'source'],
  ['Writes are held', 0],
  ['Writes are held', 300, 'target'],
  ['Everything is copied', 0, 'source'],
  ['The new cell has', 0, 'target'],
  ['It serves there', 0],
];
for (const [line, afterMs, alsoKill] of withKills ? kills : []) {
  const to: CellName = at === 'one' ? 'two' : 'one';
  const begun = load.now();
  await cells.move(at, ['--to', to], { line, afterMs });
  const serving = await cells.serving();
  if (alsoKill) {
    const killed = alsoKill === 'source' ? at : to;
    const from = load.now();
    await cells.kill(killed);
    if (killed === 'one') outages.push([from - outageMarginMs, load.now() + outageMarginMs]);
  }
  await sleep(2_000);
  await cells.move(at, ['--to', to]);
  await sleep(2_000);
  await cells.move(at, ['--confirm']);
  const after = await cells.serving();
  const seen = summary(startedBetween(load.entries, begun, load.now()));
  promise(
    `killed ${afterMs} ms after "${line}"${alsoKill ? `, with the process of the ${alsoKill}` : ''}: in one cell`,
    serving.length <= 1 && `${after}` === to,
    `served by ${serving[0] ?? 'none'}, then by ${after}; ${seen}`,
  );
  at = to;
}
await sleep(5_000);
await mixed.stop();
await load.stop();
await other.stop();

const services = cells.services[at];
const left = await services.db.pool.query(
  `select (select count(*) from deliveries where state = 'waiting')::int
        + (select count(*) from store_events where state = 'waiting')::int as waiting`,
);
if (left.rows[0].waiting > 0) await sleep(60_000);
const { acknowledged, lost, onNetwork } = await scene.count(load.entries, services);
promise('no acknowledged send is lost', lost === 0, `${acknowledged} acknowledged, ${lost} lost`);
const isUncertain = ({ what, status, code }: Entry) =>
  what === 'send' && (status === 0 || status >= 502 || code === 'outcome_unknown');
const uncertain = load.entries.filter(isUncertain).length;
const sent = onNetwork - mixed.confirmed.inbound.size;
promise(
  'no message is sent twice',
  sent >= acknowledged && sent <= acknowledged + uncertain,
  `${sent} on the network, ${uncertain} whose client does not know`,
);
await countConfirmed(services.db.pool, shop.slug, mixed.confirmed, receiver.received);
const found = await services.db.pool.query(
  `select count(*)::int as count from message_states where network_id like 'wamid.before.%'`,
);
promise('earlier messages moved', found.rows[0].count === messages, `${found.rows[0].count}`);
const { entries } = other;
const isInOutage = ({ startedAt, tookMs }: Entry) =>
  outages.some(([from, to]) => startedAt + tookMs >= from && startedAt <= to);
const unexplained = entries.filter((each) => each.status !== 200 && !isInOutage(each));
promise(
  'requests of the other tenant fail only while the process of its cell is killed and starts again',
  unexplained.length === 0,
  `${summary(entries)}; otherwise ${summary(unexplained)}`,
);

await cells.close();
await receiver.close();
await scene.close();
process.exit();
