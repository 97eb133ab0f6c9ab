import { Check, Copy } from 'lucide-react';
import { useId, useRef } from 'react';
import { common } from '../../texts/common.ts';
import { Button } from '../buttons/button.tsx';
import { useCopy } from '../buttons/use-copy.ts';
import { inputLook } from './field.tsx';

/** A value to take elsewhere, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { outcome, copy } = useCopy(value);
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
          onClick={async () => {
            // A person can still copy it with the keyboard.
            if ((await copy()) === 'refused') field.current?.select();
          }}
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
