import type { MessageRecordData } from '../../api/records.ts';

/** Returns what a message says in words, or the name of its file; empty if it has neither. */
export function textIn(content: MessageRecordData['content']): string {
  const { text, caption, body, media } = content;
  return text || caption || body || media?.filename || '';
}
