import { type Coded, faultText } from '../../../texts/faults.ts';

/** Our wording of a sentence of the service, otherwise the service's own text. */
export function Worded({ says, otherwise }: { says?: Coded | null; otherwise: string }) {
  return (says && faultText(says)) ?? otherwise;
}
