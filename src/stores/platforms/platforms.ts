import { custom } from './custom.ts';
import type { Platform } from './platform.ts';
import { shopify } from './shopify.ts';
import { woocommerce } from './woocommerce.ts';

export const platforms = { woocommerce, shopify, custom } as const satisfies Record<
  string,
  Platform
>;

export type PlatformName = keyof typeof platforms;

export function isPlatform(text: string): text is PlatformName {
  return Object.hasOwn(platforms, text);
}
