import type { MergeMode } from '../../contacts/writing/merge-contact.ts';
import { type PreviewedContact, previewContact } from '../../contacts/writing/preview-contact.ts';
import type { AutomatedSender } from '../../messages/sending/automated/send-automated.ts';
import type { Db } from '../../platform/database/database.ts';
import { codedProblemOf, notFound } from '../../platform/errors/api-error.ts';
import { type Code, codeOf } from '../../platform/errors/fault.ts';
import type { ShownTemplate } from '../../templates/shown-template.ts';
import { findStoreEvent } from '../activity/event-queries.ts';
import { topicActions } from '../map-topic.ts';
import { type Post, sentTopicOf } from '../platforms/platform.ts';
import { platforms } from '../platforms/platforms.ts';
import { planEvent } from '../processing/plan-event.ts';
import type { StoreRow } from '../queries.ts';
import type { Topic, TopicAction } from '../schema.ts';
import { isSample, samplePost } from './sample-post.ts';

/** The effects that an event would have now. */
export type Preview = {
  state: 'to_do' | 'nothing_to_do' | 'skipped' | 'failed';
  reason: string | null;
  reason_says: Code | null;
  /** The values that template fields can take from the buyer, by path. */
  buyer: Record<string, string>;
  /** The contact as it would be afterwards. */
  contact: (PreviewedContact & { mode: MergeMode }) | null;
  message: {
    phone: string;
    template: string;
    language: string;
    fields: string[];
    /** The message as the phone would show it; null if it could not be sent. */
    shown: ShownTemplate | null;
    /** The reason why it is not to be sent, although it could be. */
    withheld: string | null;
    withheld_says: Code | null;
    problem: string | null;
    problem_says: Code | null;
  } | null;
};

type Services = { db: Db; sender: Pick<AutomatedSender, 'prepareTemplate'> };

/** A preview, and its payload. */
export type Previewed = { preview: Preview; payload: string };

/**
 * Previews the effects of a stored event, without causing them.
 *
 * @param draft used instead of the action that is set for its topic
 * @throws ApiError 404 if the store has no such event
 */
export async function previewStoredEvent(
  services: Services,
  store: StoreRow,
  eventId: number,
  draft?: TopicAction,
): Promise<Previewed> {
  const event = await findStoreEvent(services.db, store.tenant_id, store.id, eventId);
  if (!event) throw notFound();
  const preview = await previewOf(services, store, event.topic, event, draft);
  return { preview, payload: event.body.toString('utf8') };
}

/** Previews the effects of a sample of a topic, without posting it. */
export async function previewSample(
  services: Services,
  store: StoreRow,
  topic: Topic,
  draft?: TopicAction,
): Promise<Previewed> {
  const keys = { platform: store.platform, secret: undefined, authentication: undefined };
  const post = samplePost(keys, topic);
  const preview = await previewOf(services, store, topic, post, draft);
  return { preview, payload: post.body.toString('utf8') };
}

async function previewOf(
  { db, sender }: Services,
  store: StoreRow,
  topic: Topic | null,
  { headers, body }: Post,
  draft: TopicAction | undefined,
): Promise<Preview> {
  const { platform, country } = store;
  const sentTopic = sentTopicOf(platforms[platform], { headers });
  const facts = { platform, country, topic, sentTopic, headers, body };
  const action = draft ?? (topic && (await topicActions(db, store.tenant_id, store.id))[topic]);
  const plan = planEvent(facts, action ?? undefined);
  if (plan.state !== 'to_do') {
    const { state, reason } = plan;
    const nothing = { buyer: {}, contact: null, message: null };
    return { state, reason: reason.text, reason_says: codeOf(reason), ...nothing };
  }
  const { buyer, contact, message } = plan;
  const shown =
    message &&
    (message.lacking
      ? { problem: message.lacking }
      : await sender
          .prepareTemplate(store.tenant_id, message, store.number_id)
          .catch((error) => ({ problem: codedProblemOf(error) })));
  const problem = shown && 'problem' in shown ? shown.problem : null;
  return {
    state: 'to_do',
    reason: null,
    reason_says: null,
    buyer,
    contact: contact
      ? {
          mode: contact.mode,
          ...(await previewContact(
            db,
            store.tenant_id,
            contact.known,
            // A sample never changes a contact.
            isSample(headers) ? 'keep' : contact.mode,
          )),
        }
      : null,
    message: message
      ? {
          phone: message.phone,
          template: message.name,
          language: message.language,
          fields: [...message.fields.values()],
          shown: shown && 'storedContent' in shown ? (shown.storedContent as ShownTemplate) : null,
          withheld: message.withheld?.text ?? null,
          withheld_says: message.withheld ? codeOf(message.withheld) : null,
          problem: problem?.text ?? null,
          problem_says: problem && codeOf(problem),
        }
      : null,
  };
}
