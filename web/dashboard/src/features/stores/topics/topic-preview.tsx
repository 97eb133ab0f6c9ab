import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { usePaused } from '../../../../../parts/behaviour/use-paused.ts';
import { FilterChoice } from '../../../../../parts/fields/filter-choice.tsx';
import { Skeleton } from '../../../../../parts/page/page.tsx';
import { formatList } from '../../../../../texts/format.ts';
import { stores as t } from '../../../../../texts/stores.ts';
import { textOr } from '../../../../../texts/translator.ts';
import { LoadProblem } from '../../../api/load-problem.tsx';
import type { TopicAction, TopicPreviewData } from '../../../api/records.ts';
import { Said } from '../../../api/said.tsx';
import { useTenant } from '../../../session.ts';
import { lazyPart } from '../../../shell/loading/lazy-part.tsx';
import { buttonsOf, cardOf } from '../../templates/template-card.ts';
import { PayloadTree } from './payload-tree.tsx';

// The page of a store has no message at first.
const MessagePreview = lazyPart(
  () => import('../../../../../message/body/preview.tsx'),
  'MessagePreview',
);

/** The effects of the draft with a real post or a sample, loaded again when the typing pauses. */
export function TopicPreview({
  storeId,
  topic,
  action,
  onChoosePath,
}: {
  storeId: number;
  topic: string;
  action: TopicAction;
  onChoosePath?: (path: string) => void;
}) {
  const { api } = useTenant();
  const [eventId, setEventId] = useState<number>();
  const draft: TopicAction = JSON.parse(usePaused(JSON.stringify(withoutGaps(action))));
  const events = useQuery({
    ...api.asked('/stores/{id}/events', { path: { id: storeId } }),
  });
  const ofTopic = (events.data?.events ?? []).filter((each) => each.topic === topic).slice(0, 5);
  const chosen = eventId ?? ofTopic.find((each) => !each.is_sample)?.id;
  const preview = useQuery({
    ...api.askedByPost('/stores/{id}/preview', {
      path: { id: storeId },
      body: { topic, action: draft, ...(chosen ? { event_id: chosen } : {}) },
    }),
    enabled: !events.isLoading,
    placeholderData: keepPreviousData,
    // It has the whole post, which can be long.
    gcTime: 0,
  });
  return (
    <section
      aria-label={t('previewTitle')}
      className="grid grid-cols-1 gap-3 rounded-xl bg-sunken p-4"
    >
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-medium">{t('previewTitle')}</h3>
        <FilterChoice
          label={t('previewOf')}
          any={t('previewSample')}
          value={chosen || undefined}
          choices={ofTopic.map(({ id }) => ({
            value: id,
            words: t('previewLast', { id: String(id) }),
          }))}
          onChoose={(id) => setEventId(id ?? 0)}
        />
      </div>
      {preview.error ? (
        <LoadProblem error={preview.error} />
      ) : !preview.data ? (
        <Skeleton />
      ) : (
        <>
          <Outcome preview={preview.data.preview} />
          <PayloadTree
            buyer={preview.data.preview.buyer}
            payload={preview.data.payload}
            onChoose={onChoosePath}
          />
        </>
      )}
    </section>
  );
}

type Preview = TopicPreviewData['preview'];

function Outcome({ preview }: { preview: Preview }) {
  const { contact, message } = preview;
  return (
    <div className="grid grid-cols-1 gap-2 wrap-anywhere" aria-live="polite">
      {preview.state !== 'to_do' && (
        <p>
          <Said says={preview.reason_says} text={preview.reason ?? t('previewNothing')} />
        </p>
      )}
      {contact && (
        <p className="text-sm">
          {t.rich('previewContact', {
            label: (words) => <span className="text-muted">{words}</span>,
            name: [contact.firstname, contact.lastname].filter(Boolean).join(' '),
            phone: () => <span className="figures">{contact.phone}</span>,
            outcome: () => <span className="text-muted">{doneTo(contact)}</span>,
          })}
        </p>
      )}
      {message && (
        <>
          <p className="text-sm text-muted">{t('previewMessage', { phone: message.phone })}</p>
          {message.withheld && (
            <p className="text-sm text-warn">
              <Said says={message.withheld_says} text={message.withheld} />
            </p>
          )}
          {message.problem && (
            <p className="text-sm text-bad">
              <Said says={message.problem_says} text={message.problem} />
            </p>
          )}
          {message.shown && (
            <Suspense fallback={<Skeleton lines={2} />}>
              <MessagePreview body={cardOf(message.shown)} actions={buttonsOf(message.shown)} />
            </Suspense>
          )}
        </>
      )}
    </div>
  );
}

/** Describes the change of the contact, such as "fills email, city". */
function doneTo({ mode, outcome, changes }: NonNullable<Preview['contact']>): string {
  if (outcome !== 'updated') return t(`previewOutcome.${outcome}`);
  const names = changes.map((each) => textOr(t, `changedFields.${each}`, each));
  return t(`previewOutcome.${mode === 'fill' ? 'filled' : 'updated'}`, {
    changes: formatList(names),
  });
}

/** A field that nobody has filled in yet has no path that the service would take. */
function withoutGaps(action: TopicAction): TopicAction {
  if (!action.template) return action;
  const { header_media_path, ...template } = action.template;
  return {
    ...action,
    template: { ...template, ...(header_media_path ? { header_media_path } : {}) },
  };
}
