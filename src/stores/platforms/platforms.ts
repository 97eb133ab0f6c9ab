import { fault } from '../../platform/errors/fault.ts';
import { custom } from './custom/custom.ts';
import type { Platform } from './platform.ts';
import { shopify } from './shopify/shopify.ts';
import { woocommerce } from './woocommerce/woocommerce.ts';

/** Every store platform. A new one is a folder beside this file and a line here. */
export const platforms = { woocommerce, shopify, custom } as const satisfies Record<
  string,
  Platform
>;

export type PlatformName = keyof typeof platforms;

export const platformNames = Object.keys(platforms) as PlatformName[];

export const notAPlatform = fault('not_one_of', 'must be one of {known}', {
  known: platformNames.join(', '),
});

export function isPlatform(text: string): text is PlatformName {
  return Object.hasOwn(platforms, text);
}
