import { Check, Copy } from 'lucide-react';
import { useId, useState } from 'react';
import { common } from '../texts/common.ts';
import { Button } from './button.tsx';
import { inputLook } from './field.tsx';

/** A value to take elsewhere, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const id = useId();
  const [copied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard?.writeText(value).catch(() => {});
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          value={value}
          onFocus={(event) => event.currentTarget.select()}
          className={`${inputLook} h-9 min-w-0 font-mono text-sm`}
        />
        <Button onClick={copy} aria-label={`${common.copy}: ${label}`}>
          {copied ? (
            <Check className="size-4" aria-hidden />
          ) : (
            <Copy className="size-4" aria-hidden />
          )}
          <span aria-live="polite">{copied ? common.copied : common.copy}</span>
        </Button>
      </div>
    </div>
  );
}
