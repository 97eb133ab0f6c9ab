import { invalid, invalidForNow } from '../errors.ts';
import type { ConnectedNumber } from '../numbers/find-number.ts';
import type { Database } from '../platform/database/database.ts';
import { rememberBriefly } from '../platform/remember-briefly.ts';
import { findTemplatesByName, type TemplateRow } from './queries.ts';
import { unsupportedPart } from './read-slots.ts';

export type TemplateFinder = ReturnType<typeof createTemplateFinder>;

/** Finds templates to send; what was found stays known for less than a second. */
export function createTemplateFinder({ db }: { db: Database }) {
  const cached = rememberBriefly<TemplateRow[]>();

  /**
   * The template of that name and language, when a message can be made of it now.
   *
   * @throws ApiError 422 on `template_name` or `template_language`, saying what there is instead
   */
  return async function findSendableTemplate(
    number: ConnectedNumber,
    name: string,
    language: string,
  ): Promise<TemplateRow> {
    const { tenantId, businessAccountId } = number;
    const versions = await cached(`${tenantId} ${businessAccountId} ${name}`, () =>
      findTemplatesByName(db, tenantId, businessAccountId, name),
    );
    if (versions.length === 0) {
      throw invalid({ template_name: [`names no template of this account: "${name}"`] });
    }
    const template = versions.find((each) => each.language === language);
    if (!template) {
      throw invalid({
        template_language: [`is not one of this template: it exists in ${states(versions)}`],
      });
    }
    if (template.status !== 'APPROVED') {
      throw invalidForNow({
        template_name: [
          `is not approved in this language, so it cannot be sent: it exists in ${states(versions)}`,
        ],
      });
    }
    const part = unsupportedPart(template);
    if (part) throw invalid({ template_name: [`has ${part}, which this API cannot fill`] });
    return template;
  };
}

function states(versions: TemplateRow[]): string {
  return versions.map(({ language, status }) => `${language} (${status})`).join(', ');
}
