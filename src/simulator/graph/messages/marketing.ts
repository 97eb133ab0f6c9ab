import type { JsonObject, SimulatedNumber, Template } from '../../types.ts';
import { GraphError } from '../graph-errors.ts';

/** The endpoint of a send: the one for all messages, or the one for marketing templates. */
export type Endpoint = 'all' | 'marketing';

/**
 * Checks whether an endpoint takes a message, which differs only for marketing templates, and returns the category
 * for its price.
 *
 * @param template undefined for a message that is no template
 * @throws GraphError
 */
export function priceCategory(
  { marketing }: SimulatedNumber,
  body: JsonObject,
  template: Template | undefined,
  endpoint: Endpoint,
): string | undefined {
  const isMarketing = template?.category === 'MARKETING';
  if (endpoint === 'all') {
    if (isMarketing && marketing.disabled_on_cloud_api) throw GraphError.of(131063);
    return template?.category;
  }
  if (!template) throw GraphError.parameter('Message must be a template message.');
  const policy = body.product_policy ?? 'CLOUD_API_FALLBACK';
  if (policy !== 'CLOUD_API_FALLBACK' && policy !== 'STRICT') {
    throw GraphError.parameter(
      `Param product_policy must be one of {CLOUD_API_FALLBACK, STRICT} - got "${String(policy)}".`,
    );
  }
  if (!isMarketing) throw GraphError.of(134100);
  if (marketing.terms_signed) return 'MARKETING_LITE';
  if (policy === 'STRICT') throw GraphError.of(134102);
  if (marketing.disabled_on_cloud_api) throw GraphError.of(131063);
  return 'MARKETING';
}
