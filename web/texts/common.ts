import messages from './en/common.json' with { type: 'json' };
import { translator } from './translator.ts';

export const common = translator(messages);
