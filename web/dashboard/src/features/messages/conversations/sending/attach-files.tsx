import { Paperclip } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../../../../../../parts/buttons/button.tsx';
import { pastedFiles } from '../../../../../../parts/fields/pasted-files.ts';
import { files as t } from '../../../../../../texts/files.ts';
import { acceptOf, fileKinds } from '../../../media/file-limits.ts';

/** Takes files to send by a button, from the clipboard, or by dropping them anywhere on the page. */
export function AttachFiles({ onFiles }: { onFiles: (files: File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const isDragging = useFilesOfPage(onFiles);
  return (
    <>
      <IconButton label={t('attach')} onClick={() => picker.current?.click()}>
        <Paperclip className="size-5" aria-hidden />
      </IconButton>
      <input
        ref={picker}
        type="file"
        multiple
        tabIndex={-1}
        aria-label={t('attach')}
        accept={acceptOf(fileKinds)}
        className="sr-only"
        onChange={({ target }) => {
          const chosen = [...(target.files ?? [])];
          if (chosen.length > 0) onFiles(chosen);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
      {isDragging && (
        <div
          aria-hidden
          className="pointer-events-none fixed inset-3 z-50 grid place-items-center rounded-2xl border-2 border-dashed border-accent bg-surface/80 text-lg font-semibold text-accent-strong"
        >
          {t('dropHere')}
        </div>
      )}
    </>
  );
}

/**
 * Takes files that are pasted or dropped, unless a dialog is open. Without this, the browser would replace the
 * dashboard by a dropped file.
 *
 * @returns whether files are being dragged over the page
 */
function useFilesOfPage(onFiles: (files: File[]) => void): boolean {
  const [isDragging, setDragging] = useState(false);
  const handler = useRef(onFiles);
  useEffect(() => {
    handler.current = onFiles;
  });
  useEffect(() => {
    const listening = new AbortController();
    const listen = <Name extends 'paste' | 'dragover' | 'dragleave' | 'drop'>(
      name: Name,
      listener: (event: DocumentEventMap[Name]) => void,
    ) => document.addEventListener(name, listener, { signal: listening.signal });
    const take = (event: Event, files: File[]) => {
      if (files.length === 0) return;
      event.preventDefault();
      if (!document.querySelector('[role=dialog]')) handler.current(files);
    };
    listen('paste', (event) => take(event, pastedFiles(event.clipboardData)));
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(!document.querySelector('[role=dialog]'));
    });
    listen('dragleave', ({ relatedTarget }) => relatedTarget === null && setDragging(false));
    listen('drop', (event) => {
      setDragging(false);
      take(event, [...(event.dataTransfer?.files ?? [])]);
    });
    return () => listening.abort();
  }, []);
  return isDragging;
}
