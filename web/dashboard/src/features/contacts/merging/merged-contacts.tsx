import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { contacts as t } from '../../../../../texts/contacts.ts';
import { useTenant } from '../../../session.ts';
import { lazyPart } from '../../../shell/loading/lazy-part.tsx';

/** Few people ever undo a merge. */
const MergesDialog = lazyPart(() => import('./merges-dialog.tsx'), 'MergesDialog');

/** Opens the list of contacts and conversations that became one, if there are any. */
export function MergedContacts() {
  const { api } = useTenant();
  const [isOpen, setOpen] = useState(false);
  const merges = useQuery(api.asked('/contact-merges')).data ?? [];
  if (merges.length === 0 && !isOpen) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('merges.open')}</Button>
      {isOpen && (
        <Suspense>
          <MergesDialog merges={merges} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
