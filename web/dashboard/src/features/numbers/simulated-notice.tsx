import { Notice } from '../../../../parts/page.tsx';
import { numbers as texts } from '../../../../texts/numbers.ts';

/** Stays as long as messages go to the simulator. */
export function SimulatedNotice({ phone }: { phone: string | null | undefined }) {
  if (!phone) return null;
  return (
    <Notice tone="warn" title={texts.simulatedTitle}>
      {texts.simulatedText(phone)}
    </Notice>
  );
}
