import type { JsonObject } from '../../types.ts';
import { GraphError } from '../graph-errors.ts';
import { string } from '../params.ts';

/** Whether the number owns a media id. */
export type HasMedia = (id: string) => boolean;

/** Requires exactly one of `id` and `link`. The link is stored, never fetched. */
export function checkMediaSource(media: JsonObject, where: string, hasMedia: HasMedia): void {
  if ((media.id === undefined) === (media.link === undefined)) {
    throw GraphError.of(
      media.id === undefined ? 131008 : 131009,
      `Exactly one of the parameters ${where}['id'] and ${where}['link'] is required.`,
    );
  }
  if (media.link !== undefined) {
    const link = string(media, 'link', `${where}['link']`, 1, 4096);
    if (!/^https?:\/\/[^\s/]+/i.test(link) || !URL.canParse(link)) {
      throw GraphError.parameter(`Param ${where}['link'] is not a valid URI.`);
    }
    return;
  }
  const id = String(media.id);
  if (!hasMedia(id)) throw GraphError.of(131009, `Media ID ${id} does not exist.`);
}
