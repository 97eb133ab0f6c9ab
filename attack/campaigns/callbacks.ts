import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { inParallel } from '../client.ts';
import { draw, hostileValue, rawBodies } from '../hostile-values.ts';
import type { Tenant } from '../scene.ts';
import type { Attack } from './campaign.ts';

const campaign = 'callbacks';

/** Values in the network's own shape, with hostile parts anywhere. */
function changes(phoneNumberId: string): fc.Arbitrary<unknown> {
  const text = fc.oneof(
    fc.constantFrom('14155550123', 'wamid.HBgL', '1767600000', 'text', 'image', 'sent', 'read'),
    hostileValue,
  );
  const message = fc.record(
    {
      from: text,
      id: text,
      timestamp: text,
      type: fc.oneof(fc.constantFrom('text', 'image', 'reaction', 'interactive', 'order'), text),
      text: fc.oneof(fc.record({ body: text }), hostileValue),
      image: fc.oneof(fc.record({ id: text, mime_type: text, caption: text }), hostileValue),
      context: fc.oneof(fc.record({ id: text, from: text }), hostileValue),
      from_user_id: text,
    },
    { requiredKeys: ['from', 'id', 'timestamp', 'type'] },
  );
  const status = fc.record(
    {
      id: text,
      status: fc.oneof(fc.constantFrom('sent', 'delivered', 'read', 'failed', 'odd'), text),
      timestamp: text,
      recipient_id: text,
      biz_opaque_callback_data: fc.oneof(fc.constantFrom('1.1', '2.1', '999.1', 'x.y'), text),
      errors: fc.oneof(fc.array(fc.record({ code: text, title: text })), hostileValue),
    },
    { requiredKeys: ['id', 'status'] },
  );
  const value = fc.record(
    {
      messaging_product: fc.constant('whatsapp'),
      metadata: fc.oneof(
        { weight: 5, arbitrary: fc.constant({ phone_number_id: phoneNumberId }) },
        { weight: 1, arbitrary: hostileValue },
      ),
      contacts: fc.oneof(
        fc.array(fc.record({ profile: fc.record({ name: text }), wa_id: text }), { maxLength: 3 }),
        hostileValue,
      ),
      messages: fc.oneof(fc.array(message, { maxLength: 4 }), hostileValue),
      statuses: fc.oneof(fc.array(status, { maxLength: 4 }), hostileValue),
      errors: hostileValue,
    },
    { requiredKeys: ['metadata'] },
  );
  return fc.record({
    object: fc.constant('whatsapp_business_account'),
    entry: fc.array(
      fc.record({
        id: text,
        changes: fc.array(
          fc.record({
            field: fc.oneof(
              { weight: 4, arbitrary: fc.constant('messages') },
              {
                weight: 1,
                arbitrary: fc.constantFrom(
                  'message_template_status_update',
                  'phone_number_quality_update',
                  'account_update',
                ),
              },
            ),
            value,
          }),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 2 },
    ),
  });
}

/** Sends callbacks that are signed with the attacker's app secret, some to the victim's address. */
export async function attackCallbacks({
  scene,
  client,
  tally,
  inputs,
  seed,
  width,
}: Attack): Promise<void> {
  const { attacker, victim } = scene;
  const bodies = fc.oneof(
    { weight: 9, arbitrary: changes(attacker.phoneNumberId).map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: changes(victim.phoneNumberId).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: rawBodies },
  );
  const part = 500;
  for (let first = 0; first < inputs; first += part) {
    const drawn = draw(bodies, Math.min(part, inputs - first), seed + first);
    await inParallel(drawn.length, width, async (index) => {
      const body = Buffer.from(drawn[index]!);
      const isToVictim = index % 10 === 9;
      const output = await client.send({
        campaign,
        method: 'POST',
        path: (isToVictim ? victim : attacker).callbackPath,
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': `sha256=${signature(attacker, body)}`,
        },
        body,
        forbidden: victim.canaries,
      });
      if (isToVictim && output?.status === 200) {
        const detail = 'a callback signed with another tenant’s secret was accepted';
        tally.fault({ kind: 'breach', campaign, detail });
      }
    });
  }
}

function signature({ appSecret }: Tenant, body: Buffer): string {
  return createHmac('sha256', appSecret).update(body).digest('hex');
}
