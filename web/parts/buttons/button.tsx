import { type ComponentProps, useImperativeHandle, useLayoutEffect, useRef } from 'react';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

const looks: Record<Look, string> = {
  primary:
    'bg-accent text-on-accent hover:bg-accent-strong border border-transparent shadow-card font-medium',
  plain: 'bg-surface text-ink border border-line hover:bg-sunken shadow-card',
  quiet: 'text-muted hover:text-ink hover:bg-sunken border border-transparent',
  danger: 'bg-bad text-on-bad hover:brightness-95 border border-transparent font-medium',
};

const off = 'aria-disabled:opacity-50 aria-disabled:pointer-events-none';

/** How a button looks, also for a link that acts as one. */
export function buttonLook(look: Look = 'plain', small = false): string {
  const size = small ? 'h-8 px-2.5 text-sm gap-1.5' : 'h-9 px-3.5 gap-2';
  return `print:hidden inline-flex items-center justify-center whitespace-nowrap rounded-lg transition-colors ${off} ${size} ${looks[look]}`;
}

type Props = ComponentProps<'button'> & { look?: Look; small?: boolean; busy?: boolean };

/** While `busy` it cannot be pressed again, and says so to a screen reader. */
export function Button({ look, small, busy, disabled, className = '', ...rest }: Props) {
  return (
    <BareButton
      aria-busy={busy || undefined}
      disabled={disabled || busy}
      className={`${buttonLook(look, small)} ${busy ? 'cursor-progress' : ''} ${className}`}
      {...rest}
    />
  );
}

/** A button that is only a picture; `label` is read out and shown as its hint. */
export function IconButton({
  label,
  className = '',
  ...rest
}: ComponentProps<'button'> & { label: string }) {
  return (
    <BareButton
      aria-label={label}
      title={label}
      className={`inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted transition-colors hover:bg-sunken hover:text-ink ${off} ${className}`}
      {...rest}
    />
  );
}

/**
 * Never leaves the focus on the body, where the next letters would be shortcuts. So a disabled button keeps it, and
 * one that disappears gives it to what is around it.
 */
function BareButton({ ref, disabled, onClick, onKeyDown, ...rest }: ComponentProps<'button'>) {
  const button = useRef<HTMLButtonElement>(null);
  useImperativeHandle(ref, () => button.current!, []);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (document.activeElement !== current) return;
      current?.parentElement?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <button
      ref={button}
      type="button"
      aria-disabled={disabled || undefined}
      onClick={disabled ? (event) => event.preventDefault() : onClick}
      onKeyDown={disabled ? undefined : onKeyDown}
      {...rest}
    />
  );
}
