import { expect, test } from 'vitest';
import { testApp } from '../../../test/program/app.ts';
import { testCommand } from '../../../test/program/command.ts';
import { addUsage } from '../../limits/usage-queries.ts';
import { topCommand } from './top.ts';

const app = testApp();
const { run, parley } = testCommand(app, topCommand);

test('the busiest tenants of today are listed, by what the operator asks for', async () => {
  const [quiet, loud] = [await app.tenant({ number: false }), await app.tenant({ number: false })];
  const now = new Date();
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
  const slugs = async (...options: string[]) =>
    (await parley(...options)).tenants.map(({ tenant }: { tenant: string }) => tenant);
  expect(await slugs()).toEqual([loud.slug, quiet.slug]);
  expect(await slugs('--by', 'messages')).toEqual([quiet.slug, loud.slug]);
  expect(await slugs('--limit', '1')).toEqual([loud.slug]);
  expect((await parley()).tenants[0]).toEqual({
    ...{ tenant: loud.slug, requests: 9, refusals: 1, failures: 4, messages: 0 },
  });
  expect(await run()).toMatch(new RegExp(`^tenant .*\n${loud.slug} +9 +1 +4 +0\n`));
  await expect(run('--limit', '0')).rejects.toThrow('from 1 to 1000');
});
