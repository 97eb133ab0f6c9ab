import { useState } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';

/** A button that copies a value that is not shown in a field. */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setOutcome('copied');
    } catch {
      setOutcome('refused');
    }
    setTimeout(() => setOutcome(undefined), 2_000);
  }
  return (
    <Button small onClick={copy}>
      <span aria-live="polite">
        {outcome === 'copied' && common('copied')}
        {outcome === 'refused' && common('copyRefused')}
        {!outcome && label}
      </span>
    </Button>
  );
}
