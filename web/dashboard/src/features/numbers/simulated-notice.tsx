import { Notice } from '../../../../parts/page/page.tsx';
import { numbers as t } from '../../../../texts/numbers.ts';

/** Stays as long as messages go to the simulator. */
export function SimulatedNotice({ phone }: { phone: string | null | undefined }) {
  if (!phone) return null;
  return (
    <Notice tone="warn" title={t('simulatedTitle')}>
      {t('simulatedText', { phone })}
    </Notice>
  );
}
