import type { Static } from 'typebox';
import { addUnknownContacts } from '../contacts/add-unknown-contacts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import { SendTemplate, SentTemplate } from './schema.ts';
import type { TemplateSender } from './sending/send-template.ts';

/** POST messages/template: ordinary templates and one-time passwords (spec, section 4.1). */
export function templateMessageRoutes(
  api: TenantApi,
  {
    db,
    clock,
    sendTemplate,
  }: {
    db: Database;
    clock: Clock;
    sendTemplate: TemplateSender;
  },
): void {
  api.post(
    '/messages/template',
    {
      config: {
        ability: 'messages:template',
        countedBySend: true,
        // Its contact is created when the answer of the network is written down, and that was lost.
        whenFoundSent: async ({ caller: { tenantId }, body }) => {
          const { phone_number: phone, contact } = body as Static<typeof SendTemplate>;
          if (!contact) return;
          await addUnknownContacts(db, [{ ...contact, tenantId, phone }], clock.offsetMs);
        },
      },
      schema: { body: SendTemplate, response: { 200: SentTemplate } },
    },
    async (request) => {
      const body = request.body;
      const sent = await sendTemplate(
        request.caller,
        {
          phone: body.phone_number,
          name: body.template_name,
          language: body.template_language,
          fields: numberedFields(body),
          headerMediaUrl: body.header_media_url,
          generateOtp: body.auto_generate_otp,
          contact: body.contact,
        },
        request,
      );
      return {
        success: true as const,
        message: 'The network accepted the message.',
        data: {
          message_id: sent.messageId,
          phone_number: sent.phone,
          status: sent.status,
          ...(sent.otp && { otp: sent.otp }),
        },
      };
    },
  );
}

/** `field_1`, `field_2` ... as a map from number to value, also those that no template has. */
function numberedFields(body: object): Map<number, string> {
  const fields = new Map<number, string>();
  for (const [name, value] of Object.entries(body)) {
    const [, number] = /^field_(0|[1-9]\d{0,5})$/.exec(name) ?? [];
    if (number) fields.set(Number(number), value as string);
  }
  return fields;
}
