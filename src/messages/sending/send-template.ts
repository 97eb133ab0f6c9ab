import { randomInt } from 'node:crypto';
import {
  addUnknownContacts,
  type UnknownContact,
} from '../../contacts/writing/add-unknown-contacts.ts';
import { invalid } from '../../errors.ts';
import type { RequestCounter } from '../../limits/count-request.ts';
import type { NumberFinder } from '../../numbers/find-number.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import type { TemplateFinder } from '../../templates/find-sendable-template.ts';
import { requestTemplateSync } from '../../templates/syncing/request-template-sync.ts';
import type { Caller } from '../../tenants/find-caller.ts';
import type { GraphError } from '../../whatsapp/errors.ts';
import type { MediaChecker } from './check-media.ts';
import { type HeaderChecker, readyTemplate } from './ready-template.ts';
import { type Account, type MessageSender, noNumber, type Sent } from './send-message.ts';

export type TemplateMessage = {
  phone: string;
  name: string;
  language: string;
  /** `field_N` by its number. */
  fields: Map<number, string>;
  headerMediaUrl?: string;
  /** The service makes the one-time password. */
  generateOtp?: boolean;
  /** Becomes a contact when none has the phone, together with the accepted message. */
  contact?: { firstname: string; lastname?: string | null; email?: string | null };
};

export type TemplateSender = ReturnType<typeof createTemplateSender>;

/** Sends approved templates; everything is checked before the network is called. */
export function createTemplateSender(services: {
  db: Database;
  clock: Clock;
  numbers: NumberFinder;
  findTemplate: TemplateFinder;
  checkMedia: MediaChecker;
  countRequest: RequestCounter;
  sendMessage: MessageSender;
}) {
  const { db, clock, numbers, findTemplate, checkMedia, countRequest, sendMessage } = services;

  /**
   * @returns with `otp` when the service made one: it is nowhere else, neither stored nor logged
   * @throws ApiError 422 naming the field at fault, and what `sendMessage` throws
   */
  return async function sendTemplate(
    caller: Caller,
    message: TemplateMessage,
    account: Account,
  ): Promise<Sent & { otp?: string }> {
    const { phone, name, language, headerMediaUrl, contact } = message;
    const number = await numbers.sendingNumber(caller.tenantId);
    if (!number) throw noNumber();
    const template = await findTemplate(number, name, language);
    const otp = message.generateOtp ? makeOtp(template, message.fields) : undefined;
    const fields = otp ? new Map(message.fields).set(1, otp) : message.fields;
    const checkCounted: HeaderChecker = async (url, kind) => {
      // A request beyond its minute has nothing fetched.
      await countRequest(caller, account);
      return checkMedia(caller.tenantId, url, kind);
    };
    const ready = await readyTemplate(template, { fields, headerMediaUrl }, checkCounted);
    const alongside = contact && addContact({ ...contact, tenantId: caller.tenantId, phone });
    const sent = await sendMessage(caller, { phone, ...ready, alongside }, account).catch(
      async (error) => {
        if (saysTemplateChanged(error)) await requestTemplateSync(db, caller.tenantId);
        throw error;
      },
    );
    return otp ? { ...sent, otp } : sent;
  };

  function addContact(contact: UnknownContact) {
    return (tx: Db) => addUnknownContacts(tx, [contact], clock.offsetMs);
  }
}

/** Refusals that cannot be when what we know of the template is what the network knows. */
function saysTemplateChanged(error: { cause?: unknown }): boolean {
  const { code } = (error.cause ?? {}) as Partial<GraphError>;
  return [132000, 132001, 132012, 132015, 132016].includes(code ?? 0);
}

/** Six digits, each code equally likely. */
function makeOtp(
  template: { name: string; category: string },
  fields: ReadonlyMap<number, string>,
): string {
  if (template.category !== 'AUTHENTICATION') {
    throw invalid({
      auto_generate_otp: [
        `works with authentication templates only; ${template.name} is of category ${template.category}`,
      ],
    });
  }
  if (fields.get(1)) {
    throw invalid({
      field_1: ['must be absent with auto_generate_otp: the service makes the code'],
    });
  }
  return String(randomInt(1_000_000)).padStart(6, '0');
}
