import sql, { type Sql } from 'sql-template-tag';

/** NOTIFY channel for everything that somebody watches in the dashboard. */
export const watchChannel = 'conversation';

/**
 * What the dashboard watches besides conversations. Events of a topic have no details: a browser loads the data that
 * it shows again.
 */
export const watchedTopics = [
  'webhook',
  'stores',
  'answers',
  'usage',
  'requests',
  'imports',
  'bulk_changes',
  'numbers',
] as const;

export type WatchedTopic = (typeof watchedTopics)[number];

/** The start of a topic in a payload. No phone starts with it. */
const topicMark = '*';

/**
 * Goes into the `returning` of a statement, so that its commit notifies the tenant's watchers that something of a
 * topic has changed. It costs no round trip and, for a tenant that nobody watches, one look into an index.
 * PostgreSQL sends equal notifications of a transaction once.
 *
 * @param tenantId the column with the id of the tenant, with the name of its table
 */
export function notifyTopic(topic: WatchedTopic, tenantId: Sql): Sql {
  return sql`(
    select pg_notify(${watchChannel}, watch.tenant_id || ${` ${topicMark}${topic}`}::text)
    from conversation_watches as watch
    where watch.tenant_id = ${tenantId} and watch.until > now())`;
}

/** Reads a topic in a payload; undefined if the text is something else. */
export function readTopicMark(text: string): WatchedTopic | undefined {
  if (!text.startsWith(topicMark)) return undefined;
  return watchedTopics.find((topic) => text === topicMark + topic);
}
