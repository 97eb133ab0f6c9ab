import { addUnknownContacts } from '../../../contacts/writing/add-unknown-contacts.ts';
import type { RequestCounter } from '../../../limits/count-request.ts';
import type { ConnectedNumber, NumberFinder } from '../../../numbers/find-number.ts';
import { matchesName } from '../../../numbers/number-name.ts';
import type { Database, Db } from '../../../platform/database/database.ts';
import {
  allFaults,
  type Faults,
  type FieldErrors,
  hasFaults,
  refusal,
} from '../../../platform/errors/api-error.ts';
import type { Log } from '../../../platform/log.ts';
import { logFailure } from '../../../platform/log-failure.ts';
import { userIdOf } from '../../../platform/values/phones/recipient.ts';
import type { FoundTemplate, TemplateFinder } from '../../../templates/find-sendable-template.ts';
import { requestPacedSync } from '../../../templates/syncing/request-template-sync.ts';
import type { Caller } from '../../../tenants/api/find-caller.ts';
import type { GraphError } from '../../../whatsapp/errors.ts';
import { findSenders, fromFaults, type Senders, sendersOfAccount } from '../find-senders.ts';
import type { MediaChecker } from '../media/check-media.ts';
import { findSentUpload, type SentUpload } from '../media/find-sent-upload.ts';
import type { Checked, MessageContent, MessageSender, SendRequest, Sent } from '../send-message.ts';
import { userIdFaults } from '../user-id-faults.ts';
import { generateOtpCode, otpFaults } from './one-time-password.ts';
import { type HeaderChecker, readyTemplate } from './ready-template.ts';

export type TemplateMessage = {
  phone: string;
  from?: string | null;
  reference?: string | null;
  name: string;
  language: string;
  /** `field_N` by its number. */
  fields: Map<number, string>;
  headerMediaUrl?: string;
  /** The id of an uploaded file, in place of the URL. */
  headerMediaId?: string;
  headerFilename?: string;
  /** The service generates the one-time password. */
  generateOtp?: boolean;
  dryRun?: boolean | null | undefined;
  /** Created together with the accepted message if no contact has the phone. */
  contact?: { firstname: string; lastname?: string | null; email?: string | null };
};

/** The part of a template message that is checked against the tenant's numbers and their templates. */
export type TemplateDraft = Partial<
  Pick<TemplateMessage, 'phone' | 'from' | 'name' | 'language' | 'contact'>
> &
  Pick<
    TemplateMessage,
    'fields' | 'headerMediaUrl' | 'headerMediaId' | 'headerFilename' | 'generateOtp'
  >;

/** The dependencies of the functions that send. */
export type SendServices = {
  db: Database;
  log: Log;
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
): Promise<(Sent & { otp?: string }) | Checked> {
  const { db, numbers, sendMessage } = services;
  const { phone, from, reference, contact, dryRun } = message;
  const all = await findSenders(numbers, caller.tenantId, from);
  const headerUpload = await uploadOf(services, caller, message);
  const senders: Senders =
    headerUpload && 'sender' in headerUpload
      ? [headerUpload.sender]
      : await sendersOfAccount(db, all, phone);
  const draft = { ...message, headerUpload };
  const prepared = await prepare(services, senders[0], caller, draft, request);
  if ('faults' in prepared) throw refusal(prepared.faults);
  const { ready, otp } = prepared;
  const unknown = contact && { ...contact, tenantId: caller.tenantId, phone };
  const alongside = unknown && ((tx: Db) => addUnknownContacts(tx, [unknown]));
  const outgoing = { senders, phone, reference, dryRun, ...ready, alongside };
  const sent = await sendMessage(caller, outgoing, request).catch(async (error) => {
    if (isTemplateOutdated(error)) {
      // The refusal is the response, whatever becomes of the sync.
      await requestPacedSync(db, caller.tenantId).catch((err) =>
        logFailure(services, err, 'requesting a sync of templates failed'),
      );
    }
    throw error;
  });
  return otp && sent.status === 'sent' ? { ...sent, otp } : sent;
}

/** Finds the faults of a message that is not sent, because other fields of it are not valid. */
export async function templateFaults(
  services: Omit<SendServices, 'sendMessage'>,
  caller: Caller,
  draft: TemplateDraft,
  request: SendRequest,
): Promise<FieldErrors> {
  const { numbers } = services;
  const faults = await fromFaults(numbers, caller.tenantId, draft.from);
  const from = 'from' in faults ? undefined : draft.from;
  const headerUpload = await uploadOf(services, caller, { ...draft, from });
  const number =
    headerUpload && 'sender' in headerUpload
      ? headerUpload.sender
      : (await numbers.senders(caller.tenantId)).find((each) => matchesName(each, from));
  if (!number) return faults;
  const prepared = await prepare(services, number, caller, { ...draft, headerUpload }, request);
  return 'faults' in prepared ? { ...faults, ...prepared.faults.errors } : faults;
}

async function uploadOf(
  services: Pick<SendServices, 'db' | 'numbers'>,
  { tenantId }: Caller,
  { headerMediaId, from }: Pick<TemplateDraft, 'headerMediaId' | 'from'>,
): Promise<SentUpload | undefined> {
  return headerMediaId ? findSentUpload(services, tenantId, headerMediaId, from) : undefined;
}

async function prepare(
  {
    findTemplate,
    checkMedia,
    countRequest,
  }: Pick<SendServices, 'findTemplate' | 'checkMedia' | 'countRequest'>,
  number: ConnectedNumber,
  caller: Caller,
  {
    phone,
    contact,
    name,
    language,
    fields,
    headerMediaUrl,
    headerFilename,
    headerUpload,
    generateOtp,
  }: TemplateDraft & { headerUpload: SentUpload | undefined },
  request: SendRequest,
): Promise<{ ready: MessageContent; otp: string | undefined } | { faults: Faults }> {
  const found: FoundTemplate =
    name === undefined ? unnamed : await findTemplate(number, name, language);
  const faultsOfOtp = {
    ...(generateOtp && otpFaults(found, fields)),
    ...(phone && userIdOf(phone) !== undefined && userIdFaults(found, contact)),
  };
  const otp = generateOtp && !('auto_generate_otp' in faultsOfOtp) ? generateOtpCode() : undefined;
  const checkCounted: HeaderChecker = async (url, kind) => {
    // Nothing is fetched for a request over the per-minute limit.
    await countRequest(caller, request);
    return checkMedia(caller.tenantId, url, kind);
  };
  const filled = otp ? new Map(fields).set(1, otp) : fields;
  const values = { fields: filled, headerMediaUrl, headerFilename, headerUpload };
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
  return [131055, 132000, 132001, 132012, 132015, 132016, 134100].includes(code ?? 0);
}
