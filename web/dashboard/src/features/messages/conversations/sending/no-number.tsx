import { Link } from '@tanstack/react-router';
import { buttonLook } from '../../../../../../parts/buttons/button.tsx';
import { conversations as t } from '../../../../../../texts/conversations.ts';
import { useTenant } from '../../../../session.ts';

/** Takes the place of the composer: without a number, nothing can be sent. */
export function NoNumber() {
  const { slug, can } = useTenant();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line bg-surface px-3 py-3 lg:px-5 print:hidden">
      <p role="status" className="max-w-lg text-sm text-muted">
        {t('noNumber')}
      </p>
      {can('numbers:write') && (
        <Link to="/t/$tenant/numbers" params={{ tenant: slug }} className={buttonLook('plain')}>
          {t('toNumbers')}
        </Link>
      )}
    </div>
  );
}
