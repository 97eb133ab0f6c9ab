import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { eventually, eventuallyHolds } from '../../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { postCallback } from '../../../test/features/post-callback.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { control, misbehave } from '../../../test/servers/control.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Prepared } from '../../platform/database/statement.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';
import { listConversationMessages } from '../conversations/conversation-queries.ts';
import { listConversations } from '../conversations/inbox/list-conversations.ts';
import { purgeConversations } from '../erasing/purge-conversations.ts';
import { insertAutomatedMessage } from '../sending/automated/automated-queries.ts';
import { addAliases } from './aliases.ts';
import { checkNewAliases } from './check-new-aliases.ts';
import { forgetFormerPhones } from './forget-identities.ts';
import { linkNewUserIds } from './link-identities.ts';
import { mergeIdentities } from './merging/merge-identities.ts';

const app = testApp();
let people = 0;

/** A person with a phone and a user id, as the network knows it. */
function newPerson() {
  const n = String(++people).padStart(4, '0');
  return { phone: `+1415555${n}`, userId: `US.7712${n}`, name: `Ana ${n}`, username: `ana.${n}` };
}
type Person = ReturnType<typeof newPerson>;

let callbacks = 0;

/** Reports a change of the field `messages`, and resolves when it is stored. */
async function report(shop: TestTenant, value: object, field = 'messages') {
  const id = `wamid.marker${++callbacks}`;
  const { phone_number_id } = shop.number;
  await control(app, 'POST', '/simulator/changes', { phone_number_id, field, value });
  // Callbacks of one number can overtake each other, so wait for this one's own message.
  const ids = Object(value).messages?.map((message: { id: string }) => message.id) ?? [];
  for (const each of ids) await eventually(() => isStored(shop, each));
  return id;
}

async function isStored(shop: TestTenant, networkId: string): Promise<boolean> {
  const { rows } = await app.db.query(sql`
    select from stored_messages where tenant_id = ${shop.id} and network_id = ${networkId}`);
  return rows.length > 0;
}

type Shown = { phone: boolean; userId: boolean };

/** A text of a person, with the identities that the network shows. */
function textOf(person: Person, shows: Shown, id = `wamid.text${++callbacks}`) {
  return {
    ...(shows.phone && { from: person.phone.slice(1) }),
    ...(shows.userId && { from_user_id: person.userId }),
    id,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: 'oi' },
  };
}

/** Reports such a text, and returns its id. */
async function write(shop: TestTenant, person: Person, shows: Shown, id?: string) {
  const text = textOf(person, shows, id);
  await report(shop, {
    contacts: [
      {
        profile: { name: person.name, ...(shows.userId && { username: person.username }) },
        ...(shows.phone && { wa_id: person.phone.slice(1) }),
        ...(shows.userId && { user_id: person.userId }),
      },
    ],
    messages: [text],
  });
  return text.id;
}

/** Sends a text to the phone of a person, and returns its id. The network itself, which has another user id, reports nothing. */
async function sendTo(shop: TestTenant, { phone }: Person): Promise<string> {
  await misbehave(app, shop, { callbacks: false, count: 1 });
  const message = { phone_number: phone, type: 'text', message: 'Hello' };
  return (await shop.call('POST', '/messages/send', message)).body.data.message_id;
}

/** A status that names both identities of the recipient. */
function statusOf(id: string, { phone, userId }: Pick<Person, 'phone' | 'userId'>) {
  const recipient = { recipient_id: phone.slice(1), recipient_user_id: userId };
  return { id, status: 'read', timestamp: '1793000050', ...recipient };
}

const hidden = { phone: false, userId: true };
const both = { phone: true, userId: true };
const phoneOnly = { phone: true, userId: false };

const contactsOf = async (shop: TestTenant) => (await shop.call('GET', '/contacts')).body.data;
const threads = (shop: TestTenant) => listConversations(app.db, shop.id, { limit: 10 });
const thread = (shop: TestTenant, identity: string) =>
  listConversationMessages(app.db, shop.id, identity, { limit: 10 });

/** Reports the change of a user id as the network does: without `contacts` and, it may be, without the sender. */
function changeUserId(
  shop: TestTenant,
  from: string,
  to: string,
  id = `wamid.sys${++callbacks}`,
  name = 'Ana',
  sender?: string,
) {
  return report(shop, {
    messages: [
      {
        id,
        from: sender,
        timestamp: '1793000100',
        type: 'system',
        system: {
          type: 'user_changed_user_id',
          body: `User ${name} changed from ${from} to ${to}`,
          user_id: to,
        },
      },
    ],
  });
}

/** Reports that a person has another phone. */
async function changePhone(
  shop: TestTenant,
  from: Person,
  to: Person,
  id = `wamid.phone${++callbacks}`,
  others: object[] = [],
) {
  const [was, is] = [from.phone.slice(1), to.phone.slice(1)];
  const system = {
    type: 'user_changed_number',
    body: `User Ana changed from ${was} to ${is}`,
    wa_id: is,
  };
  const message = { from: was, id, timestamp: '1793000100', type: 'system', system };
  await report(shop, { messages: [message, ...others] });
  return id;
}

describe('a person whose phone is hidden', () => {
  test('gets a contact without a phone, with the user id and the username', async () => {
    const shop = await app.tenant();
    const ana = newPerson();
    await write(shop, ana, hidden);
    await write(shop, ana, hidden);
    expect(await contactsOf(shop)).toEqual([
      expect.objectContaining({
        phone: null,
        firstname: ana.name,
        user_id: ana.userId,
        username: ana.username,
      }),
    ]);
    const owner = await signIn(app, shop);
    const found = await owner.call('GET', `/contacts?search=${ana.username}`);
    expect(found.body.data).toHaveLength(1);
    expect(await thread(shop, `user:${ana.userId}`)).toHaveLength(2);
  });

  test('gets a new username, with an event, when the network reports it', async () => {
    const shop = await app.tenant();
    const ana = newPerson();
    await write(shop, ana, hidden);
    await write(shop, { ...ana, username: 'ana.new' }, hidden);
    await write(shop, { ...ana, username: 'ana.new' }, hidden);
    expect(await contactsOf(shop)).toMatchObject([{ user_id: ana.userId, username: 'ana.new' }]);
    const { rows } = await app.db.query(sql`
      select event, data::json ->> 'username' as username from event_outbox
      where tenant_id = ${shop.id} and event like 'contact.%' order by id`);
    expect(rows).toEqual([
      { event: 'contact.created', username: ana.username },
      { event: 'contact.updated', username: 'ana.new' },
    ]);
  });

  test('gets a message that is sent to the user id', async () => {
    const shop = await app.tenant({ delivers: true });
    const ana = newPerson();
    const { user_id } = await control(app, 'POST', '/simulator/phones', { phone: ana.phone });
    const sent = await shop.call('POST', '/messages/send', {
      phone_number: user_id,
      type: 'text',
      message: 'Hello',
    });
    expect(sent.body.data).toMatchObject({ phone_number: user_id, status: 'sent' });
    await eventuallyHolds(async () => {
      const { body } = await shop.call('GET', `/messages/id:${sent.body.data.id}`);
      expect(body.data.status).toBe('delivered');
    });
    const { messages } = await control(app, 'GET', `/simulator/messages?to=${ana.phone.slice(1)}`);
    expect(messages[0].payload).toMatchObject({ recipient: user_id });
    expect(messages[0].payload.to).toBeUndefined();
  });

  test('never gets an authentication template: this is refused before the network is called', async () => {
    const shop = await app.tenant();
    await syncTemplates(app.services, shop.id);
    const { user_id } = await control(app, 'POST', '/simulator/phones', {
      phone: newPerson().phone,
    });
    const sent = await shop.call('POST', '/messages/template', {
      phone_number: user_id,
      template_name: 'login_code',
      template_language: 'en_US',
      auto_generate_otp: true,
    });
    expect(sent).toMatchObject({
      status: 422,
      body: { errors: { phone_number: [expect.any(String)] } },
    });
    expect(await threads(shop)).toEqual([]);
  });

  test.each(['us.7712', 'US7712', 'US.', 'US.77-12', 'US.ENT.', 'U.77', `US.${'7'.repeat(129)}`])(
    '%s is no user id',
    async (phone_number) => {
      const shop = await app.tenant();
      const body = { phone_number, type: 'text', message: 'Hello' };
      const sent = await shop.call('POST', '/messages/send', body);
      expect(sent).toMatchObject({
        status: 422,
        body: { errors: { phone_number: [expect.any(String)] } },
      });
    },
  );
});

describe('a phone that comes later', () => {
  test('joins the conversation and the contact of the user id', async () => {
    const shop = await app.tenant();
    const ana = newPerson();
    await write(shop, ana, hidden);
    const [contact] = await contactsOf(shop);
    await write(shop, ana, both);
    await write(shop, ana, phoneOnly);
    await write(shop, ana, hidden);
    expect(await threads(shop)).toMatchObject([{ phone: ana.phone }]);
    expect(await thread(shop, ana.phone)).toHaveLength(4);
    expect(await contactsOf(shop)).toMatchObject([
      { id: contact.id, phone: ana.phone, user_id: ana.userId },
    ]);
  });

  test('is known from the status of a message to it', async () => {
    const shop = await app.tenant();
    const ana = newPerson();
    await shop.call('POST', '/contacts', { firstname: 'Ana', phone: ana.phone });
    const id = await sendTo(shop, ana);
    const names = { wa_id: ana.phone.slice(1), user_id: ana.userId };
    await report(shop, {
      contacts: [{ profile: { name: ana.name, username: ana.username }, ...names }],
      statuses: [statusOf(id, ana)],
    });
    await eventuallyHolds(async () =>
      expect(await contactsOf(shop)).toMatchObject([
        { firstname: 'Ana', phone: ana.phone, user_id: ana.userId, username: ana.username },
      ]),
    );
    await write(shop, ana, hidden);
    expect(await threads(shop)).toMatchObject([{ phone: ana.phone }]);
    expect(await thread(shop, ana.phone)).toHaveLength(2);
  });

  test('is not known from the status of a message that another program sent, or that was deleted with its contact', async () => {
    const shop = await app.tenant();
    const [ana, bo] = [newPerson(), newPerson()];
    const { data } = (await shop.call('POST', '/contacts', { firstname: 'Ana', phone: ana.phone }))
      .body;
    const id = await sendTo(shop, ana);
    const later = await sendTo(shop, bo);
    // The simulator reports user ids of its own, too.
    const userIdsOf = async ({ phone }: Person) => {
      const { rows } = await app.db.query<{ identity: string }>(sql`
        select identity from conversation_aliases where tenant_id = ${shop.id} and person = ${phone}`);
      return rows.map(({ identity }) => identity);
    };
    await shop.call('DELETE', `/contacts/${data.id}`);
    await report(shop, { statuses: [statusOf(id, ana)] });
    await report(shop, { statuses: [statusOf('wamid.of.another.program', bo)] });
    await purgeConversations(app.db);
    await report(shop, { statuses: [statusOf(id, ana)] });
    // The pair was left out before, and is known now.
    await report(shop, { statuses: [statusOf(later, bo)] });
    await eventuallyHolds(async () => expect(await userIdsOf(bo)).toContain(`user:${bo.userId}`));
    expect(await userIdsOf(ana)).toEqual([]);
  });

  test('gives the contact of the phone the user id', async () => {
    const shop = await app.tenant();
    const ana = newPerson();
    await shop.call('POST', '/contacts', { firstname: 'Ana', phone: ana.phone });
    await write(shop, ana, both);
    await write(shop, ana, hidden);
    expect(await contactsOf(shop)).toMatchObject([
      { firstname: 'Ana', phone: ana.phone, user_id: ana.userId, username: ana.username },
    ]);
    expect(await threads(shop)).toMatchObject([{ phone: ana.phone }]);
  });

  test('merges two contacts and two conversations of one person, and this can be undone', async () => {
    const shop = await app.tenant();
    const ana = newPerson();
    await write(shop, ana, phoneOnly);
    await write(shop, ana, hidden);
    expect(await threads(shop)).toHaveLength(2);
    const [known, arrived] = await contactsOf(shop);
    const label = async (kind: string, name: string): Promise<number> =>
      (await shop.call('POST', `/${kind}`, { name })).body.data.id;
    const own = {
      city: 'Recife',
      external_id: 'crm-7',
      metadata: { plan: 'gold' },
      status_id: await label('statuses', 'New'),
      source_id: await label('sources', 'Web'),
    };
    await shop.call('PUT', `/contacts/${arrived.id}`, own);
    // Labels that are deleted, and still to be taken off their contacts, count as none.
    const old = { status_id: await label('statuses', 'A'), source_id: await label('sources', 'A') };
    const change = { metadata: { plan: 'old', vip: 'no' }, ...old };
    await shop.call('PUT', `/contacts/${known.id}`, change);
    await shop.call('DELETE', `/statuses/${old.status_id}`);
    await shop.call('DELETE', `/sources/${old.source_id}`);

    await write(shop, ana, both);
    expect(await threads(shop)).toMatchObject([{ phone: ana.phone, unread: 3 }]);
    expect(await thread(shop, ana.phone)).toHaveLength(3);
    expect(await contactsOf(shop)).toMatchObject([
      {
        id: known.id,
        phone: ana.phone,
        user_id: ana.userId,
        ...own,
        metadata: { plan: 'old', vip: 'no' },
      },
    ]);
    expect((await shop.call('GET', `/contacts/${arrived.id}`)).status).toBe(404);

    const owner = await signIn(app, shop);
    const { data: merges } = (await owner.call('GET', '/contact-merges')).body;
    expect(merges).toMatchObject([
      {
        contact_id: known.id,
        identity: ana.phone,
        earlier_identity: ana.userId,
        merged_name: ana.name,
      },
    ]);
    const undo = `/contact-merges/${merges[0].id}/undo`;
    const stranger = await signIn(app, await app.tenant());
    expect((await stranger.call('POST', undo)).status).toBe(404);
    expect((await owner.call('POST', undo)).status).toBe(200);
    expect(await contactsOf(shop)).toMatchObject([
      { id: known.id, phone: ana.phone, user_id: null, city: null, external_id: null },
      { id: arrived.id, phone: null, user_id: ana.userId, ...own },
    ]);
    expect(await threads(shop)).toHaveLength(2);
    expect(await thread(shop, `user:${ana.userId}`)).toHaveLength(1);
    expect((await owner.call('POST', undo)).status).toBe(404);
    expect((await owner.call('GET', '/contact-merges')).body.data).toEqual([]);
  });

  test.each([
    ['contact_request', 1],
    ['other', 2],
  ])('in a shared card of origin %s leads to %i contacts', async (origin, count) => {
    const shop = await app.tenant();
    const ana = newPerson();
    await shop.call('POST', '/contacts', { firstname: 'Ana', phone: ana.phone });
    await write(shop, ana, hidden);
    await report(shop, {
      contacts: [{ profile: { name: ana.name }, user_id: ana.userId }],
      messages: [
        {
          from_user_id: ana.userId,
          id: `wamid.card${++callbacks}`,
          timestamp: '1793000050',
          type: 'contacts',
          contacts: [
            { origin, phones: [{ phone: ana.phone, wa_id: ana.phone.slice(1), type: 'CELL' }] },
          ],
        },
      ],
    });
    const contacts = await contactsOf(shop);
    expect(contacts).toHaveLength(count);
    expect(contacts[0].user_id).toBe(count === 1 ? ana.userId : null);
  });
});

describe('a changed identity', () => {
  test('of a user id stays in the conversation, also when it is reported twice and without contacts', async () => {
    const shop = await app.tenant();
    const ana = newPerson();
    const next = `${ana.userId}9`;
    await write(shop, ana, hidden);
    await changeUserId(shop, ana.userId, next);
    await changeUserId(shop, ana.userId, next);
    await report(
      shop,
      { user_id_update: [{ user_id: { previous: ana.userId, current: next } }] },
      'user_id_update',
    );
    await write(shop, { ...ana, userId: next }, hidden);
    expect(await contactsOf(shop)).toMatchObject([{ user_id: next, phone: null }]);
    expect(await threads(shop)).toMatchObject([{ phone: `user:${next}` }]);
    expect(await thread(shop, `user:${ana.userId}`)).toHaveLength(4);
  });

  test('changes twice and leads to the first conversation', async () => {
    const shop = await app.tenant();
    const ana = newPerson();
    await write(shop, ana, both);
    await changeUserId(shop, ana.userId, `${ana.userId}1`);
    await changeUserId(shop, `${ana.userId}1`, `${ana.userId}2`);
    await write(shop, { ...ana, userId: `${ana.userId}2` }, hidden);
    expect(await threads(shop)).toMatchObject([{ phone: ana.phone }]);
    expect(await contactsOf(shop)).toMatchObject([{ user_id: `${ana.userId}2`, phone: ana.phone }]);
  });

  test.each([
    ['a from {victim} to b'],
    ['a changed from {victim} to b'],
    ['a changed from {victim} to {new}\n'],
  ])('is not read from the name that the person has chosen: %s', async (name) => {
    const shop = await app.tenant();
    const [ana, eve] = [newPerson(), newPerson()];
    await write(shop, ana, hidden);
    await write(shop, eve, hidden);
    const next = `${eve.userId}9`;
    const chosen = name.replace('{victim}', ana.userId).replace('{new}', next);
    await changeUserId(shop, eve.userId, next, undefined, chosen);
    await changeUserId(shop, '', next, undefined, chosen.trim());
    expect(await thread(shop, `user:${ana.userId}`)).toHaveLength(1);
    expect(await contactsOf(shop)).toMatchObject([{ user_id: ana.userId }, { user_id: next }]);
  });

  test('of a user id from a known phone joins what was written by both', async () => {
    const shop = await app.tenant();
    const ana = newPerson();
    const next = `${ana.userId}9`;
    await write(shop, ana, hidden);
    await write(shop, ana, phoneOnly);
    await changeUserId(shop, ana.userId, next, undefined, 'Ana', ana.phone.slice(1));
    expect(await threads(shop)).toMatchObject([{ phone: ana.phone }]);
    expect(await contactsOf(shop)).toMatchObject([{ user_id: next, phone: ana.phone }]);
  });

  test('of a phone stays in the conversation, and the contact gets the new phone', async () => {
    const shop = await app.tenant();
    const [ana, later] = [newPerson(), newPerson()];
    await write(shop, ana, phoneOnly);
    await changePhone(shop, ana, later);
    await write(shop, { ...ana, phone: later.phone }, phoneOnly);
    expect(await threads(shop)).toMatchObject([{ phone: later.phone }]);
    expect(await thread(shop, later.phone)).toHaveLength(3);
    expect(await contactsOf(shop)).toMatchObject([{ phone: later.phone }]);
  });

  test.each([
    ['a phone', [phoneOnly]],
    ['a user id at first', [hidden, both]],
  ])('of a phone leaves the old phone to its next owner, after %s', async (_, shown) => {
    const shop = await app.tenant();
    const [ana, later] = [newPerson(), newPerson()];
    const next = { ...newPerson(), name: 'Next', phone: ana.phone };
    for (const each of shown) await write(shop, ana, each);
    const changed = await changePhone(shop, ana, later);
    await write(shop, next, phoneOnly);
    // The network repeats it, in a callback with a message of the next owner.
    await changePhone(shop, ana, later, changed, [textOf(next, phoneOnly)]);
    const ofAna = { phone: later.phone, firstname: ana.name };
    expect(await contactsOf(shop)).toMatchObject([ofAna, { phone: ana.phone, firstname: 'Next' }]);
    expect(await thread(shop, later.phone)).toHaveLength(shown.length + 1);
    expect(await thread(shop, ana.phone)).toHaveLength(2);
    expect(await threads(shop)).toMatchObject([{ phone: ana.phone }, { phone: later.phone }]);

    const [contact, stranger] = await contactsOf(shop);
    await shop.call('DELETE', `/contacts/${contact.id}`);
    expect(await threads(shop)).toMatchObject([{ phone: ana.phone }]);
    expect(await thread(shop, ana.phone)).toHaveLength(2);
    await shop.call('DELETE', `/contacts/${stranger.id}`);
    expect(await threads(shop)).toEqual([]);
  });

  test.each(['a status', 'the address book of the phone app', 'a text that is reported again'])(
    'of a phone is not taken back by %s with the old phone',
    async (source) => {
      const shop = await app.tenant();
      const [ana, later] = [newPerson(), newPerson()];
      const next = { ...newPerson(), name: 'Next', phone: ana.phone };
      const text = await write(shop, ana, both);
      await changePhone(shop, ana, later);
      await write(shop, next, phoneOnly);
      const names = { wa_id: ana.phone.slice(1), user_id: ana.userId };
      if (source === 'a status') {
        const status = { id: `wamid.sent${++callbacks}`, status: 'read', timestamp: '1793000050' };
        const recipient = { recipient_id: names.wa_id, recipient_user_id: ana.userId };
        await report(shop, { contacts: [names], statuses: [{ ...status, ...recipient }] });
      } else if (source === 'a text that is reported again') {
        await write(shop, ana, both, text);
      } else {
        const contact = { full_name: 'Ana', phone_number: names.wa_id, user_id: ana.userId };
        const state_sync = [{ type: 'contact', action: 'add', contact }];
        await report(shop, { state_sync }, 'smb_app_state_sync');
      }
      // Stored after the report above, whose callback has no message to wait for.
      await changeUserId(shop, ana.userId, `${ana.userId}9`);
      await write(shop, { ...ana, userId: `${ana.userId}9`, phone: later.phone }, both);
      expect(await contactsOf(shop)).toMatchObject([
        { phone: later.phone, firstname: ana.name },
        { phone: ana.phone, firstname: 'Next', user_id: null },
      ]);
      expect(await thread(shop, ana.phone)).toHaveLength(1);
      expect(await threads(shop)).toMatchObject([{ phone: later.phone }, { phone: ana.phone }]);
    },
  );

  test('of a phone can be taken back by its owner', async () => {
    const shop = await app.tenant();
    const [ana, later] = [newPerson(), newPerson()];
    await write(shop, ana, both);
    await changePhone(shop, ana, later);
    await changePhone(shop, later, ana);
    await shop.call('DELETE', `/contacts/${(await contactsOf(shop))[0].id}`);
    await shop.call('POST', '/contacts', { firstname: 'Ana', phone: ana.phone });
    await write(shop, ana, both);
    expect(await contactsOf(shop)).toMatchObject([{ phone: ana.phone, user_id: ana.userId }]);
    expect(await threads(shop)).toMatchObject([{ phone: ana.phone }]);
  });

  test('of a phone by staff leaves the user id to the contact that gets the old phone', async () => {
    const shop = await app.tenant();
    const [ana, other] = [newPerson(), newPerson()];
    await write(shop, ana, both);
    const [{ id }] = await contactsOf(shop);
    const changed = await shop.call('PUT', `/contacts/${id}`, { phone: other.phone });
    expect(changed.body.data).toMatchObject({ user_id: null, username: null });
    const taking = { firstname: 'Bo', phone: ana.phone };
    const { id: taker } = (await shop.call('POST', '/contacts', taking)).body.data;
    await write(shop, ana, both);
    expect(await contactsOf(shop)).toMatchObject([
      { id, phone: other.phone, user_id: null },
      { id: taker, phone: ana.phone, user_id: ana.userId },
    ]);
  });

  test('of a phone by staff gives the person who still writes from it a contact, which keeps its messages', async () => {
    const shop = await app.tenant();
    const [ana, other] = [newPerson(), newPerson()];
    await write(shop, ana, both);
    const [{ id }] = await contactsOf(shop);
    await shop.call('PUT', `/contacts/${id}`, { phone: other.phone });
    await write(shop, ana, both);
    expect(await contactsOf(shop)).toMatchObject([
      { id, phone: other.phone },
      { phone: ana.phone, user_id: ana.userId, firstname: ana.name },
    ]);
    await shop.call('DELETE', `/contacts/${id}`);
    expect(await thread(shop, ana.phone)).toHaveLength(2);
  });

  test('of a phone that an earlier version made an alias of the old phone is set right', async () => {
    const shop = await app.tenant();
    const [ana, later] = [newPerson(), newPerson()];
    await write(shop, ana, both);
    await app.db.query(sql`
      with alias as (
        insert into conversation_aliases (tenant_id, identity, person)
        values (${shop.id}, ${later.phone}, ${ana.phone}) returning tenant_id, identity
      )
      insert into new_aliases (tenant_id, identity) select tenant_id, identity from alias`);
    await checkNewAliases(app.services);
    await write(shop, newPerson(), phoneOnly);
    await write(shop, { ...ana, phone: later.phone }, hidden);
    expect(await thread(shop, later.phone)).toHaveLength(2);
    await write(shop, { ...newPerson(), phone: ana.phone }, phoneOnly);
    expect(await thread(shop, ana.phone)).toHaveLength(1);
  });
});

describe('the log of merges', () => {
  /** Makes two contacts of a person one. */
  async function mergeOf(shop: TestTenant, ana: Person) {
    for (const shows of [phoneOnly, hidden, both]) await write(shop, ana, shows);
    const owner = await signIn(app, shop);
    return { owner, merges: async () => (await owner.call('GET', '/contact-merges')).body.data };
  }

  test('is forgotten with the contact, also if that was merged again', async () => {
    const shop = await app.tenant();
    const [ana, later] = [newPerson(), newPerson()];
    const { owner, merges } = await mergeOf(shop, ana);
    const [first] = await merges();
    await write(shop, later, phoneOnly);
    await changePhone(shop, ana, later);
    const [contact] = await contactsOf(shop);
    const ofContact = { contact_id: contact.id };
    expect(await merges()).toMatchObject([ofContact, { id: first.id, ...ofContact }]);
    expect(await owner.call('POST', `/contact-merges/${first.id}/undo`)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('Undo that merge first') },
    });
    expect((await shop.call('DELETE', `/contacts/${contact.id}`)).status).toBe(200);
    expect(await merges()).toEqual([]);
    const { rows } = await app.db.query(sql`
      select from identity_merges where tenant_id = ${shop.id}`);
    expect(rows).toHaveLength(0);
  });

  test('can be undone in the opposite order, and each contact takes its own part with it', async () => {
    const shop = await app.tenant();
    const [ana, later] = [newPerson(), newPerson()];
    const { owner, merges } = await mergeOf(shop, ana);
    await write(shop, later, phoneOnly);
    await changePhone(shop, ana, later);
    const [second, first] = await merges();
    expect((await owner.call('POST', `/contact-merges/${second.id}/undo`)).status).toBe(200);
    const known = (await contactsOf(shop)).find(({ phone }: Person) => phone === ana.phone);
    expect(await merges()).toMatchObject([{ id: first.id, contact_id: known.id }]);
    expect((await owner.call('POST', `/contact-merges/${first.id}/undo`)).status).toBe(200);
    expect(await contactsOf(shop)).toHaveLength(3);
  });

  test('names the phone that another contact has by now, and an undo opens both windows again', async () => {
    const shop = await app.tenant();
    const [ana, other] = [newPerson(), newPerson()];
    const { owner, merges } = await mergeOf(shop, ana);
    const undo = `/contact-merges/${(await merges())[0].id}/undo`;
    const [contact] = await contactsOf(shop);
    await shop.call('PUT', `/contacts/${contact.id}`, { phone: other.phone });
    const taking = { firstname: 'Bo', phone: ana.phone };
    const { id } = (await shop.call('POST', '/contacts', taking)).body.data;
    expect(await owner.call('POST', undo)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining(ana.phone), data: { id } },
    });
    await shop.call('PUT', `/contacts/${id}`, { phone: newPerson().phone });
    expect((await owner.call('POST', undo)).status).toBe(200);
    const open = { window_until: expect.any(Date) };
    expect(await threads(shop)).toMatchObject([
      { phone: ana.phone, ...open },
      { phone: `user:${ana.userId}`, ...open },
    ]);
  });
});

describe('a deletion of a contact whose phone changed', () => {
  test('leaves the conversation of the next owner of that phone unread, open and assigned', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    await app.db.query(sql`update tenants set contacts_from_inbound = false where id = ${shop.id}`);
    const [ana, other] = [newPerson(), newPerson()];
    const contact = { firstname: 'Ana', phone: ana.phone };
    const { id } = (await shop.call('POST', '/contacts', contact)).body.data;
    await write(shop, ana, phoneOnly);
    await shop.call('PUT', `/contacts/${id}`, { phone: other.phone });
    for (let n = 0; n < 2; n++) await write(shop, ana, phoneOnly);
    const { userId: assignee } = owner;
    await owner.call('PUT', '/conversation', { phone: ana.phone, assignee });
    await shop.call('DELETE', `/contacts/${id}`);
    const [first] = (await thread(shop, ana.phone)).map((message) => message.id).toReversed();
    expect(await threads(shop)).toMatchObject([{ phone: ana.phone, unread: 2 }]);
    const { rows } = await app.db.query(sql`
      select is_open, assignee, first_inbound_id from conversations where tenant_id = ${shop.id}`);
    expect(rows).toEqual([{ is_open: true, assignee, first_inbound_id: first }]);
  });

  test('takes the messages of an earlier phone along up to the latest change of a merged contact', async () => {
    const shop = await app.tenant();
    const [ana, second, third] = [newPerson(), newPerson(), newPerson()];
    const change = (id: number, { phone }: Person) =>
      shop.call('PUT', `/contacts/${id}`, { phone });
    await write(shop, ana, phoneOnly);
    const [{ id: kept }] = await contactsOf(shop);
    await change(kept, second);
    await write(shop, ana, phoneOnly);
    const merged = (await contactsOf(shop))[1].id;
    await change(merged, third);
    await changePhone(shop, third, second);
    expect(await contactsOf(shop)).toMatchObject([{ id: kept, phone: second.phone }]);
    await shop.call('DELETE', `/contacts/${kept}`);
    expect(await threads(shop)).toEqual([]);
  });
});

test('a phone that was given up is remembered for 90 days', async () => {
  const shop = await app.tenant();
  await app.db.query(sql`
    insert into former_phones (tenant_id, person, phone, changed_at)
    select ${shop.id}, 'user:US.77120000', '+1415555000' || days, now() - days * interval '1 day'
    from unnest(array[89, 91]) as days`);
  await forgetFormerPhones(app.db, 10);
  const { rows } = await app.db.query(sql`
    select phone from former_phones where tenant_id = ${shop.id}`);
  expect(rows).toEqual([{ phone: '+141555500089' }]);
});

describe('a merge', () => {
  const holdingIdentities = `select pg_advisory_xact_lock(hashtextextended('identities ' || $1::bigint, 0))`;

  test('finds the aliases of a conversation by an index', async () => {
    const plans: string[] = [];
    const explaining: Db = {
      async query(given) {
        const { text, values } = given as Prepared;
        const { rows } = await app.db.pool.query(`explain ${text}`, values as unknown[]);
        plans.push(JSON.stringify(rows));
        return { rows: [], rowCount: 0 };
      },
    };
    await addAliases(explaining, 1, { person: '+14155550001', other: '+14155550002' }, []);
    const update = plans.find((plan) => plan.includes('Update on conversation_aliases'));
    expect(update).toContain('conversation_aliases_person');
  });

  test.each(['a message', 'a status'])(
    'that waits, because of %s, keeps no other tenant waiting',
    async (source) => {
      const [shop, other] = [await app.tenant(), await app.tenant()];
      const [ana, bo] = [newPerson(), newPerson()];
      for (const shows of [phoneOnly, hidden]) await write(shop, ana, shows);
      await write(other, bo, phoneOnly);
      const sent = new Map<string, string>();
      const attest = ({ phone, userId }: Person, of: TestTenant) =>
        source === 'a message'
          ? write(of, { ...ana, phone, userId }, both)
          : report(of, { statuses: [statusOf(sent.get(phone)!, { phone, userId })] });
      if (source !== 'a message') {
        sent.set(ana.phone, await sendTo(shop, ana));
        sent.set(bo.phone, await sendTo(other, bo));
      }
      const holder = await holdLocks(app, holdingIdentities, [shop.id]);
      const waiting = attest(ana, shop);
      await lockWaiters(app, { lock: 'advisory' });
      await attest(bo, other);
      await eventuallyHolds(async () =>
        expect(await contactsOf(other)).toMatchObject([{ phone: bo.phone, user_id: bo.userId }]),
      );
      await holder.query('rollback');
      await waiting;
      await eventuallyHolds(async () =>
        expect(await contactsOf(shop)).toMatchObject([{ phone: ana.phone, user_id: ana.userId }]),
      );
    },
  );

  test('waits without a connection if another one of its tenant is under way', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()];
    const holder = await holdLocks(app, holdingIdentities, [shop.id]);
    // The pool has ten connections.
    const callbacks = Array.from({ length: 15 }, (_, n) =>
      postCallback(app, shop, {
        user_id_update: [{ user_id: { previous: `US.7713${n}`, current: `US.7714${n}` } }],
      }),
    );
    await lockWaiters(app, { lock: 'advisory' });
    expect((await other.call('POST', '/groups', { name: 'VIP' })).status).toBe(200);
    expect(await lockWaiters(app, { lock: 'advisory' })).toHaveLength(1);
    await holder.query('rollback');
    for (const callback of callbacks) expect((await callback).status).toBe(200);
  });

  test('unlocks its conversation before the next one of the same callback', async () => {
    const shop = await app.tenant();
    const [ana, bo] = [newPerson(), newPerson()];
    for (const person of [ana, bo]) {
      for (const shows of [phoneOnly, hidden]) await write(shop, person, shows);
    }
    const conversation =
      'select from conversations where tenant_id = $1 and person = $2 for update';
    const holder = await holdLocks(app, conversation, [shop.id, bo.phone]);
    const callback = postCallback(app, shop, {
      user_id_update: [ana, bo].map(({ phone, userId }) => ({
        user_id: { current: userId },
        wa_id: phone.slice(1),
      })),
    });
    await lockWaiters(app);
    await sendTo(shop, ana);
    expect(await thread(shop, ana.phone)).toHaveLength(3);
    await holder.query('rollback');
    expect((await callback).status).toBe(200);
    expect(await threads(shop)).toHaveLength(2);
  });

  test('of one tenant does not delay the check of new aliases of others', async () => {
    const shops = [await app.tenant(), await app.tenant()] as const;
    // Those of the first tenant fill a batch of the check.
    for (const [shop, count] of [
      [shops[0], 1_000],
      [shops[1], 1],
    ] as const) {
      const [was, is] = [newPerson().phone, newPerson().phone];
      await app.db.query(sql`
        with alias as (
          insert into conversation_aliases (tenant_id, identity, person)
          select ${shop.id}, ${is} || repeat('0', n - 1), ${was} from generate_series(1, ${count}::int) as n
          returning tenant_id, identity
        )
        insert into new_aliases (tenant_id, identity, seen_at)
        select tenant_id, identity, date_trunc('second', now()) - interval '1 minute' from alias`);
    }
    const isRepaired = async (shop: TestTenant) => {
      const { rows } = await app.db.query(sql`
        select from conversation_aliases where tenant_id = ${shop.id} and starts_with(identity, '+')`);
      return rows.length === 0;
    };
    const holder = await holdLocks(app, holdingIdentities, [shops[0].id]);
    await checkNewAliases(app.services);
    expect(await Promise.all(shops.map(isRepaired))).toEqual([false, true]);
    await holder.query('rollback');
    for (const table of ['conversation_aliases', 'new_aliases']) {
      await app.db.pool.query(`delete from ${table} where identity like '+%00'`);
    }
    await checkNewAliases(app.services);
    expect(await Promise.all(shops.map(isRepaired))).toEqual([true, true]);
  });
});

describe('a message that is stored while its identity becomes an alias', () => {
  const storeMessage = (db: Db, shop: TestTenant, identity: string) =>
    insertAutomatedMessage(db, shop.id, {
      numberId: shop.number.id,
      phone: identity,
      kind: 'text',
      content: { text: 'Hello' },
      cause: { kind: 'bot', id: 1 },
    });

  /** Links the identities in a transaction that ends when `until` resolves. */
  const linkUntil = (shop: TestTenant, ana: Person, until: Promise<unknown>, done?: () => void) =>
    app.db.transaction(async (tx) => {
      const identities = { earlier: `user:${ana.userId}`, later: ana.phone, username: null };
      const unlinked = await linkNewUserIds(tx, [{ tenantId: shop.id, ...identities }]);
      for (const link of unlinked) await mergeIdentities(tx, link);
      done?.();
      await until;
    });

  test('is waited for, and moves with the others', async () => {
    const shop = await app.tenant();
    const ana = newPerson();
    await write(shop, ana, phoneOnly);
    await write(shop, ana, hidden);
    let linked: Promise<void>;
    await app.db.transaction(async (tx) => {
      await storeMessage(tx, shop, `user:${ana.userId}`);
      linked = linkUntil(shop, ana, Promise.resolve());
      await lockWaiters(app);
    });
    await linked!;
    expect(await thread(shop, ana.phone)).toHaveLength(3);
    expect(await threads(shop)).toHaveLength(1);
  });

  test.each([
    ['has a conversation', [hidden]],
    ['has none', []],
  ])('moves after the commit if the identity %s', async (_, shown) => {
    const shop = await app.tenant();
    const ana = newPerson();
    for (const each of [phoneOnly, ...shown]) await write(shop, ana, each);
    const [linked, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const linking = linkUntil(shop, ana, stored.promise, linked.resolve);
    await linked.promise;
    // Not committed until the link is: it is not known to the check before.
    const storing = app.db.transaction(async (tx) => {
      const id = storeMessage(tx, shop, `user:${ana.userId}`);
      if (shown.length > 0) await lockWaiters(app);
      else await id;
      stored.resolve();
      await linking;
      await id;
      await checkNewAliases(app.services);
    });
    await storing;
    expect(await threads(shop)).toHaveLength(2);
    await checkNewAliases(app.services);
    expect(await threads(shop)).toMatchObject([{ phone: ana.phone, last: { direction: 'out' } }]);
    expect(await thread(shop, ana.phone)).toHaveLength(2 + shown.length);
    await checkNewAliases(app.services);
    const { rows } = await app.db.query(sql`select from new_aliases where tenant_id = ${shop.id}`);
    expect(rows).toHaveLength(0);
  });
});
