import { useEffect, useRef, useState } from 'react';
import { Problem, Unreachable } from '../../../../parts/behaviour/problem.ts';
import { files as t } from '../../../../texts/files.ts';
import type { DataOf, OperationOf } from '../../api/call-types.ts';
import { problemOf } from '../../api/problems.ts';
import type { TenantPaths } from '../../api/schema.ts';
import { useTenant } from '../../session.ts';
import { type FileKind, sentName, typeOf } from './file-limits.ts';

type Uploaded = DataOf<OperationOf<TenantPaths, '/media', 'post'>>;
type Upload = { file: File; from: string | undefined; mediaId: string };

/** Uploads a file, with its progress. A file that was uploaded already is not uploaded again by the same form. */
export function useUpload() {
  const { api } = useTenant();
  const last = useRef<Upload>(undefined);
  const running = useRef<XMLHttpRequest>(undefined);
  const [share, setShare] = useState<number>();
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      running.current?.abort();
    };
  }, []);

  return {
    /** How much has arrived, from 0 to 1; undefined while nothing is uploaded. */
    share,
    stop: () => running.current?.abort(),
    /**
     * @param from the network's id of the number that will send the file; without it, the default number
     * @returns the `media_id` of the file
     * @throws Problem if it is refused, stopped, or the service cannot be reached
     */
    async upload(file: File, kind: FileKind, from: string | undefined): Promise<string> {
      // Nobody sees any more what is sent.
      if (!isOpen.current) throw new Problem(400, t('stopped'));
      if (last.current?.file === file && last.current.from === from) return last.current.mediaId;
      const form = new FormData();
      // The file comes last, so that the service knows everything else before it.
      if (from) form.append('from', from);
      form.append('type', kind);
      const typed = new File([file], file.name, { type: typeOf(file) });
      form.append('file', typed, sentName(file));
      const request = new XMLHttpRequest();
      running.current = request;
      setShare(0);
      try {
        const { media_id: mediaId } = await post(request, `${api.base}/media`, form, setShare);
        last.current = { file, from, mediaId };
        return mediaId;
      } finally {
        running.current = undefined;
        setShare(undefined);
      }
    },
  };
}

/** Posts a form. `fetch` does not report how much of a body has arrived. */
async function post(
  request: XMLHttpRequest,
  address: string,
  form: FormData,
  onProgress: (share: number) => void,
): Promise<Uploaded> {
  await new Promise<void>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(1, total));
    request.onload = () => resolve();
    request.onerror = () => reject(new Unreachable(new Error('the upload got no response')));
    request.onabort = () => reject(new Problem(400, t('stopped')));
    request.open('POST', address);
    // Null if it is not JSON.
    request.responseType = 'json';
    request.send(form);
  });
  const body: { data: Uploaded } | null = request.response;
  if (request.status === 200 && body) return body.data;
  const headers = new Headers();
  const id = request.getResponseHeader('x-request-id');
  if (id) headers.set('x-request-id', id);
  throw await problemOf(new Response(null, { status: request.status, headers }), body);
}
