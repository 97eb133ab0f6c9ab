import { FileText, FileX2 } from 'lucide-react';
import { useState } from 'react';
import type { MessageData } from '../../../../src/messages/conversations/dashboard-schema.ts';
import { useTenant } from '../../session.ts';
import { conversations as texts } from '../../texts/conversations.ts';

/** Files of inbound messages are fetched through the service; those of ours are at their address. */
export function Media({ message }: { message: MessageData }) {
  const { api } = useTenant();
  const [isGone, setIsGone] = useState(false);
  const { content, kind } = message;
  const label = content.filename ?? texts.kinds[kind] ?? kind;
  if (!content.media_id)
    return <FileLink address={content.media_url ?? ''} label={label} elsewhere />;
  if (isGone) {
    return (
      <p className="mb-1 flex items-center gap-2.5 rounded-lg bg-sunken px-3 py-2 text-muted">
        <FileX2 className="size-5 shrink-0" aria-hidden />
        <span>
          {label}
          <span className="block text-xs">{texts.fileGone}</span>
        </span>
      </p>
    );
  }
  const address = api.address(`/conversation/media/${message.id}`);
  const onError = () => setIsGone(true);
  if (kind === 'image' || kind === 'sticker') {
    return (
      <a href={address} target="_blank" rel="noreferrer">
        <img
          src={address}
          alt={label}
          onError={onError}
          className="mb-1 max-h-72 min-h-16 min-w-24 rounded-lg bg-sunken object-contain"
        />
      </a>
    );
  }
  if (kind === 'video' || kind === 'audio') {
    const Player = kind;
    // Nobody has captions for what people send.
    return (
      <Player
        src={address}
        aria-label={label}
        onError={onError}
        controls
        className="mb-1 max-h-72 max-w-full rounded-lg"
      />
    );
  }
  return <FileLink address={address} label={label} />;
}

/** @param elsewhere a page of somebody else; a file through the service is handed over in place */
function FileLink({
  address,
  label,
  elsewhere = false,
}: {
  address: string;
  label: string;
  elsewhere?: boolean;
}) {
  return (
    <a
      href={address}
      {...(elsewhere && { target: '_blank', rel: 'noreferrer' })}
      className="mb-1 flex items-center gap-2.5 rounded-lg bg-surface/70 px-3 py-2 hover:underline"
    >
      <FileText className="size-5 shrink-0 text-muted" aria-hidden />
      <span className="min-w-0">
        <span className="block break-all">{label}</span>
        <span className="block text-xs text-muted">{texts.openFile}</span>
      </span>
    </a>
  );
}
