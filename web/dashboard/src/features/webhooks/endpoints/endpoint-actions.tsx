import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { AskFirst } from '../../../../../parts/overlays/ask-first.tsx';
import { webhook as t } from '../../../../../texts/webhook.ts';
import type { WebhookData } from '../../../api/records.ts';
import { useAction } from '../../../api/use-action.ts';
import { useTenant } from '../../../session.ts';

/** Pauses and removes an endpoint. */
export function EndpointActions({
  webhook,
  endpoint,
}: {
  webhook: WebhookData;
  endpoint: { endpoint: number | undefined };
}) {
  const { api } = useTenant();
  const navigate = useNavigate({ from: '/t/$tenant/webhook' });
  const isPaused = webhook.paused_since !== null;
  const refresh = [api.key('/webhook'), api.key('/webhook/endpoints')];
  const pause = useAction(
    () => api.put('/webhook/pause', { query: endpoint, body: { paused: !isPaused } }),
    { done: isPaused ? t('resumed') : t('paused'), refresh },
  );
  const remove = useAction(() => api.delete('/webhook', { query: endpoint }), {
    done: t('removed'),
    refresh,
    // Its settings are gone, and so is what was changed of them.
    onDone: () => void navigate({ search: {}, ignoreBlocker: true }),
  });
  return (
    <>
      {webhook.on && (
        <Button busy={pause.busy} onClick={() => pause.run()}>
          {isPaused ? t('resume') : t('pause')}
        </Button>
      )}
      <AskFirst
        title={t('removeTitle', { name: webhook.name })}
        description={t('removeText')}
        action={t('remove')}
        onConfirm={() => remove.finish()}
      >
        {(ask) => <Button onClick={ask}>{t('remove')}</Button>}
      </AskFirst>
    </>
  );
}
