import { ExternalLink, FileText, ImageIcon, MapPin, Reply, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import { templates as texts } from '../texts/templates.ts';
import { RichText } from './rich-text.tsx';

export type PhoneMessageParts = {
  header?: { format: string; text?: string; media_url?: string };
  body?: string;
  footer?: string;
  buttons?: { type: string; text: string; url?: string }[];
};

const mediaIcons = { IMAGE: ImageIcon, VIDEO: Video, DOCUMENT: FileText, LOCATION: MapPin };

/**
 * The parts of a message as a phone shows them.
 *
 * @param media the file of the header, in place of a sign for it
 */
export function PhoneMessage({
  header,
  body,
  footer,
  buttons = [],
  media,
  end,
}: PhoneMessageParts & { media?: ReactNode; end?: ReactNode }) {
  return (
    <div className="min-w-0">
      {media || (header && <Header {...header} />)}
      {body && (
        <p dir="auto" className="whitespace-pre-wrap break-words">
          <RichText text={body} />
        </p>
      )}
      {footer && (
        <p dir="auto" className="mt-1 break-words text-sm text-muted">
          {footer}
        </p>
      )}
      {end}
      {buttons.length > 0 && (
        <ul className="-mx-3 -mb-2 mt-2 border-t border-line">
          {buttons.map((button, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: buttons of one message never move
              key={index}
              className="flex items-center justify-center gap-1.5 border-b border-line px-3 py-2 text-center text-accent last:border-b-0"
            >
              {button.url ? (
                <ExternalLink className="size-4 shrink-0" aria-hidden />
              ) : (
                <Reply className="size-4 shrink-0" aria-hidden />
              )}
              <span dir="auto" className="min-w-0 break-words">
                {button.text}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Header({ format, text, media_url: url }: NonNullable<PhoneMessageParts['header']>) {
  if (format === 'TEXT')
    return (
      <p dir="auto" className="mb-1 break-words font-semibold">
        {text}
      </p>
    );
  const Icon = mediaIcons[format as keyof typeof mediaIcons] ?? FileText;
  const label = texts.media[format] ?? format;
  return (
    <div className="-mx-2 -mt-1 mb-2 grid h-24 place-items-center rounded-lg bg-sunken text-muted">
      {url ? (
        <a href={url} target="_blank" rel="noreferrer" className="grid justify-items-center">
          <Icon className="size-6" aria-hidden />
          {label}
        </a>
      ) : (
        <span className="grid justify-items-center">
          <Icon className="size-6" aria-hidden />
          {label}
        </span>
      )}
    </div>
  );
}
