import { recordChange } from '../audit/record-audit.ts';
import { refuseUnknownLabels } from '../contacts/writing/faults/refuse-unknown-labels.ts';
import type { Database, Db } from '../platform/database/database.ts';
import { invalid, notFound } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { findStore, listTopicActions, setTopicAction } from './queries.ts';
import { readTopic } from './read-topic.ts';
import { defaultAction, type Topic, type TopicAction, topics } from './schema.ts';

/**
 * Sets the action for a topic of a store, starting with its next event. Labels that were set before and have
 * been deleted since are not refused, so that the rest of the action can still be changed.
 *
 * @param action already of the right shape
 * @throws ApiError 404 if the tenant has no such store, 422 on `topic`, a path of `template`, `source_id` or `group_ids`
 */
export async function mapTopic(
  db: Database,
  tenantId: number,
  storeId: number,
  topicName: string,
  action: TopicAction,
): Promise<TopicAction> {
  const topic = readTopic(topicName);
  const store = await findStore(db, tenantId, storeId);
  if (!store) throw notFound();
  refuseBadPaths(action);
  const { contact } = action;
  const actionBefore = (await topicActions(db, tenantId, storeId))[topic];
  const { contact: before } = actionBefore;
  await refuseUnknownLabels(db, tenantId, {
    ...(contact.source_id === before.source_id ? {} : { source_id: contact.source_id }),
    group_ids: contact.group_ids?.filter((id) => !before.group_ids?.includes(id)),
  });
  await db.transaction(async (tx) => {
    await setTopicAction(tx, tenantId, storeId, topic, action);
    await recordChange(tx, tenantId, {
      action: 'store.topic_changed',
      subject: store,
      before: { [topic]: actionBefore },
      after: { [topic]: action },
      // A text for buyers is long, and says nothing about who changed it.
      shown: [],
    });
  });
  return action;
}

/** Names each wrong path by its place, such as `template.fields.0.path`, because several controls take one. */
function refuseBadPaths({ template }: TopicAction): void {
  if (!template) return;
  const { fields, header_media_path: header, only_if: condition } = template;
  const paths = [
    ...fields.map(({ path }, index) => ({ name: `fields.${index}.path`, path })),
    ...(header === undefined ? [] : [{ name: 'header_media_path', path: header }]),
    ...(condition ? [{ name: 'only_if.path', path: condition.path }] : []),
  ];
  const faults = paths
    .filter(({ path }) => !/^[^.\s]+(\.[^.\s]+)*$/.test(path))
    .map(({ name, path }) => [
      `template.${name}`,
      [
        fault('not_a_path', '"{path}" must be names with dots between, such as billing.city', {
          path,
        }),
      ],
    ]);
  if (faults.length > 0) throw invalid(Object.fromEntries(faults));
}

/** Finds the action for each topic of a store, set or default. */
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
