import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { Card } from '../../../../../parts/page/page.tsx';
import { Progress } from '../../../../../parts/page/progress.tsx';
import { common } from '../../../../../texts/common.ts';
import { contacts as t } from '../../../../../texts/contacts.ts';
import { Said } from '../../../api/said.tsx';
import { useAction } from '../../../api/use-action.ts';
import { useTenant } from '../../../session.ts';
import { usePolling } from '../../messages/conversations/live/use-live.tsx';
import { bulksQuery } from '../queries.ts';
import { useSeenRun } from '../use-seen-run.ts';

/** The progress of a change of all matching contacts, and its result if it was shown while running. */
export function BulkProgress() {
  const { api } = useTenant();
  const queries = useQueryClient();
  const polling = usePolling(1_000);
  const bulks = useQuery({
    ...bulksQuery(api, queries),
    refetchInterval: ({ state: { data } }) => data?.[0]?.state === 'running' && polling,
  });
  const { run: latest, close } = useSeenRun(bulks.data);
  const stop = useAction(() => api.post('/contacts/bulk/{id}/stop', { path: { id: latest!.id } }), {
    refresh: [api.key('/contacts/bulk')],
  });

  if (!latest) return null;
  const { changed, state, problem } = latest;
  const deletes = String(latest.deletes);
  if (state !== 'running') {
    return (
      <Card>
        <div className="flex flex-wrap items-center gap-3" role="status">
          <p className="min-w-0 grow">
            {t.rich(`bulkEnded.${state}`, {
              deletes,
              count: changed,
              problem: () => problem && <Said says={latest.problem_says} text={problem} />,
            })}
          </p>
          <Button small onClick={close}>
            {common('close')}
          </Button>
        </div>
      </Card>
    );
  }
  return (
    <Card>
      <div className="grid gap-2">
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 grow font-semibold">{t('bulkRunning', { deletes })}</p>
          <Button small busy={stop.busy} onClick={() => stop.run()}>
            {t('stop')}
          </Button>
        </div>
        <Progress
          label={t('bulkRunning', { deletes })}
          share={latest.contacts === 0 ? 0 : latest.looked_at / latest.contacts}
        />
        <p className="figures text-sm text-muted">
          {t('bulkCounts', {
            deletes,
            changed,
            looked: latest.looked_at,
            all: latest.contacts,
          })}
        </p>
      </div>
    </Card>
  );
}
