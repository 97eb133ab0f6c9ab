import messages from './en/shell.json' with { type: 'json' };
import { translator } from './translator.ts';

export const shell = translator(messages);
