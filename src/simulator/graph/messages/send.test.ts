import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventuallyHolds } from '../../../../test/checks/eventually.ts';
import { startTestSimulator } from '../../../../test/servers/simulator.ts';

test('a text is accepted, and its statuses are reported signed, in order, with the tracking data', async () => {
  const network = await startTestSimulator();
  const { status, body } = await network.send({
    text: { body: 'Grüße / hello' },
    biz_opaque_callback_data: 'row/42é',
  });
  expect(status).toBe(200);
  expect(body.contacts).toEqual([{ input: '+15551234567', wa_id: '15551234567' }]);
  expect(body.messages[0].id).toMatch(/^wamid\.[A-Za-z0-9+/]+=*$/);

  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(2));
  const { id } = body.messages[0];
  expect(network.receiver.statuses()).toMatchObject([
    { id, status: 'sent', biz_opaque_callback_data: 'row/42é', recipient_id: '15551234567' },
    { id, status: 'delivered', biz_opaque_callback_data: 'row/42é' },
  ]);
  for (const { headers, raw } of network.receiver.posts) {
    const digest = createHmac('sha256', network.number.app_secret).update(raw).digest('hex');
    expect(headers['x-hub-signature-256']).toBe(`sha256=${digest}`);
    expect(raw.toString()).toContain('row\\/42\\u00e9');
  }
});

test('statuses name the recipient with phone and user id, and the username once the message has arrived', async () => {
  const network = await startTestSimulator();
  await network.call('POST', '/simulator/phones', { phone: '15551234567', name: 'Ada' });
  const username = { username: 'ada.l' };
  const { body: phone } = await network.call('PATCH', '/simulator/phones/15551234567', username);
  await network.behave({ batch: 2, batchAs: 'statuses', stepMs: 1 });
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(2));
  const { user_id } = phone;
  const ids = { recipient_id: '15551234567', recipient_user_id: user_id };
  expect(network.receiver.statuses()).toMatchObject([ids, ids]);
  const contacts = network.receiver.posts.flatMap(
    ({ raw }) => JSON.parse(raw.toString()).entry[0].changes[0].value.contacts,
  );
  expect(contacts).toEqual([
    { wa_id: '15551234567', user_id },
    { profile: { name: 'Ada', ...username }, wa_id: '15551234567', user_id },
  ]);
});

test('the status of a message to a user id names the phone if the business knows it', async () => {
  const network = await startTestSimulator();
  const phone = '15551234567';
  await network.call('POST', '/simulator/phones', { phone });
  const hidden = { username: 'ada.l', hidden: true };
  const { user_id } = (await network.call('PATCH', `/simulator/phones/${phone}`, hidden)).body;
  await network.behave({ skipDelivered: true });
  /** Returns the recipient in the status of a message to the user id. */
  const recipient = async (count: number) => {
    await network.send({ to: undefined, recipient: user_id });
    await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(count));
    const { value } = JSON.parse(String(network.receiver.posts.at(-1)?.raw)).entry[0].changes[0];
    const [{ recipient_id, recipient_user_id }] = value.statuses;
    return [recipient_id, value.contacts?.[0].wa_id, recipient_user_id];
  };
  expect(await recipient(1)).toEqual([undefined, undefined, user_id]);
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(2));
  expect(await recipient(3)).toEqual([phone, phone, user_id]);
  await network.behave({ failWith: 131050 });
  expect(await recipient(4)).toEqual([undefined, undefined, user_id]);
});

test('an unversioned path and any version reach the same number, and the response names the version', async () => {
  const network = await startTestSimulator();
  const path = `/${network.number.phone_number_id}`;
  for (const prefix of ['', '/v21.0', '/v26.0']) {
    const { body } = await network.call(
      'GET',
      prefix + path,
      undefined,
      network.number.access_token,
    );
    expect(body.id).toBe(network.number.phone_number_id);
  }
  const { headers } = await fetch(`${network.url}/v26.0/`);
  expect(headers.get('facebook-api-version')).toBe('v26.0');
});

test('an unknown token is 190, a valid one for an unknown object is 100 with subcode 33', async () => {
  const network = await startTestSimulator();
  const path = `/v25.0/${network.number.phone_number_id}/messages`;
  const forged = await network.call('POST', path, { messaging_product: 'whatsapp' }, 'EAAforged');
  expect(forged).toMatchObject({ status: 401, body: { error: { code: 190 } } });
  const lost = await network.call('POST', '/v25.0/12345/messages', {}, network.number.access_token);
  expect(lost).toMatchObject({
    status: 400,
    body: { error: { type: 'GraphMethodException', code: 100, error_subcode: 33 } },
  });
});
