import { expect, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { fixture, post, testStore, wooHeaders } from '../../../../test/features/stores.ts';
import { testApp } from '../../../../test/program/app.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { addUsage } from '../../../limits/usage-queries.ts';
import { topCommand } from './top.ts';

const app = testApp();
const { run, parley } = testCommand(app, topCommand);

test('the busiest tenants of the last hours are listed, by what the operator asks for', async () => {
  const [quiet, loud, flooded] = [
    await app.tenant({ number: false }),
    await app.tenant({ number: false }),
    await app.tenant({ number: false }),
  ];
  const now = new Date();
  const today = now.toISOString();
  const used = { requests: 5, refusals: 1, failures: 0, texts: 0, media: 0, templates: 0 };
  const usage = ({ id: tenantId, tokenId }: typeof quiet, given: object, at = now) => ({
    ...{ tenantId, tokenId, day: at.toISOString().slice(0, 10), lastUsedAt: at },
    ...used,
    ...given,
  });
  const before = new Date(now.getTime() - 86_400_000);
  await addUsage(app.db, [
    usage(quiet, { texts: 2, templates: 1 }),
    usage(loud, { requests: 9, failures: 4 }),
  ]);
  await addUsage(app.db, [usage(quiet, { requests: 1_000 }, before)]);
  const store = await testStore(app, flooded);
  const order = fixture('woocommerce-order.json');
  for (const key of [undefined, 'not the secret of the store']) {
    await post(app, store, order, wooHeaders('order.created', order, key));
  }
  const slugs = async (...options: string[]) =>
    (await parley(...options)).tenants.map(({ tenant }: { tenant: string }) => tenant);
  expect(await slugs('--since', today)).toEqual([loud.slug, quiet.slug, flooded.slug]);
  expect(await slugs('--since', '24h')).toEqual([quiet.slug, loud.slug, flooded.slug]);
  expect((await slugs('--since', today, '--by', 'messages'))[0]).toEqual(quiet.slug);
  expect(await slugs('--since', today, '--limit', '1')).toEqual([loud.slug]);
  const quietly = { requests: 0, refusals: 0, failures: 0, messages: 0, store_posts: 0 };
  expect((await parley('--since', today)).tenants[0]).toEqual({
    ...quietly,
    ...{ tenant: loud.slug, requests: 9, refusals: 1, failures: 4 },
  });
  // The refused post is counted a second later.
  await eventually(async () => {
    const [first] = (await parley('--by', 'store-posts')).tenants;
    return first.tenant === flooded.slug && first.store_posts === 2;
  });
  expect(await run('--since', today)).toMatch(
    new RegExp(`^tenant .*\n${loud.slug} +9 +1 +4 +0 +0\n`),
  );
  await expect(run('--limit', '0')).rejects.toThrow('from 1 to 1000');
  await expect(run('--since', 'yesterday')).rejects.toThrow('"yesterday" is not a time');
});
