import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { inParallel } from '../client.ts';
import { draw, hostileValue, mutated, rawBodies } from '../hostile-values.ts';
import type { Attack } from './campaign.ts';

const campaign = 'store posts';

const fixtures = [
  'woocommerce-order',
  'woocommerce-customer',
  'shopify-order',
  'shopify-customer',
].map((name) =>
  JSON.parse(
    readFileSync(new URL(`../../src/stores/fixtures/${name}.json`, import.meta.url), 'utf8'),
  ),
);

const topics = [
  'order.created',
  'order.updated',
  'order.deleted',
  'product.created',
  'customer.created',
  'orders/create',
  'customers/create',
  'x'.repeat(5_000),
  '',
];

/** Posts orders and customers with hostile parts, signed with the store's secret; one in ten is not. */
export async function attackStores(attack: Attack): Promise<void> {
  const { scene, client, tally, inputs, seed, width } = attack;
  const { attacker, victim } = scene;
  const bodies = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...fixtures).chain(mutated) },
    { weight: 2, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: rawBodies },
  );
  const part = 500;
  for (let first = 0; first < inputs; first += part) {
    const drawn = draw(bodies, Math.min(part, inputs - first), seed + first);
    await inParallel(drawn.length, width, async (index) => {
      const body = Buffer.from(drawn[index] ?? '');
      const isToVictim = index % 10 === 9;
      const store = attacker.stores[index % attacker.stores.length]!;
      const target = isToVictim ? victim.stores[index % victim.stores.length]! : store;
      const signature = createHmac('sha256', store.secret).update(body).digest('base64');
      const topic = topics[index % topics.length]!;
      const output = await client.send({
        campaign,
        method: 'POST',
        path: target.path,
        headers: {
          'content-type': 'application/json',
          'x-wc-webhook-topic': topic,
          'x-wc-webhook-signature': signature,
          'x-wc-webhook-delivery-id': `${seed}-${first}-${index}`,
          'x-shopify-topic': topic,
          'x-shopify-hmac-sha256': signature,
          'x-shopify-webhook-id': `${seed}-${first}-${index}`,
          'x-webhook-topic': topic,
          'x-webhook-signature': signature,
          'x-webhook-id': `${seed}-${first}-${index}`,
        },
        body,
        forbidden: victim.canaries,
      });
      if (isToVictim && output?.status === 200) {
        const detail = 'a post signed with another store’s secret was accepted';
        tally.fault({ kind: 'breach', campaign, detail });
      }
    });
  }
}
