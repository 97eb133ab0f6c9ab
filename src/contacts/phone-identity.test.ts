import { describe, expect, test } from 'vitest';
import { testApp } from '../../test/program/app.ts';
import { findContactByPhone } from './find-contact-by-phone.ts';
import { createContactIfAbsent, upsertContact } from './writing/upsert-contact.ts';

const app = testApp();

// The phone as people write it, and the network's wa_id with a + before it.
describe.each([
  ['Brazil, Belo Horizonte', '+5531987654321', '+553187654321'],
  ['Brazil, São Paulo', '+5511976543210', '+551176543210'],
  ['Argentina, Buenos Aires', '+541123456789', '+5491123456789'],
  ['Argentina, Ushuaia', '+542901567890', '+5492901567890'],
  ['Mexico, Mexico City', '+525512345678', '+5215512345678'],
])('a mobile of %s', (_, written, networks) => {
  test.each([
    [written, networks],
    [networks, written],
  ])('that was created as %s is the contact of %s', async (ours, theirs) => {
    const shop = await app.tenant({ number: false });
    const create = (phone: string) => shop.call('POST', '/contacts', { firstname: 'Ana', phone });
    const { body } = await create(ours);
    expect(body.data.phone).toBe(ours);
    expect(await findContactByPhone(app.db, shop.id, theirs)).toEqual(body.data);
    expect((await create(theirs)).body.errors).toEqual({
      phone: ['already belongs to another contact'],
    });
    const upserted = await upsertContact(app.db, shop.id, { phone: theirs, city: 'Centro' });
    expect(upserted).toMatchObject({
      outcome: 'updated',
      contact: { id: body.data.id, phone: ours, firstname: 'Ana', city: 'Centro' },
    });
    const renamed = await shop.call('PUT', `/contacts/${body.data.id}`, { phone: theirs });
    expect(renamed.body.data.phone).toBe(theirs);
  });
});

test.each([
  ['a landline and a mobile of Brazil that share digits', '+551132345678', '+5511932345678'],
  ['phones of two areas', '+5531987654321', '+5511987654321'],
  ['phones of other countries', '+4915112345678', '+495112345678'],
])('%s are two contacts', async (_, first, second) => {
  const shop = await app.tenant({ number: false });
  for (const phone of [first, second]) {
    const { status } = await shop.call('POST', '/contacts', { firstname: 'Ana', phone });
    expect(status).toBe(200);
  }
});

describe('a contact that another system knows', () => {
  test('is created with the valid fields, and later changed only where something is new', async () => {
    const shop = await app.tenant({ number: false });
    const known = {
      phone: '+14155550123',
      firstname: ' Ann\nMarie ',
      lastname: `Lee\u0000${'x'.repeat(300)}`,
      email: 'not one',
      company: '',
    };
    const created = await upsertContact(app.db, shop.id, known);
    expect(created).toMatchObject({
      outcome: 'created',
      contact: { firstname: 'Ann Marie', email: null, company: null },
    });
    expect(created.contact.lastname).toHaveLength(255);
    const again = await upsertContact(app.db, shop.id, known);
    expect(again).toEqual({ outcome: 'unchanged', contact: created.contact });
    const changed = await upsertContact(app.db, shop.id, { phone: known.phone, email: 'a@b.de' });
    expect(changed).toMatchObject({
      outcome: 'updated',
      contact: { id: created.contact.id, firstname: 'Ann Marie', email: 'a@b.de' },
    });
  });

  test('without a name gets its phone as the name; an existing one does not change', async () => {
    const shop = await app.tenant({ number: false });
    const phone = '+14155550123';
    const created = await createContactIfAbsent(app.db, shop.id, { phone });
    expect(created).toMatchObject({ outcome: 'created', contact: { firstname: phone } });
    const again = await createContactIfAbsent(app.db, shop.id, { phone, firstname: 'Ann' });
    expect(again).toEqual({ outcome: 'unchanged', contact: created.contact });
  });

  test('is created once by many concurrent upserts', async () => {
    const shop = await app.tenant({ number: false });
    const phone = '+14155550123';
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? upsertContact : createContactIfAbsent)(app.db, shop.id, { phone }),
      ),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect((await shop.call('GET', '/contacts')).body.pagination.total).toBe(1);
  });
});
