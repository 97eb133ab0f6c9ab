import { FileText, FileX2, ImageIcon, ImageOff, Video } from 'lucide-react';
import { useState } from 'react';
import { message as t } from '../../texts/message.ts';
import type { MediaView } from '../message-view.ts';
import { mediaLabel } from '../one-line.ts';
import { Attachment, AttachmentTitle } from './attachment.tsx';
import { EnlargedImage } from './enlarged-image.tsx';
import { OutsideLink } from './outside-link.tsx';

const frame = '-mx-1.5 mb-1.5 overflow-hidden rounded-xl bg-sunken';

/** An image, a video, a sound or a file of a message. */
export function Media({ media }: { media: MediaView }) {
  const [isMissing, setIsMissing] = useState(false);
  if (!media.url) return <Placeholder media={media} />;
  if (isMissing) return <Missing media={media} />;
  const { type, url } = media;
  const label = mediaLabel(media);
  const onError = () => setIsMissing(true);
  if (type === 'image' || type === 'sticker') {
    return (
      <EnlargedImage url={url} label={label} className={type === 'image' ? frame : ''}>
        <img
          src={url}
          alt={label}
          onError={onError}
          className={
            type === 'image'
              ? 'block max-h-80 min-h-16 w-full min-w-[min(16rem,60vw)] object-cover'
              : 'size-36 object-contain'
          }
        />
      </EnlargedImage>
    );
  }
  if (type === 'video' || type === 'audio') {
    const Player = type;
    // Messages have no captions for the deaf.
    return (
      <Player
        src={url}
        aria-label={label}
        onError={onError}
        controls
        preload="metadata"
        className={
          type === 'video'
            ? `${frame} block max-h-80 max-w-full`
            : 'mb-1 block w-[min(18rem,60vw)] max-w-full'
        }
      />
    );
  }
  return <FileLink media={media} url={url} />;
}

function FileLink({ media, url }: { media: MediaView; url: string }) {
  const label = mediaLabel(media);
  return (
    <>
      <Attachment icon={FileText} href={url} download={label}>
        <AttachmentTitle>{label}</AttachmentTitle>
        <span className="text-xs text-muted">{t('openFile')}</span>
      </Attachment>
      {media.original && <Original address={media.original} />}
    </>
  );
}

/** Shows where the file should have been: its address may exist only in a test. */
function Missing({ media }: { media: MediaView }) {
  const Icon = media.type === 'image' || media.type === 'sticker' ? ImageOff : FileX2;
  const original = media.original ?? (/^https?:/i.test(media.url ?? '') ? media.url : undefined);
  return (
    <div className={`${frame} grid justify-items-center gap-0.5 px-4 py-5 text-center text-sm`}>
      <Icon className="size-7 text-muted" aria-hidden />
      <span dir="auto" className="break-all font-medium">
        {mediaLabel(media)}
      </span>
      <span className="text-muted">{media.missing ?? t('notLoaded')}</span>
      {original && <Original address={original} />}
    </div>
  );
}

function Original({ address }: { address: string }) {
  return (
    <OutsideLink
      href={address}
      className="mb-1 line-clamp-2 break-all text-xs text-accent hover:underline"
    >
      {address}
    </OutsideLink>
  );
}

const icons = { image: ImageIcon, sticker: ImageIcon, video: Video };

/** Stands for a file that is not known yet. */
function Placeholder({ media }: { media: MediaView }) {
  const Icon = icons[media.type as keyof typeof icons] ?? FileText;
  return (
    <div className={`${frame} grid h-24 min-w-40 place-content-center justify-items-center`}>
      <Icon className="size-6 text-muted" aria-hidden />
      <span className="text-sm text-muted">{mediaLabel(media)}</span>
    </div>
  );
}
