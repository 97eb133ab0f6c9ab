import behaviourMessages from './en/behaviour.json' with { type: 'json' };
import phoneMessages from './en/phone.json' with { type: 'json' };
import { translator } from './translator.ts';

export const phone = translator(phoneMessages);
export const behaviour = translator(behaviourMessages);
