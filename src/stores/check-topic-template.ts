import { invalid } from '../errors.ts';
import { noNumber } from '../messages/sending/send-message.ts';
import type { NumberFinder } from '../numbers/find-number.ts';
import { fillTemplate } from '../templates/fill-template.ts';
import type { TemplateFinder } from '../templates/find-sendable-template.ts';
import type { TopicAction } from './schema.ts';

/**
 * Whether a message of what is set for a topic could go out now, if one is asked for. It may be set
 * all the same: templates are approved later, and numbers connected.
 *
 * @throws ApiError 422 on `template_name`, `template_language`, `field_N` or `header_media_url`
 */
export async function checkTopicTemplate(
  { numbers, findTemplate }: { numbers: NumberFinder; findTemplate: TemplateFinder },
  tenantId: number,
  { template }: TopicAction,
): Promise<void> {
  if (!template) return;
  const number = await numbers.sendingNumber(tenantId);
  if (!number) throw noNumber();
  const found = await findTemplate(number, template.name, template.language);
  const filled = fillTemplate(found, {
    fields: new Map(template.fields.map((_, index) => [index + 1, 'x'])),
    ...(template.header_media_path && { headerMediaUrl: 'https://example.com/file' }),
  });
  if ('errors' in filled) throw invalid(filled.errors);
}
