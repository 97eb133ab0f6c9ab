import { ArrowDown } from 'lucide-react';
import { Button } from '../../parts/buttons/button.tsx';

/** A button above the composer that shows new messages below the visible ones. Stands after the log of messages. */
export function NewBelow({
  label,
  toEnd,
  log,
}: {
  label: string;
  toEnd: () => void;
  log: { current: HTMLElement | null };
}) {
  return (
    <div className="relative flex justify-center">
      <Button
        small
        className="rise absolute bottom-2 shadow-pop"
        onClick={() => {
          toEnd();
          // The button disappears, so the focus moves to the messages.
          log.current?.focus();
        }}
      >
        <ArrowDown className="size-4" aria-hidden />
        {label}
      </Button>
    </div>
  );
}
