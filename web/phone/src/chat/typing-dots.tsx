import { phone as t } from '../../../texts/phone.ts';

/** Three dots while the business is typing. */
export function TypingDots({ name }: { name: string }) {
  return (
    <p className="flex w-fit gap-1 justify-self-start rounded-2xl rounded-bl-md border border-line bg-theirs px-3.5 py-3.5 shadow-card">
      <span className="sr-only">{t('isTyping', { name })}</span>
      {[0, 1, 2].map((dot) => (
        <span
          key={dot}
          aria-hidden
          className={`typing-dot typing-dot-${dot} size-2 rounded-full bg-muted`}
        />
      ))}
    </p>
  );
}
