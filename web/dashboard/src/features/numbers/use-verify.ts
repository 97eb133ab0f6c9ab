import { useState } from 'react';
import type { BodyFor, CheckedNumberData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

export type Verify = ReturnType<typeof useVerify>;

/** Checks a number at the network, and keeps what was found. */
export function useVerify({ id }: { id: number }) {
  const { api } = useTenant();
  const [checked, setChecked] = useState<CheckedNumberData>();
  const action = useAction(
    (body: BodyFor<'/numbers/{id}/verify', 'post'>) =>
      api.post('/numbers/{id}/verify', { path: { id }, body }),
    { refresh: [api.key('/numbers'), api.key('/overview')], onDone: setChecked },
  );
  return { ...action, checked };
}
