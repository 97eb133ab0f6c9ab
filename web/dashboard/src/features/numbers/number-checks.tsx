import { CircleCheck, CircleX } from 'lucide-react';
import { numbers as t } from '../../../../texts/numbers.ts';
import type { CheckedNumberData } from '../../api/records.ts';
import { Said } from '../../api/said.tsx';

/** The result of each check, in the order of the checks. */
export function NumberChecks({ checks }: { checks: CheckedNumberData['checks'] }) {
  return (
    <ul className="grid gap-2" aria-label={t('checks')}>
      {checks.map(({ name, ok, found, found_says: says }) => {
        const Icon = ok ? CircleCheck : CircleX;
        return (
          <li key={name} className="flex items-start gap-2">
            <Icon
              role="img"
              aria-label={ok ? t('passed') : t('failed')}
              className={`mt-0.5 size-4 shrink-0 ${ok ? 'text-good' : 'text-bad'}`}
            />
            <span className="min-w-0 break-words text-sm">
              <Said says={says} text={found} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
