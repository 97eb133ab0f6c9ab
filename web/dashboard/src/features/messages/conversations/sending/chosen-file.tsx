import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { MessagePreview } from '../../../../../../message/body/preview.tsx';
import { IconButton } from '../../../../../../parts/buttons/button.tsx';
import { Badge, type Tone } from '../../../../../../parts/page/badge.tsx';
import { Notice } from '../../../../../../parts/page/page.tsx';
import { Row } from '../../../../../../parts/page/row.tsx';
import { files as t } from '../../../../../../texts/files.ts';
import { faultOf } from '../../../media/check-file.ts';
import { kindOf, megabyte } from '../../../media/file-limits.ts';

/** Shows a file as the person will see it, or why WhatsApp does not take it. */
export function FilePreview({ file, caption }: { file: File; caption: string }) {
  const url = useObjectUrl(file);
  const fault = faultOf(file);
  if (fault) {
    return (
      <Notice tone="bad" title={file.name}>
        {fault}
      </Notice>
    );
  }
  return (
    <>
      {url && (
        <div className="rounded-xl bg-sunken p-3">
          <MessagePreview
            body={{
              kind: 'media',
              media: { type: kindOf(file)!, url, name: file.name },
              caption,
            }}
          />
        </div>
      )}
      <p className="text-sm text-muted">
        <bdi className="break-all">{file.name}</bdi>
        {' · '}
        {sizeOf(file)}
      </p>
    </>
  );
}

export type FileState = 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown';

const tones: Record<Exclude<FileState, 'waiting'>, Tone> = {
  sending: 'accent',
  sent: 'good',
  failed: 'bad',
  unknown: 'warn',
};

/** One of several files: how far it is, and a button that takes it out while it waits. */
export function FileRow({
  file,
  state,
  onTakeOut,
}: {
  file: File;
  state: FileState;
  onTakeOut: (() => void) | undefined;
}) {
  const fault = faultOf(file);
  return (
    <Row className="flex min-h-12 items-center gap-3 px-3 py-1.5">
      <span className="min-w-0 grow text-sm">
        <bdi className="break-all">{file.name}</bdi>
        <span className="text-muted">
          {' · '}
          {sizeOf(file)}
        </span>
        {fault && <span className="block text-bad">{fault}</span>}
      </span>
      {state !== 'waiting' && <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>}
      {state !== 'sent' && onTakeOut && (
        <IconButton label={t('takeOut', { name: file.name })} onClick={onTakeOut}>
          <X className="size-4" aria-hidden />
        </IconButton>
      )}
    </Row>
  );
}

function sizeOf({ size }: File): string {
  return size < megabyte
    ? t('kilobytes', { kilobytes: Math.ceil(size / 1024) })
    : t('size', { megabytes: Math.round((10 * size) / megabyte) / 10 });
}

/** The address of a file of this computer. */
function useObjectUrl(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
