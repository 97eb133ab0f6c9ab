import { fault } from './fault.ts';

/** Sentences that several features report. A code has one sentence. */
export const ourSide = fault('our_side', 'Something went wrong on our side.');
export const attemptsInterrupted = fault('attempts_interrupted', 'Every attempt was interrupted.');
export const networkSilent = fault('network_silent', 'The network does not respond at the moment.');
