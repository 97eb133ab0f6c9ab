import { useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { Confirm } from '../../../../parts/dialog.tsx';
import { webhook as texts } from '../../../../texts/webhook.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

export function RotateSecret({ onSecret }: { onSecret: (secret: string) => void }) {
  const { api } = useTenant();
  const [asking, setAsking] = useState(false);
  const rotate = useAction(() => api.post('/webhook/secret'), {
    refresh: [api.key('/webhook')],
    onDone: ({ secret }) => onSecret(secret),
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>{texts.rotate}</Button>
      <Confirm
        title={texts.rotateTitle}
        description={texts.rotateText}
        action={texts.rotate}
        look="primary"
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => rotate.finish()}
      />
    </>
  );
}
