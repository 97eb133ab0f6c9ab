import { ApiError } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { Caller } from '../api/find-caller.ts';
import type { Ability } from './abilities.ts';

/** The abilities of a route: any one of `abilities`, and `alsoAbility` if there is one. */
export type NeededAbilities = {
  abilities: readonly Ability[];
  alsoAbility: Ability | undefined;
};

/** Returns the 403 if the caller lacks an ability, or if the route names none. */
export function abilityMissing(needed: NeededAbilities, caller: Caller): ApiError | undefined {
  const lacks = (abilities: readonly Ability[]) =>
    !abilities.some((ability) => caller.abilities.has(ability));
  const { abilities, alsoAbility } = needed;
  if (lacks(abilities)) return lacking(abilities);
  return alsoAbility && lacks([alsoAbility]) ? lacking([alsoAbility]) : undefined;
}

function lacking(abilities: readonly Ability[]): ApiError {
  return new ApiError('forbidden', {
    message: fault('ability_missing', 'This token lacks the ability {abilities}.', {
      abilities: abilities.join(' or '),
    }),
  });
}
