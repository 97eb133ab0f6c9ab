import { common } from '../../texts/common.ts';
import { Button } from './button.tsx';
import { useCopy } from './use-copy.ts';

/** A button that copies a value that is not shown in a field. */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const { outcome, copy } = useCopy(value);
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
