import { createNumberFinder } from '../../../numbers/find-number.ts';
import type { Services } from '../../../services.ts';
import { createTemplateFinder } from '../../../templates/find-sendable-template.ts';
import { createMediaChecker } from '../media/check-media.ts';
import { type AutomatedSender, createAutomatedSender } from './send-automated.ts';

/** Creates an automated sender with its dependencies, for work outside the API. */
export function automatedSenderOf(services: Services): AutomatedSender {
  const numbers = createNumberFinder(services);
  return createAutomatedSender({
    ...services,
    numbers,
    findTemplate: createTemplateFinder({ ...services, numbers }),
    checkMedia: createMediaChecker(services.files),
  });
}
