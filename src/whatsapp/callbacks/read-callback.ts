import type { Fault } from '../../platform/errors/fault.ts';
import { reportedProblem } from '../errors.ts';
import {
  errorCode,
  type Json,
  list,
  plainId,
  record,
  shortText,
  storable,
  string,
} from '../json.ts';
import {
  type AppContact,
  type AppMessage,
  readAppContacts,
  readEchoes,
  readHistory,
} from './read-app-messages.ts';
import {
  type IdentityLink,
  readPhone,
  readUserId,
  readUserIdUpdate,
  readUsername,
} from './read-identities.ts';
import {
  type FindWriter,
  type InboundMessage,
  isNetworkId,
  readInbound,
  readTime,
  writersOf,
} from './read-inbound.ts';

/** A delivery status of one outbound message, as the network reports it. */
export type StatusReport = {
  networkId: string;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  at: Date;
  /** The `biz_opaque_callback_data` of our send. */
  reference: string | undefined;
  error: ReportedError | undefined;
  pricing: ReportedPricing | undefined;
};

/** `type` is `regular`, or why the message costs nothing. The network adds categories from time to time. */
type ReportedPricing = { category: string; type: string; billable: boolean };

type ReportedError = { code: number | null; title: string; details: string | null };

/** The updates for one phone number in one callback. */
export type NumberReport = {
  phoneNumberId: string;
  /** As the network writes it, mostly digits. */
  displayPhoneNumber: string | null;
  statuses: StatusReport[];
  messages: InboundMessage[];
  /** Messages of the phone app, if the number is also there. */
  appMessages: AppMessage[];
  /** Contacts of the phone app. */
  appContacts: AppContact[];
  /** Whether the number is also in the phone app. */
  isInApp: boolean;
  /** Identities that belong to one person, from changes of user ids. */
  links: IdentityLink[];
  /** The identities of recipients, as statuses report them. */
  recipients: RecipientLink[];
  /** The last problem of the number or its account, as the network reports it. */
  problem: Fault | undefined;
};

/** The identities of a recipient, with the username if there is one, and the status that names them. */
export type RecipientLink = IdentityLink & { username: string | null; status: StatusReport };

/** The new status of a template. The callback does not include other changes. */
export type TemplateReport = {
  businessAccountId: string;
  name: string;
  language: string;
  status: string;
};

export type CallbackReport = {
  numbers: NumberReport[];
  templates: TemplateReport[];
  /** Business accounts with any change of a template. */
  changedAccounts: string[];
  /** Business accounts with other reports of the network, such as a restriction. */
  reportedAccounts: string[];
};

/**
 * Reads a callback body of object `whatsapp_business_account`. Skips entries, changes and updates
 * of an unknown shape: one of them must not lose hundreds of others in the same callback, or make
 * the network resend them for days.
 */
export function readCallback(body: unknown): CallbackReport {
  const numbers = new Map<string, NumberReport>();
  const templates: TemplateReport[] = [];
  const changedAccounts = new Set<string>();
  const reportedAccounts = new Set<string>();
  for (const entry of list(record(body)?.entry).map(record)) {
    for (const change of list(entry?.changes).map(record)) {
      const value = record(change?.value);
      if (!value) continue;
      const field = string(change?.field) ?? '';
      if (/^(message_)?template_/.test(field)) {
        const businessAccountId = plainId(entry?.id);
        if (!businessAccountId) continue;
        changedAccounts.add(businessAccountId);
        const template = readTemplate(businessAccountId, value);
        if (field === 'message_template_status_update' && template) templates.push(template);
        continue;
      }
      if (accountFields.includes(field)) {
        const businessAccountId = plainId(entry?.id);
        if (businessAccountId) reportedAccounts.add(businessAccountId);
        continue;
      }
      const metadata = record(value.metadata);
      const phoneNumberId = plainId(metadata?.phone_number_id);
      if (!phoneNumberId) continue;
      const report = numbers.get(phoneNumberId) ?? emptyReport(phoneNumberId);
      report.displayPhoneNumber ??= shortText(metadata?.display_phone_number);
      numbers.set(phoneNumberId, report);
      if (appFields.includes(field)) readAppUpdates(field, value, report);
      else readNumberUpdates(value, report);
    }
  }
  return {
    numbers: [...numbers.values()],
    templates,
    changedAccounts: [...changedAccounts],
    reportedAccounts: [...reportedAccounts],
  };
}

/** The fields of an account. A check of its numbers finds out what their events mean, which are an open list. */
const accountFields = ['account_update', 'account_review_update', 'account_alerts'];

function emptyReport(phoneNumberId: string): NumberReport {
  return {
    phoneNumberId,
    displayPhoneNumber: null,
    statuses: [],
    messages: [],
    links: [],
    recipients: [],
    appMessages: [],
    appContacts: [],
    isInApp: false,
    problem: undefined,
  };
}

/** The fields of a number that is also in the WhatsApp Business app. */
const appFields = ['smb_message_echoes', 'history', 'smb_app_state_sync'];

function readAppUpdates(field: string, value: Json, report: NumberReport): void {
  report.isInApp = true;
  if (field === 'smb_message_echoes') pushAll(report.appMessages, readEchoes(value));
  else if (field === 'history') pushAll(report.appMessages, readHistory(value));
  else {
    const { contacts, links } = readAppContacts(value);
    pushAll(report.appContacts, contacts);
    pushAll(report.links, links);
  }
}

/** A spread of tens of thousands of values can overflow the stack. */
function pushAll<Value>(target: Value[], values: Value[]): void {
  for (const value of values) target.push(value);
}

function readNumberUpdates(value: Json, report: NumberReport): void {
  const contacts = list(value.contacts)
    .map(record)
    .filter((each) => each !== undefined);
  const findWriter = writersOf(contacts);
  const statuses = list(value.statuses);
  for (const status of statuses.map(record)) {
    const read = readStatus(status);
    if (read) report.statuses.push(read);
    const link = read && readRecipient(status, findWriter);
    if (link) report.recipients.push({ ...link, status: read });
  }
  for (const update of list(value.user_id_update).map(record)) {
    report.links.push(...readUserIdUpdate(update));
  }
  const messages = list(value.messages);
  for (const message of messages) {
    const read = readInbound(record(message), findWriter);
    if (read) report.messages.push(read);
  }
  const errors = list(value.errors);
  // Next to messages or statuses, the errors are about those, not about the number or its account.
  if (errors.length === 0 || messages.length > 0 || statuses.length > 0) return;
  const { code, title, details } = readError(record(errors.at(-1)));
  report.problem = reportedProblem(details ?? title, code);
}

/** The events that are a status of a template. FLAGGED and REINSTATED, for example, are not. */
const templateStatuses = [
  ...['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED', 'IN_APPEAL', 'LIMIT_EXCEEDED'],
  ...['PENDING_DELETION', 'DELETED', 'ARCHIVED'],
];

function readTemplate(businessAccountId: string, value: Json): TemplateReport | undefined {
  const name = string(value.message_template_name);
  const language = string(value.message_template_language);
  const status = string(value.event)?.toUpperCase();
  if (!name || !language || !status || !templateStatuses.includes(status)) return undefined;
  return {
    businessAccountId,
    name: storable(name),
    language: storable(language),
    status,
  };
}

const statusNames = new Map<unknown, StatusReport['status']>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  // A voice message that was played has been read.
  ['played', 'read'],
  ['failed', 'failed'],
]);

function readStatus(status: Json | undefined): StatusReport | undefined {
  const name = statusNames.get(status?.status);
  if (!status || !name || !isNetworkId(status.id)) return undefined;
  const reference = status.biz_opaque_callback_data;
  return {
    networkId: status.id,
    status: name,
    at: readTime(status.timestamp),
    reference: typeof reference === 'string' ? reference : undefined,
    error: name === 'failed' ? readError(record(list(status.errors)[0])) : undefined,
    pricing: readPricing(record(status.pricing)),
  };
}

/** Reads the two identities of a recipient; undefined if the network names one only. */
function readRecipient(
  status: Json | undefined,
  findContact: FindWriter,
): Omit<RecipientLink, 'status'> | undefined {
  const userId = readUserId(status?.recipient_user_id);
  const phone = userId && readPhone(status?.recipient_id);
  if (!phone) return undefined;
  const contact = findContact(string(status?.recipient_id), userId);
  return { earlier: `user:${userId}`, later: phone, username: readUsername(contact) ?? null };
}

/** The network is going to remove `billable`: only the type `regular` is billed. */
function readPricing(pricing: Json | undefined): ReportedPricing | undefined {
  const category = plainWord(pricing?.category);
  if (category === undefined) return undefined;
  const type = plainWord(pricing?.type) ?? 'regular';
  const billable = typeof pricing?.billable === 'boolean' ? pricing.billable : type === 'regular';
  return { category, type, billable };
}

function plainWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined;
}

function readError(error: Json | undefined): ReportedError {
  const details = record(error?.error_data)?.details;
  return {
    code: errorCode(error?.code) ?? null,
    title:
      typeof error?.title === 'string' ? storable(error.title) : 'Failed for an unknown reason',
    details: typeof details === 'string' ? storable(details) : null,
  };
}
