import { useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { Confirm } from '../../../../parts/dialog.tsx';
import { webhook as t } from '../../../../texts/webhook.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

export function RotateSecret({
  endpoint,
  onSecret,
}: {
  endpoint: { endpoint: number | undefined };
  onSecret: (secret: string) => void;
}) {
  const { api } = useTenant();
  const [asking, setAsking] = useState(false);
  const rotate = useAction(() => api.post('/webhook/secret', { query: endpoint }), {
    refresh: [api.key('/webhook'), api.key('/webhook/endpoints')],
    onDone: ({ secret }) => onSecret(secret),
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('rotate')}</Button>
      <Confirm
        title={t('rotateTitle')}
        description={t('rotateText')}
        action={t('rotate')}
        look="primary"
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => rotate.finish()}
      />
    </>
  );
}
