import { Ago } from '../../../../parts/page/ago.tsx';
import { audit as t } from '../../../../texts/audit.ts';
import { textOr } from '../../../../texts/translator.ts';
import type { AuditData } from '../../api/records.ts';
import { changeText } from './change-text.ts';

type Actor = AuditData['actor'];

/** Names a member by name and email, a token by its name, and the others by what they are. */
export function actorName({ kind, id, name, email }: Actor): string {
  if (kind === 'member') return [name ?? id, email && `(${email})`].filter(Boolean).join(' ');
  return kind === 'token' ? t('token', { name: name ?? id ?? '' }) : t(`actors.${kind}`);
}

/** A change: what happened to what, the fields that changed, and who did it when. */
export function AuditEntry({
  entry: { at, actor, action, subject, changes },
}: {
  entry: AuditData;
}) {
  const name = subject && (subject.name ?? `#${subject.id}`);
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-5 py-3">
      <p className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{textOr(t, `actions.${action}`, action)}</span>
        {name !== null && (
          <>
            {' '}
            <bdi>{name}</bdi>
          </>
        )}
      </p>
      <p className="figures ms-auto min-w-0 text-end text-sm wrap-anywhere text-muted">
        <bdi>{actorName(actor)}</bdi>
        {' · '}
        <Ago at={at} />
      </p>
      {changes.length > 0 && (
        <ul className="basis-full text-sm text-muted">
          {changes.map((change) => (
            <li key={change.field} className="wrap-anywhere">
              {changeText(change)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
