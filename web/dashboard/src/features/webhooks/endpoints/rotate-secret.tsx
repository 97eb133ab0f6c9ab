import { Button } from '../../../../../parts/buttons/button.tsx';
import { AskFirst } from '../../../../../parts/overlays/ask-first.tsx';
import { webhook as t } from '../../../../../texts/webhook.ts';
import { useAction } from '../../../api/use-action.ts';
import { useTenant } from '../../../session.ts';

export function RotateSecret({
  endpoint,
  onSecret,
}: {
  endpoint: { endpoint: number | undefined };
  onSecret: (secret: string) => void;
}) {
  const { api } = useTenant();
  const rotate = useAction(() => api.post('/webhook/secret', { query: endpoint }), {
    refresh: [api.key('/webhook'), api.key('/webhook/endpoints')],
    onDone: ({ secret }) => onSecret(secret),
  });
  return (
    <AskFirst
      title={t('rotateTitle')}
      description={t('rotateText')}
      action={t('rotate')}
      look="primary"
      onConfirm={() => rotate.finish()}
    >
      {(ask) => <Button onClick={ask}>{t('rotate')}</Button>}
    </AskFirst>
  );
}
