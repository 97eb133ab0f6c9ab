import { setRegion } from '../../../texts/region.ts';

type TenantRegion = { locale: string; time_zone: string | null };

/**
 * Writes numbers, dates and times below in the way of the tenant's region. The document keeps the language and direction
 * of its texts: a screen reader would read English words with another voice, and a phone would be turned round.
 */
export function useRegion(tenant: TenantRegion | undefined): void {
  // Before the pages are drawn, because they read it.
  if (tenant) setRegion({ locale: tenant.locale, timeZone: tenant.time_zone ?? undefined });
}
