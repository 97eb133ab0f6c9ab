import messages from './en/labels.json' with { type: 'json' };
import { translator } from './translator.ts';

export const labels = translator(messages);
