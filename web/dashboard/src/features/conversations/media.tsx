import { ExternalLink, FileText, FileX2 } from 'lucide-react';
import { useState } from 'react';
import { conversations as texts } from '../../../../texts/conversations.ts';
import type { MessageData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';

/** The file of a message, or of the header of a template, fetched through the service. */
export function Media({ message }: { message: MessageData }) {
  const { api } = useTenant();
  const [isGone, setIsGone] = useState(false);
  const { content } = message;
  const kind = content.header ? content.header.format.toLowerCase() : message.kind;
  /** Where a file of ours is; those that people send have no address. */
  const original = content.media_url ?? content.header?.media_url;
  const label =
    content.filename || (kind === 'document' && nameIn(original)) || texts.kinds[kind] || kind;
  if (isGone) {
    return (
      <div className="mb-1 rounded-lg bg-sunken px-3 py-2 text-muted">
        <p className="flex items-center gap-2.5">
          <FileX2 className="size-5 shrink-0" aria-hidden />
          <span>
            {label}
            <span className="block text-xs">{original ? texts.sentFileGone : texts.fileGone}</span>
          </span>
        </p>
        {original && <OriginalLink address={original} />}
      </div>
    );
  }
  const address = api.address('/conversation/media/{id}', { path: { id: message.id } });
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
  return (
    <div className="mb-1 rounded-lg bg-surface/70 px-3 py-2">
      <a
        href={address}
        // A file that is gone is then a download that fails, and no other page.
        download
        className="flex items-center gap-2.5 hover:underline"
      >
        <FileText className="size-5 shrink-0 text-muted" aria-hidden />
        <span className="min-w-0">
          <span className="block break-all">{label}</span>
          <span className="block text-xs text-muted">{texts.openFile}</span>
        </span>
      </a>
      {original && <OriginalLink address={original} />}
    </div>
  );
}

function OriginalLink({ address }: { address: string }) {
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      className="mt-1 flex items-center gap-1.5 text-xs text-accent hover:underline"
    >
      <ExternalLink className="size-3.5 shrink-0" aria-hidden />
      {texts.originalAddress}
    </a>
  );
}

/** The last part of an address, as the service names a file that was sent without a name. */
function nameIn(address = ''): string {
  try {
    return decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '');
  } catch {
    return '';
  }
}
