import { invalid, notFound } from '../errors.ts';
import type { Db } from '../platform/database.ts';
import { findStore, listTopicActions, setTopicAction } from './queries.ts';
import { defaultAction, isTopic, type Topic, type TopicAction, topics } from './schema.ts';

/**
 * Sets what happens for a topic of a store, from its next event on.
 *
 * @param action already of the right shape
 * @throws ApiError 404 when the store is not the tenant's, 422 on `topic` or a path
 */
export async function mapTopic(
  db: Db,
  tenantId: number,
  storeId: number,
  topic: string,
  action: TopicAction,
): Promise<TopicAction> {
  if (!isTopic(topic)) throw invalid({ topic: [`must be one of ${topics.join(', ')}`] });
  if (!(await findStore(db, tenantId, storeId))) throw notFound();
  const { template } = action;
  const paths = [
    ...(template?.fields.map((field) => field.path) ?? []),
    ...(template?.header_media_path === undefined ? [] : [template.header_media_path]),
  ];
  const bad = paths.find((path) => !/^[^.\s]+(\.[^.\s]+)*$/.test(path));
  if (bad !== undefined) {
    throw invalid({ path: [`"${bad}" must be names with dots between, such as billing.city`] });
  }
  await setTopicAction(db, tenantId, storeId, topic, action);
  return action;
}

/** What happens for each topic of a store, set or by default. */
export async function topicActions(
  db: Db,
  tenantId: number,
  storeId: number,
): Promise<Record<Topic, TopicAction>> {
  const set = await listTopicActions(db, tenantId, storeId);
  return Object.fromEntries(
    topics.map((topic) => [
      topic,
      set.find((each) => each.topic === topic)?.action ?? defaultAction(topic),
    ]),
  ) as Record<Topic, TopicAction>;
}
