import type { ConnectedNumber } from '../numbers/find-number.ts';
import { createLookupCache } from '../platform/concurrency/ttl-cache.ts';
import type { Database } from '../platform/database/database.ts';
import { type Faults, refusal } from '../platform/errors/api-error.ts';
import { findTemplatesByName, type TemplateRow } from './queries.ts';
import { unsupportedPart } from './read-slots.ts';

/**
 * The template to send, or the errors if it cannot be sent. The values of the send can still be
 * checked against `versions`, the templates with that name.
 */
export type FoundTemplate = { template: TemplateRow } | { faults: Faults; versions: TemplateRow[] };

export type TemplateFinder = ReturnType<typeof createTemplateFinder>;

/** Creates a finder for templates to send, which caches them for less than a second. */
export function createTemplateFinder({ db }: { db: Database }) {
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
    const versions = await cached(`${tenantId} ${businessAccountId} ${name}`, () =>
      findTemplatesByName(db, tenantId, businessAccountId, name),
    );
    if (versions.length === 0) {
      return faulty([], 'template_name', `is not a template of this account: "${name}"`);
    }
    if (language === undefined) return { faults: { errors: {}, passing: false }, versions };
    const template = versions.find((each) => each.language === language);
    if (!template) {
      const fault = `is not a language of this template, which exists in ${states(versions)}`;
      return faulty(versions, 'template_language', fault);
    }
    if (template.status !== 'APPROVED') {
      const fault = `is not approved in this language, so it cannot be sent; the template has ${states(versions)}`;
      return faulty([template], 'template_name', fault, true);
    }
    const part = unsupportedPart(template);
    if (part) {
      return faulty([], 'template_name', `has ${part}, which this API cannot fill`);
    }
    return { template };
  };
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
  fault: string,
  passing = false,
): FoundTemplate {
  return { faults: { errors: { [field]: [fault] }, passing }, versions };
}

function states(versions: TemplateRow[]): string {
  return versions.map(({ language, status }) => `${language} (${status})`).join(', ');
}
