import { Check, Copy } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';
import { inputLook } from './field.tsx';

/** A value to take elsewhere, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setOutcome('copied');
      setTimeout(() => setOutcome(undefined), 2_000);
    } catch {
      // Not allowed to, or a browser that lets no page do it: the person's own keys still can.
      setOutcome('refused');
      field.current?.select();
    }
  }
  const copied = outcome === 'copied';
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          ref={field}
          readOnly
          value={value}
          onFocus={(event) => event.currentTarget.select()}
          className={`${inputLook} h-9 min-w-0 font-mono text-sm`}
        />
        <Button
          onClick={copy}
          aria-label={common(copied ? 'copiedNamed' : 'copyNamed', { name: label })}
        >
          {copied ? (
            <Check className="size-4" aria-hidden />
          ) : (
            <Copy className="size-4" aria-hidden />
          )}
          <span aria-live="polite">{copied ? common('copied') : common('copy')}</span>
        </Button>
      </div>
      <p aria-live="polite" className="text-sm text-muted empty:-mt-1">
        {outcome === 'refused' && common('notCopied')}
      </p>
    </div>
  );
}
