import { Copy, ExternalLink, List, type LucideIcon, Phone, Reply } from 'lucide-react';
import { useState } from 'react';
import { Tip } from '../../parts/overlays/tip.tsx';
import { showDone } from '../../parts/overlays/toasts.ts';
import { message as t } from '../../texts/message.ts';
import type { MessageAction } from '../message-view.ts';
import { Choices } from './choices.tsx';
import { useChoose } from './choosing.ts';
import { isWebAddress, OutsideLink } from './outside-link.tsx';

const look =
  'flex w-full items-center justify-center gap-2 rounded-xl border border-line bg-theirs px-3.5 py-2 text-center font-semibold text-accent shadow-card';
const pressable = `${look} hover:bg-accent-soft`;

/**
 * The buttons of a message. Those that answer it work only if somebody can answer here; the others work
 * everywhere if they know enough.
 */
export function Buttons({
  actions,
  className = 'mt-1',
}: {
  actions: MessageAction[];
  className?: string;
}) {
  if (actions.length === 0) return null;
  return (
    <ul className={`grid w-full min-w-48 gap-1 ${className}`}>
      {actions.map((action, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: buttons of one message never move
        <li key={index}>
          <ActionButton action={action} />
        </li>
      ))}
    </ul>
  );
}

function ActionButton({ action }: { action: MessageAction }) {
  const choose = useChoose();
  switch (action.kind) {
    case 'reply':
      return choose ? (
        <button type="button" className={pressable} onClick={() => choose(action.key)}>
          <Words icon={Reply} text={action.text} />
        </button>
      ) : (
        <Plain icon={Reply} text={action.text} />
      );
    case 'list':
      return <ListButton action={action} />;
    case 'link':
      return isWebAddress(action.url) ? (
        <OutsideLink href={action.url} className={pressable}>
          <Words icon={ExternalLink} text={action.text} />
        </OutsideLink>
      ) : (
        <Plain icon={ExternalLink} text={action.text} />
      );
    case 'copy':
      return <CopyButton text={action.text} code={action.code} />;
    case 'call':
      return (
        <LeaveButton icon={Phone} text={action.text} hint={action.phone} isPressable={!!choose} />
      );
    case 'leave':
      return <LeaveButton icon={ExternalLink} text={action.text} isPressable={!!choose} />;
  }
}

/** A list. It can always be opened, but a row can be chosen only if somebody can answer here. */
function ListButton({ action }: { action: Extract<MessageAction, { kind: 'list' }> }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className={pressable} onClick={() => setIsOpen(true)}>
        <Words icon={List} text={action.text} />
      </button>
      {isOpen && (
        <Choices title={action.text} sections={action.sections} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}

/** Reports in a notice, because a message that changes its status meanwhile may move. */
function CopyButton({ text, code }: { text: string; code: string | undefined }) {
  if (!code) return <Plain icon={Copy} text={text} />;
  async function copy(code: string) {
    await navigator.clipboard.writeText(code).then(
      () => showDone(t('copied')),
      () => showDone(t('code', { code })),
    );
  }
  return (
    <button
      type="button"
      className={pressable}
      aria-label={t('copyCode', { text, code })}
      onClick={() => void copy(code)}
    >
      <Words icon={Copy} text={text} />
    </button>
  );
}

function LeaveButton({
  icon,
  text,
  hint,
  isPressable,
}: {
  icon: LucideIcon;
  text: string;
  hint?: string;
  isPressable: boolean;
}) {
  if (!isPressable) return <Plain icon={icon} text={text} />;
  const button = (
    <button type="button" className={pressable} onClick={() => showDone(t('leaves'))}>
      <Words icon={icon} text={text} />
    </button>
  );
  return hint ? <Tip words={hint}>{button}</Tip> : button;
}

function Plain(props: { icon: LucideIcon; text: string }) {
  return (
    <span className={look}>
      <Words {...props} />
    </span>
  );
}

function Words({ icon: Icon, text }: { icon: LucideIcon; text: string }) {
  return (
    <>
      <Icon className="size-4 shrink-0" aria-hidden />
      <span dir="auto" className="min-w-0 break-words">
        {text}
      </span>
    </>
  );
}
