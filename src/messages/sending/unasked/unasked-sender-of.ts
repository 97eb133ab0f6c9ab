import { createNumberFinder } from '../../../numbers/find-number.ts';
import type { Services } from '../../../services.ts';
import { createTemplateFinder } from '../../../templates/find-sendable-template.ts';
import { createMediaChecker } from '../check-media.ts';
import { createUnaskedSender, type UnaskedSender } from './send-unasked.ts';

/** An unasked sender with all that it needs, for work outside the API. */
export function unaskedSenderOf(services: Services): UnaskedSender {
  return createUnaskedSender({
    ...services,
    numbers: createNumberFinder(services),
    findTemplate: createTemplateFinder(services),
    checkMedia: createMediaChecker(services.files),
  });
}
