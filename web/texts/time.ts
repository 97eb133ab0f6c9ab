import messages from './en/time.json' with { type: 'json' };
import { translator } from './translator.ts';

export const time = translator(messages);
