import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Skeleton } from '../../../../../parts/page/page.tsx';
import { contacts as t } from '../../../../../texts/contacts.ts';
import { LoadProblem } from '../../../api/load-problem.tsx';
import { Said } from '../../../api/said.tsx';
import { useTenant } from '../../../session.ts';

/** The first rows that an import refused, each with its reasons. They are loaded when somebody opens them. */
export function RefusedRows({ importId, refused }: { importId: number; refused: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-1 text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-accent">{t('refusedRows')}</summary>
      {isOpen && <Rows importId={importId} refused={refused} />}
    </details>
  );
}

function Rows({ importId, refused }: { importId: number; refused: number }) {
  const { api } = useTenant();
  const rows = useQuery(
    api.asked('/contacts/imports/{id}/refused-rows', { path: { id: importId } }),
  );
  if (rows.error) return <LoadProblem error={rows.error} onRetry={() => void rows.refetch()} />;
  if (!rows.data) return <Skeleton />;
  return (
    <>
      <dl className="mt-2 grid gap-2">
        {rows.data.map(({ line, reasons }) => (
          <div key={line}>
            <dt className="figures text-muted">{t('refusedRow', { line })}</dt>
            {reasons.map(({ field, says, text }) => (
              <dd key={`${field} ${text}`} dir="auto" className="break-words">
                {field !== null && <code className="me-2">{field}</code>}
                <Said says={says} text={text} />
              </dd>
            ))}
          </div>
        ))}
      </dl>
      {rows.data.length < refused && <p className="mt-2 text-muted">{t('moreRefusedRows')}</p>}
    </>
  );
}
