import messages from './en/stores.json' with { type: 'json' };
import { translator } from './translator.ts';

export const stores = translator(messages);
