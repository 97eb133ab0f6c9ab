import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { Button } from '../../../../parts/buttons/button.tsx';
import { AskFirst } from '../../../../parts/overlays/ask-first.tsx';
import { stores as t } from '../../../../texts/stores.ts';
import type { StoreDetailsData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { lazyPart } from '../../shell/loading/lazy-part.tsx';
import { TestStore } from './test-store.tsx';

const EditStore = lazyPart(() => import('./setup/edit-store.tsx'), 'EditStore');

/** The buttons of a store, and their dialogs. */
export function StoreActions({ store }: { store: StoreDetailsData['store'] }) {
  const { id, name } = store;
  const { slug, api, can } = useTenant();
  const navigate = useNavigate();
  const [testing, setTesting] = useState(false);
  const [editing, setEditing] = useState(false);
  const remove = useAction(() => api.delete('/stores/{id}', { path: { id } }), {
    done: t('deleted'),
    refresh: [api.key('/stores')],
    onDone: () => void navigate({ to: '/t/$tenant/stores', params: { tenant: slug } }),
  });
  return (
    <>
      {can('stores:write') && (
        <>
          <Button onClick={() => setEditing(true)}>{t('editStore')}</Button>
          <AskFirst
            title={t('deleteTitle', { name })}
            description={t('deleteText')}
            action={t('delete')}
            onConfirm={() => remove.finish()}
          >
            {(ask) => <Button onClick={ask}>{t('delete')}</Button>}
          </AskFirst>
        </>
      )}
      <Button look="primary" onClick={() => setTesting(true)}>
        {t('test')}
      </Button>
      {editing && (
        <Suspense fallback={null}>
          <EditStore store={store} onClose={() => setEditing(false)} />
        </Suspense>
      )}
      {testing && <TestStore id={id} onClose={() => setTesting(false)} />}
    </>
  );
}
