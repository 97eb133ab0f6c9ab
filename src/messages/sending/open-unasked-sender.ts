import type { Config } from '../../config.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import { createOutbound } from '../../platform/outbound.ts';
import { createTemplateFinder } from '../../templates/find-sendable-template.ts';
import { createMediaChecker } from './check-media.ts';
import { createUnaskedSender, type UnaskedSender } from './send-unasked.ts';

type Given = Omit<
  Parameters<typeof createUnaskedSender>[0],
  'numbers' | 'findTemplate' | 'checkMedia'
>;

/**
 * An unasked sender with all that it needs, for work outside the API.
 *
 * @returns also `close`, which ends its connections
 */
export function openUnaskedSender(
  services: Given & Parameters<typeof createNumberFinder>[0] & { config: Config },
): { sender: UnaskedSender; close(): Promise<void> } {
  // Files may be at plain HTTP, as the network takes them too.
  const files = createOutbound({
    allowPrivate: services.config.allowPrivateAddresses,
    requireHttps: false,
  });
  const sender = createUnaskedSender({
    ...services,
    numbers: createNumberFinder(services),
    findTemplate: createTemplateFinder(services),
    checkMedia: createMediaChecker(files),
  });
  return { sender, close: () => files.close() };
}
