import type { Vault } from '../../platform/secrets/crypto.ts';
import type { Post } from '../platforms/platform.ts';
import type { StoreRow } from '../queries.ts';
import { readTopic } from '../read-topic.ts';
import { openKeys } from '../setup/store-keys.ts';
import { samplePost } from './sample-post.ts';

/** Posts to the app's own routes and returns the HTTP status. */
export type PostToApp = (path: string, post: Post) => Promise<number>;

/**
 * Posts a signed sample of a topic to the route that the store posts to. The action of the topic is really
 * carried out; use a preview to only see it.
 *
 * @returns the HTTP status that the store would have received
 * @throws ApiError 422 on `topic`
 */
export async function sendSample(
  { vault }: { vault: Vault },
  store: StoreRow,
  { topic, phone, country }: { topic: string; phone?: string; country?: string },
  postToApp: PostToApp,
): Promise<number> {
  // The default phone of a sample is American.
  const home = phone === undefined ? undefined : (store.country ?? undefined);
  const post = samplePost(openKeys(vault, store), readTopic(topic), {
    phone,
    country: country ?? home,
  });
  return postToApp(`/api/webhooks/${store.webhook_id}`, post);
}
