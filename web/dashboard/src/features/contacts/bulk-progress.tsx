import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { Card } from '../../../../parts/page.tsx';
import { Progress } from '../../../../parts/progress.tsx';
import { common } from '../../../../texts/common.ts';
import { contacts as texts } from '../../../../texts/contacts.ts';
import { formatNumber } from '../../../../texts/format.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { contactLists } from './queries.ts';

/** How far a change of all contacts that match is; says how it ended to whoever saw it run. */
export function BulkProgress() {
  const { api } = useTenant();
  const queries = useQueryClient();
  const [seen, setSeen] = useState<number>();
  const bulks = useQuery({
    ...api.asked('/contacts/bulk'),
    refetchInterval: ({ state: { data } }) => (data?.[0]?.state === 'running' ? 1_000 : false),
  });
  const latest = bulks.data?.[0];
  const isRunning = latest?.state === 'running';
  const stop = useAction(() => api.post('/contacts/bulk/{id}/stop', { path: { id: latest!.id } }), {
    refresh: [api.key('/contacts/bulk')],
  });

  useEffect(() => {
    if (isRunning) setSeen(latest.id);
  }, [isRunning, latest?.id]);
  // What it has changed shows now and then, and when it ends.
  const shown = useRef(0);
  const tenths = latest ? Math.floor((10 * latest.looked_at) / Math.max(1, latest.contacts)) : 0;
  useEffect(() => {
    if (seen === undefined) return;
    if (isRunning && shown.current === tenths) return;
    shown.current = tenths;
    for (const queryKey of contactLists(api)) void queries.invalidateQueries({ queryKey });
  }, [isRunning, tenths, seen, queries, api]);

  if (!latest || (!isRunning && seen !== latest.id)) return null;
  const { deletes, state, problem } = latest;
  const changed = formatNumber(latest.changed);
  if (state !== 'running') {
    return (
      <Card>
        <div className="flex flex-wrap items-center gap-3" role="status">
          <p className="min-w-0 grow">
            {texts.bulkEnded[state](deletes, changed)} {problem}
          </p>
          <Button small onClick={() => setSeen(undefined)}>
            {common.close}
          </Button>
        </div>
      </Card>
    );
  }
  return (
    <Card>
      <div className="grid gap-2">
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 grow font-semibold">{texts.bulkRunning(deletes)}</p>
          <Button small busy={stop.busy} onClick={() => stop.run()}>
            {texts.stop}
          </Button>
        </div>
        <Progress
          label={texts.bulkRunning(deletes)}
          share={latest.contacts === 0 ? 0 : latest.looked_at / latest.contacts}
        />
        <p className="figures text-sm text-muted">
          {texts.bulkCounts(
            deletes,
            changed,
            formatNumber(latest.looked_at),
            formatNumber(latest.contacts),
          )}
        </p>
      </div>
    </Card>
  );
}
