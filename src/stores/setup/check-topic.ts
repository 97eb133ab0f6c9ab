import { disconnectedNumber, noNumber, type Senders } from '../../messages/sending/find-senders.ts';
import { sendersWithTemplate } from '../../messages/sending/templates/senders-with-template.ts';
import type { NumberFinder } from '../../numbers/find-number.ts';
import { invalid } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { fillTemplate } from '../../templates/fill-template.ts';
import { sendable, type TemplateFinder } from '../../templates/find-sendable-template.ts';
import { platforms } from '../platforms/platforms.ts';
import type { StoreRow } from '../queries.ts';
import type { Topic, TopicAction } from '../schema.ts';

/**
 * Checks whether the action of a topic could run now: its posts have a phone, and its message could be
 * sent. It can be saved anyway, because the template may be approved or the number connected later.
 *
 * @throws ApiError 422 on `topic`, `template_name`, `template_language`, `field_N` or
 *   `header_media_url`
 */
export async function checkTopic(
  { numbers, findTemplate }: { numbers: NumberFinder; findTemplate: TemplateFinder },
  store: StoreRow,
  topic: Topic,
  { contact, template }: TopicAction,
): Promise<void> {
  if (hasNoBuyer(store, topic) && (template || contact.mode !== 'none')) {
    throw invalid({
      topic: [
        fault(
          'topic_without_phone',
          'has no phone in its posts, so there is no contact to keep and nobody to write to',
        ),
      ],
    });
  }
  if (!template) return;
  const [first, ...others] = await numbers.senders(store.tenant_id);
  if (!first) throw noNumber();
  const senders: Senders = [first, ...others];
  const number =
    store.number_id === null
      ? (await sendersWithTemplate(findTemplate, senders, template))[0]
      : senders.find(({ id }) => id === store.number_id);
  if (!number) throw disconnectedNumber();
  const found = sendable(await findTemplate(number, template.name, template.language));
  const filled = fillTemplate(found, {
    fields: new Map(template.fields.map((_, index) => [index + 1, 'x'])),
    ...(template.header_media_path && { headerMediaUrl: 'https://example.com/file' }),
  });
  if ('errors' in filled) throw invalid(filled.errors);
}

/** Returns whether the posts of a topic never name a buyer. */
export function hasNoBuyer({ platform }: StoreRow, topic: Topic): boolean {
  return platforms[platform].withoutBuyer.includes(topic);
}
