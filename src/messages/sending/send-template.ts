import { randomInt } from 'node:crypto';
import { addUnknownContacts } from '../../contacts/writing/add-unknown-contacts.ts';
import type { RequestCounter } from '../../limits/count-request.ts';
import type { ConnectedNumber, NumberFinder } from '../../numbers/find-number.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import {
  allFaults,
  type Faults,
  type FieldErrors,
  hasFaults,
  refusal,
} from '../../platform/errors/api-error.ts';
import type { FoundTemplate, TemplateFinder } from '../../templates/find-sendable-template.ts';
import { requestTemplateSync } from '../../templates/syncing/request-template-sync.ts';
import type { Caller } from '../../tenants/find-caller.ts';
import type { GraphError } from '../../whatsapp/errors.ts';
import type { MediaChecker } from './check-media.ts';
import { type HeaderChecker, readyTemplate } from './ready-template.ts';
import {
  type MessageContent,
  type MessageSender,
  noNumber,
  type SendRequest,
  type Sent,
} from './send-message.ts';

export type TemplateMessage = {
  phone: string;
  name: string;
  language: string;
  /** `field_N` by its number. */
  fields: Map<number, string>;
  headerMediaUrl?: string;
  /** The service generates the one-time password. */
  generateOtp?: boolean;
  /** Created together with the accepted message if no contact has the phone. */
  contact?: { firstname: string; lastname?: string | null; email?: string | null };
};

/** The part of a template message that is checked against the templates of the account. */
export type TemplateDraft = Partial<Pick<TemplateMessage, 'name' | 'language'>> &
  Pick<TemplateMessage, 'fields' | 'headerMediaUrl' | 'generateOtp'>;

/** The dependencies of the functions that send. */
export type SendServices = {
  db: Database;
  numbers: NumberFinder;
  findTemplate: TemplateFinder;
  checkMedia: MediaChecker;
  countRequest: RequestCounter;
  sendMessage: MessageSender;
};

/**
 * Sends an approved template. Everything is checked before the network is called.
 *
 * @returns `otp` only if the service generated one. It is neither stored nor logged.
 * @throws ApiError 422 naming the fields at fault, and the errors of `sendMessage`
 */
export async function sendTemplate(
  services: SendServices,
  caller: Caller,
  message: TemplateMessage,
  request: SendRequest,
): Promise<Sent & { otp?: string }> {
  const { db, numbers, sendMessage } = services;
  const { phone, contact } = message;
  const number = await numbers.sendingNumber(caller.tenantId);
  if (!number) throw noNumber();
  const prepared = await prepare(services, number, caller, message, request);
  if ('faults' in prepared) throw refusal(prepared.faults);
  const { ready, otp } = prepared;
  const unknown = contact && { ...contact, tenantId: caller.tenantId, phone };
  const alongside = unknown && ((tx: Db) => addUnknownContacts(tx, [unknown]));
  const sent = await sendMessage(caller, { phone, ...ready, alongside }, request).catch(
    async (error) => {
      if (isTemplateOutdated(error)) await requestTemplateSync(db, caller.tenantId);
      throw error;
    },
  );
  return otp ? { ...sent, otp } : sent;
}

/** Finds the faults of a message that is not sent, because other fields of it are not valid. */
export async function templateFaults(
  services: Omit<SendServices, 'sendMessage'>,
  caller: Caller,
  draft: TemplateDraft,
  request: SendRequest,
): Promise<FieldErrors> {
  const number = await services.numbers.sendingNumber(caller.tenantId);
  if (!number) return {};
  const prepared = await prepare(services, number, caller, draft, request);
  return 'faults' in prepared ? prepared.faults.errors : {};
}

async function prepare(
  {
    findTemplate,
    checkMedia,
    countRequest,
  }: Pick<SendServices, 'findTemplate' | 'checkMedia' | 'countRequest'>,
  number: ConnectedNumber,
  caller: Caller,
  { name, language, fields, headerMediaUrl, generateOtp }: TemplateDraft,
  request: SendRequest,
): Promise<{ ready: MessageContent; otp: string | undefined } | { faults: Faults }> {
  const found: FoundTemplate =
    name === undefined ? unnamed : await findTemplate(number, name, language);
  const faultsOfOtp = generateOtp ? otpFaults(found, fields) : {};
  const otp = generateOtp && !faultsOfOtp.auto_generate_otp ? generateOtpCode() : undefined;
  const checkCounted: HeaderChecker = async (url, kind) => {
    // Nothing is fetched for a request over the per-minute limit.
    await countRequest(caller, request);
    return checkMedia(caller.tenantId, url, kind);
  };
  const values = { fields: otp ? new Map(fields).set(1, otp) : fields, headerMediaUrl };
  const result = await readyTemplate(found, values, checkCounted);
  const ofTemplate = 'faults' in result ? result.faults : none;
  const faults = allFaults(ofTemplate, { errors: faultsOfOtp, passing: false });
  return 'faults' in result || hasFaults(faults) ? { faults } : { ...result, otp };
}

const none: Faults = { errors: {}, passing: true };
/** For a request whose template name is not valid, which is reported elsewhere. */
const unnamed: FoundTemplate = { faults: none, versions: [] };

/** Returns whether the network refused the message because its template differs from our copy. */
function isTemplateOutdated(error: { cause?: unknown }): boolean {
  const { code } = (error.cause ?? {}) as Partial<GraphError>;
  return [132000, 132001, 132012, 132015, 132016].includes(code ?? 0);
}

/** Finds why the service cannot generate a one-time password for a message. */
function otpFaults(found: FoundTemplate, fields: ReadonlyMap<number, string>): FieldErrors {
  const versions = 'template' in found ? [found.template] : found.versions;
  const [first] = versions;
  if (first && versions.every(({ category }) => category !== 'AUTHENTICATION')) {
    const { name, category } = first;
    const fault = `works with authentication templates only; ${name} is of category ${category}`;
    return { auto_generate_otp: [fault] };
  }
  if (!fields.get(1)) return {};
  return { field_1: ['must be absent with auto_generate_otp: the service generates the code'] };
}

/** Generates six digits, each code equally likely. */
function generateOtpCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}
