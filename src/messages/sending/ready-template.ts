import { invalid, invalidForNow } from '../../errors.ts';
import { fillTemplate, type TemplateValues } from '../../templates/fill-template.ts';
import type { FillableTemplate } from '../../templates/read-slots.ts';
import type { OutgoingContent } from '../../whatsapp/client.ts';
import { addressOf, type MediaCheck, type MediaKind } from './check-media.ts';

/** Checks the file of a header for the tenant that sends it. */
export type HeaderChecker = (url: string, kind: MediaKind) => Promise<MediaCheck>;

/**
 * Puts values into a template and checks the file of its header.
 *
 * @returns what goes to the network, and what is kept of it
 * @throws ApiError 422 naming the field at fault
 */
export async function readyTemplate(
  template: FillableTemplate & { name: string; language: string },
  { fields, headerMediaUrl }: TemplateValues,
  checkHeader: HeaderChecker,
): Promise<{ kind: 'template'; content: OutgoingContent; kept: object }> {
  const result = fillTemplate(template, {
    fields,
    headerMediaUrl: headerMediaUrl && addressOf(headerMediaUrl),
  });
  if ('errors' in result) throw invalid(result.errors);
  const { parts, shown } = result.filled;
  if (shown.header?.media_url) {
    const kind = shown.header.format.toLowerCase() as MediaKind;
    const checked = await checkHeader(shown.header.media_url, kind);
    if ('problem' in checked) {
      const refuse = checked.passing ? invalidForNow : invalid;
      throw refuse({ header_media_url: [checked.problem] });
    }
  }
  const { name, language } = template;
  return {
    kind: 'template',
    content: {
      type: 'template',
      template: { name, language: { code: language }, components: parts },
    },
    kept: shown,
  };
}
