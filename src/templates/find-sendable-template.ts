import type { ConnectedNumber, NumberFinder } from '../numbers/find-number.ts';
import { createLookupCache } from '../platform/concurrency/ttl-cache.ts';
import type { Database } from '../platform/database/database.ts';
import { type Faults, refusal } from '../platform/errors/api-error.ts';
import { type Fault, fault } from '../platform/errors/fault.ts';
import { findTemplatesByName, type TemplateRow } from './queries.ts';
import { unsupportedPart } from './read-slots.ts';

/**
 * The template to send, or the errors if it cannot be sent. The values of the send can still be
 * checked against `versions`, the templates with that name.
 */
export type FoundTemplate = { template: TemplateRow } | { faults: Faults; versions: TemplateRow[] };

export type TemplateFinder = ReturnType<typeof createTemplateFinder>;

/**
 * Creates a finder for templates to send, which caches them for less than a second. A template must exist in the
 * business account of the number that sends it.
 */
export function createTemplateFinder({ db, numbers }: { db: Database; numbers: NumberFinder }) {
  const cached = createLookupCache<TemplateRow[]>();

  /**
   * Finds the template with a name and a language.
   *
   * @param language undefined if the request has none, which is an error reported elsewhere
   */
  return async function findTemplate(
    number: ConnectedNumber,
    name: string,
    language: string | undefined,
  ): Promise<FoundTemplate> {
    const { tenantId, businessAccountId } = number;
    const versions = await versionsOf(tenantId, businessAccountId, name);
    if (versions.length === 0) {
      const others = await othersWith(number, name, language);
      return faulty([], 'template_name', noSuchTemplate(name, others));
    }
    if (language === undefined) return { faults: { errors: {}, passing: false }, versions };
    const template = versions.find((each) => each.language === language);
    if (!template) {
      const others = await othersWith(number, name, language);
      const problem = fault(
        'not_a_language',
        `is not a language of this template, which exists in {versions}${others.text}`,
        { versions: states(versions), phones: others.phones, sender: others.sender },
      );
      return faulty(versions, 'template_language', problem);
    }
    if (template.status !== 'APPROVED') {
      const others = await othersWith(number, name, language);
      const problem = fault(
        'not_approved',
        `is not approved in this language, so it cannot be sent; the template has {versions}${others.text}`,
        { versions: states(versions), phones: others.phones, sender: others.sender },
      );
      return faulty([template], 'template_name', problem, true);
    }
    const unsupported = unsupportedPart(template);
    if (unsupported) {
      const { part, kind } = unsupported;
      const problem = fault('unsupported_part', 'has {part}, which this API cannot fill', {
        part,
        kind,
      });
      return faulty([], 'template_name', problem);
    }
    return { template };
  };

  function versionsOf(tenantId: number, accountId: string, name: string): Promise<TemplateRow[]> {
    return cached(`${tenantId} ${accountId} ${name}`, () =>
      findTemplatesByName(db, tenantId, accountId, name),
    );
  }

  /** Names the numbers whose accounts have the template approved, if that of the sending number has not. */
  async function othersWith(
    { tenantId, businessAccountId, ...number }: ConnectedNumber,
    name: string,
    language: string | undefined,
  ): Promise<Others> {
    const senders = await numbers.senders(tenantId);
    const others = new Set(senders.map((each) => each.businessAccountId));
    others.delete(businessAccountId);
    const having: string[] = [];
    for (const accountId of others) {
      const versions = await versionsOf(tenantId, accountId, name);
      const isApproved = versions.some(
        (each) => each.status === 'APPROVED' && each.language === (language ?? each.language),
      );
      if (isApproved) having.push(accountId);
    }
    const able = senders.filter((each) => having.includes(each.businessAccountId));
    if (able.length === 0) return noOthers;
    const phones = able.slice(0, maxNamed).map(phoneOf).join(', ');
    const accounts = having.length === 1 ? 'account' : 'accounts';
    return {
      text: `; it is approved in the ${accounts} of {phones}, not in that of {sender}, which would send it`,
      phones,
      sender: phoneOf(number),
    };
  }
}

const maxNamed = 5;

/** The end of a fault: the numbers that could send the template. Without one, `phones` is `none`. */
type Others = { text: string; phones: string; sender: string };
const noOthers: Others = { text: '', phones: 'none', sender: 'none' };

export function noSuchTemplate(name: string, { text, phones, sender } = noOthers): Fault {
  return fault('no_such_template', `is not a template of this account: "{name}"${text}`, {
    name,
    phones,
    sender,
  });
}

function phoneOf({
  displayPhoneNumber,
  phoneNumberId,
}: Pick<ConnectedNumber, 'displayPhoneNumber' | 'phoneNumberId'>): string {
  return displayPhoneNumber ?? phoneNumberId;
}

/**
 * Returns the template if it can be sent.
 *
 * @throws ApiError 422 on `template_name` or `template_language`
 */
export function sendable(found: FoundTemplate): TemplateRow {
  if ('faults' in found) throw refusal(found.faults);
  return found.template;
}

function faulty(
  versions: TemplateRow[],
  field: string,
  problem: Fault,
  passing = false,
): FoundTemplate {
  return { faults: { errors: { [field]: [problem] }, passing }, versions };
}

function states(versions: TemplateRow[]): string {
  return versions.map(({ language, status }) => `${language} (${status})`).join(', ');
}
