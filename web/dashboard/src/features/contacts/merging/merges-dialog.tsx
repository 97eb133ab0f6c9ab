import { Button } from '../../../../../parts/buttons/button.tsx';
import { ResultDialog } from '../../../../../parts/overlays/form-dialog.tsx';
import { Ago } from '../../../../../parts/page/ago.tsx';
import { Row } from '../../../../../parts/page/row.tsx';
import { common } from '../../../../../texts/common.ts';
import { contacts as t } from '../../../../../texts/contacts.ts';
import type { MergeData } from '../../../api/records.ts';
import { useAction } from '../../../api/use-action.ts';
import { useTenant } from '../../../session.ts';
import { contactViews } from '../queries.ts';

/** The contacts and conversations that became one, each with a button that separates them again. */
export function MergesDialog({
  merges,
  onClose,
}: {
  merges: readonly MergeData[];
  onClose: () => void;
}) {
  return (
    <ResultDialog
      wide
      title={t('merges.title')}
      description={t('merges.text')}
      done={common('close')}
      onClose={onClose}
    >
      {merges.length === 0 ? (
        <p className="text-muted">{t('merges.none')}</p>
      ) : (
        <ul className="rounded-lg border border-line">
          {merges.map((merge) => (
            <Row key={merge.id} className="flex items-center gap-3 px-4 py-2.5">
              <Merge merge={merge} />
            </Row>
          ))}
        </ul>
      )}
    </ResultDialog>
  );
}

function Merge({ merge }: { merge: MergeData }) {
  const { id, merged_name: name, earlier_identity: earlier, identity, merged_at: mergedAt } = merge;
  const { api } = useTenant();
  const undo = useAction(() => api.post('/contact-merges/{id}/undo', { path: { id } }), {
    done: t('merges.undone'),
    refresh: [api.key('/contact-merges'), ...contactViews(api)],
  });
  return (
    <>
      <span className="min-w-0 grow">
        <span className="block break-words">
          {name !== null && (
            <>
              <bdi className="font-semibold">{name}</bdi>
              {' · '}
            </>
          )}
          {t.rich('merges.identities', {
            earlier: () => <bdi className="font-mono text-sm">{earlier}</bdi>,
            later: () => <bdi className="font-mono text-sm">{identity}</bdi>,
          })}
        </span>
        <span className="block text-sm text-muted">
          <Ago at={mergedAt} />
        </span>
      </span>
      <Button small busy={undo.busy} onClick={() => undo.run()}>
        {t('merges.undo')}
      </Button>
    </>
  );
}
