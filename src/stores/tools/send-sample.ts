import type { Vault } from '../../platform/crypto.ts';
import type { Post } from '../platforms/platform.ts';
import type { StoreRow } from '../queries.ts';
import { readTopic } from '../read-topic.ts';
import { openKeys } from '../store-keys.ts';
import { samplePost } from './sample-post.ts';

/** Posts to the app's own routes; gives the HTTP status. */
export type PostToApp = (path: string, post: Post) => Promise<number>;

/**
 * Sends a signed sample of a topic through the very path that the store's posts take. What the
 * topic is mapped to really happens: to see it only, preview the event.
 *
 * @returns the HTTP status that the store would have got
 * @throws ApiError 422 on `topic`
 */
export async function sendSample(
  { vault }: { vault: Vault },
  store: StoreRow,
  { topic, phone, country }: { topic: string; phone?: string; country?: string },
  postToApp: PostToApp,
): Promise<number> {
  // Without a phone of its own the sample has an American one.
  const home = phone === undefined ? undefined : (store.country ?? undefined);
  const post = samplePost(openKeys(vault, store), readTopic(topic), {
    phone,
    country: country ?? home,
  });
  return postToApp(`/api/webhooks/${store.webhook_id}`, post);
}
