import messages from './en/files.json' with { type: 'json' };
import { translator } from './translator.ts';

export const files = translator(messages);
