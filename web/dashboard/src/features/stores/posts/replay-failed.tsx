import { Button } from '../../../../../parts/buttons/button.tsx';
import { AskFirst } from '../../../../../parts/overlays/ask-first.tsx';
import { stores as t } from '../../../../../texts/stores.ts';
import { useAction } from '../../../api/use-action.ts';
import { useTenant } from '../../../session.ts';

/** Replays the failed posts of a store, in batches. */
export function ReplayFailed({ storeId }: { storeId: number }) {
  const { api } = useTenant();
  const path = { id: storeId };
  const replay = useAction(() => api.post('/stores/{id}/events/replay-failed', { path }), {
    done: ({ replayed, more }) => t('replayedFailed', { count: replayed, more: String(more) }),
    refresh: [api.key('/stores/{id}/events', { path })],
  });
  return (
    <AskFirst
      title={t('replayFailedTitle')}
      description={t('replayFailedText')}
      action={t('replay')}
      look="primary"
      onConfirm={() => replay.finish()}
    >
      {(ask) => (
        <Button small onClick={ask}>
          {t('replayFailed')}
        </Button>
      )}
    </AskFirst>
  );
}
