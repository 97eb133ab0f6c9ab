import { globSync, readFileSync } from 'node:fs';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/program/app.ts';
import { byField, optionalFieldNames } from '../fields/contact-fields.ts';
import { upsertContacts } from '../files/importing/import-query.ts';
import { addUnknownContacts } from './add-unknown-contacts.ts';
import { createContactIfAbsent, upsertContact } from './upsert-contact.ts';

const app = testApp();

test('no other code inserts contacts', () => {
  const files = globSync('{src,bench,test}/**/*.ts').filter((path) =>
    /insert\s+into\s+contacts\b/.test(readFileSync(path, 'utf8')),
  );
  expect(files).toEqual(['src/contacts/writing/inserted-contacts.ts']);
});

test('every way to create contacts counts new ones once, with their search texts, and known ones not again', async () => {
  const shop = await app.tenant();
  const { id: tenantId } = shop;
  const empty = byField(optionalFieldNames, () => null);
  const row = (phone: string, firstname: string) => {
    return {
      ...empty,
      phone,
      firstname,
      statusId: null,
      sourceId: null,
      groupIds: [],
      metadata: null,
    };
  };
  const create = (phone: string) => shop.call('POST', '/contacts', { firstname: 'Ada', phone });
  const unknown = (...phones: string[]) =>
    phones.map((phone) => ({ tenantId, phone, firstname: 'Ada' }));
  const ways: [string, () => Promise<unknown>][] = [
    ['one', () => create('+14155550001')],
    ['many', () => Promise.all(['+14155550002', '+14155550003', '+14155550002'].map(create))],
    ['upsert', () => upsertContact(app.db, tenantId, { phone: '+14155550004' })],
    ['change', () => upsertContact(app.db, tenantId, { phone: '+14155550004', city: 'Oakland' })],
    ['if absent', () => createContactIfAbsent(app.db, tenantId, { phone: '+14155550005' })],
    ['inbound', () => addUnknownContacts(app.db, unknown('+14155550005', '+14155550006'))],
    [
      'file',
      () =>
        upsertContacts(app.db, tenantId, [
          row('+14155550006', 'Grace'),
          row('+14155550007', 'Ada'),
          row('+14155550007', 'Lin'),
        ]),
    ],
  ];
  const counts: Record<string, number> = {};
  for (const [way, run] of ways) {
    await run();
    const { rows } = await app.db.query<Record<string, number>>(sql`
      select (select count(*) from contacts where tenant_id = ${tenantId}) as contacts,
             (select sum(contacts) from contact_counts where tenant_id = ${tenantId} and span = 1024)::int
               as small,
             (select sum(contacts) from contact_counts where tenant_id = ${tenantId} and span = 1048576)::int
               as large,
             (select count(*) from contacts join new_search_texts
                on new_search_texts.tenant_id = contacts.tenant_id and contact_id = id
              where contacts.tenant_id = ${tenantId} and text like lower(firstname) || '%') as texts`);
    const { contacts, ...others } = rows[0]!;
    expect(others, way).toEqual({ small: contacts, large: contacts, texts: contacts });
    counts[way] = contacts!;
  }
  expect(counts).toEqual({
    one: 1,
    many: 3,
    upsert: 4,
    change: 4,
    'if absent': 5,
    inbound: 6,
    file: 7,
  });
});
