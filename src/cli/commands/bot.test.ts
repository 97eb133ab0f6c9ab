import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { write } from '../../../test/features/bots.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { testCommand } from '../../../test/program/command.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';
import { botCommands } from './bot.ts';

const app = testApp();
const { run, parley } = testCommand(app, botCommands, () => ({
  PARLEY_NETWORK_URL: app.simulator.url,
}));

async function shopWithTemplates(): Promise<TestTenant> {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  return shop;
}

const hours = ['--name', 'Hours', '--match', 'contains', '--keywords', 'hours, open'];
const order = ['--name', 'Order', '--match', 'starts_with', '--keywords', 'order'];
const update = ['--template-name', 'order_update', '--template-language', 'en'];

describe('bot create', () => {
  test('prints the bot, which the API and the list then show', async () => {
    const shop = await shopWithTemplates();
    const text = await parley('create-message', shop.slug, ...hours, '--reply', '9 to 5, daily');
    expect(text).toEqual({
      id: expect.any(Number),
      kind: 'message',
      name: 'Hours',
      active: true,
      match: 'contains',
      keywords: ['hours', 'open'],
      pause_minutes: 0,
      reply: '9 to 5, daily',
    });
    const fields = ['--fields', '{{firstname}},#1', '--field', 'Friday, noon'];
    const made = await parley('create-template', shop.slug, ...order, ...update, ...fields);
    expect(made).toMatchObject({
      kind: 'template',
      template_name: 'order_update',
      template_language: 'en',
      fields: ['{{firstname}}', '#1', 'Friday, noon'],
    });
    const { bots } = await parley('list', shop.slug);
    expect(bots).toEqual([
      { ...text, problem: null },
      { ...made, problem: null },
    ]);
    expect((await shop.call('GET', '/template-bots')).body.data).toMatchObject([{ id: made.id }]);
    expect(await run('list', shop.slug)).toMatch(/Hours .*9 to 5, daily\n.*order_update \(en\)/);
  });

  test('accepts first_message and any without keywords, and an inactive bot', async () => {
    const shop = await app.tenant();
    const any = ['--name', 'Any', '--match', 'any', '--reply', 'Hello'];
    const made = await parley('create-message', shop.slug, ...any, '--inactive', '--pause', '10');
    expect(made).toMatchObject({ match: 'any', keywords: [], active: false, pause_minutes: 10 });
    const wrong = run('create-message', shop.slug, ...any, '--pause', 'long');
    await expect(wrong).rejects.toThrow('pause_minutes must be an integer');
  });

  test('refuses values that the tenant’s templates do not have, in one line', async () => {
    const shop = await shopWithTemplates();
    const create = (...args: string[]) => run('create-template', shop.slug, ...order, ...args);
    await expect(create('--template-name', 'lost', '--template-language', 'en')).rejects.toThrow(
      'template_name is not a template of this account: "lost"',
    );
    await expect(create(...update, '--fields', 'a,b')).rejects.toThrow('field_3 is required');
    await expect(run('create-message', 'nobody', ...hours, '--reply', 'x')).rejects.toThrow(
      'There is no tenant "nobody".',
    );
  });
});

test('bot delete deletes only a bot of the tenant', async () => {
  const shop = await app.tenant();
  const other = await app.tenant();
  const { id } = await parley('create-message', shop.slug, ...hours, '--reply', '9 to 5');
  await expect(run('delete', other.slug, String(id))).rejects.toThrow(`has no bot ${id}.`);
  expect(await parley('delete', shop.slug, String(id))).toEqual({ deleted: id });
  expect(await parley('list', shop.slug)).toEqual({ bots: [] });
});

test('bot try shows the reply and sends nothing', async () => {
  const shop = await shopWithTemplates();
  await parley('create-message', shop.slug, ...hours, '--reply', 'Hi {{firstname}}, 9 to 5');
  await parley('create-template', shop.slug, ...order, ...update, '--fields', '{{city}},#1,Friday');
  const phone = '+14155550123';
  await shop.call('POST', '/contacts', { firstname: 'Bea', phone });
  await expect(run('try', shop.slug, 'open?', '--phone', '12')).rejects.toThrow(/not 12\./);

  expect(await parley('try', shop.slug, 'When are you OPEN?', '--phone', phone)).toMatchObject({
    bot: { name: 'Hours' },
    keyword: 'open',
    answer: { text: 'Hi Bea, 9 to 5' },
    problems: [],
  });
  expect(await run('try', shop.slug, 'order 7')).toMatch(
    /^Order replies: Hello London, your order/,
  );
  const nowhere = await parley('try', shop.slug, 'order 7', '--phone', phone);
  expect(nowhere).toMatchObject({
    bot: null,
    answer: null,
    problems: [{ bot: { name: 'Order' } }],
  });
  expect(nowhere.problems[0].problem).toMatch(/field_1 must not be empty/);
  expect(await run('try', shop.slug, 'Anybody there?')).toBe('No bot would reply.\n');
  expect(await parley('answers', shop.slug)).toEqual({ answers: [] });
});

test('control characters in a stranger’s message do not reach the terminal', async () => {
  const shop = await app.tenant();
  await parley('create-message', shop.slug, '--name', 'All', '--match', 'any', '--reply', 'Hello');
  const text = 'a\u001b[2J\u009b31mb\u0007\u202ec\r\nd';
  await write(app, shop, '+14155550123', text);
  const { answers } = await eventually(async () => {
    const listed = await parley('answers', shop.slug);
    return listed.answers.length > 0 && listed;
  });
  expect(answers[0].inbound.text).toBe(text);
  const [, line, ...rest] = (await run('answers', shop.slug)).trimEnd().split('\n');
  expect(line).toContain('  a\ufffd[2J\ufffd31mb\ufffd\ufffdc d  ');
  expect(rest).toEqual([]);
});
