import type { Knobs, RuleRequest } from './knobs.ts';

type Rule = {
  phone_number_id: string | null;
  phone: string | null;
  knobs: Knobs;
  /** Sends left; null: until reset. */
  left: number | null;
};

export type Behaviours = {
  /** Sets knobs for a number, a phone, both or all. Null removes a knob. */
  set(request: RuleRequest): void;
  /** Removes the rules of exactly this number and phone, or all rules if neither is given. */
  reset(numberId?: string, phone?: string): void;
  list(): RuleRequest[];
  /** Returns the knobs for one send, and counts it against the rules with a `count`. */
  take(numberId: string, phone: string): Knobs;
  /** Returns the knobs without counting. With `phone` null, those of the number. */
  peek(numberId: string, phone: string | null): Knobs;
};

const noKnobs: Knobs = Object.freeze({});

/** @param onChange called when a rule was set, removed or counted */
export function createBehaviours(onChange: () => void): Behaviours {
  let rules: Rule[] = [];

  function matching(numberId: string, phone: string | null): Rule[] {
    return rules.filter(
      (rule) =>
        (rule.phone_number_id === null || rule.phone_number_id === numberId) &&
        (rule.phone === null || rule.phone === phone),
    );
  }

  return {
    set({ phone_number_id = null, phone = null, count, ...knobs }) {
      const same = (rule: Rule) =>
        rule.left === null && rule.phone_number_id === phone_number_id && rule.phone === phone;
      const known = count === undefined ? rules.find(same) : undefined;
      const rule = known ?? { phone_number_id, phone, knobs: {}, left: count ?? null };
      Object.assign(rule.knobs, knobs);
      for (const [name, value] of Object.entries(rule.knobs)) {
        if (value === null) delete rule.knobs[name as keyof Knobs];
      }
      if (!known) rules.push(rule);
      // The later rule wins: more specific rules come later, and rules with a count come last.
      rules.sort((a, b) => specificity(a) - specificity(b));
      onChange();
    },
    reset(numberId, phone) {
      const all = numberId === undefined && phone === undefined;
      rules = all
        ? []
        : rules.filter(
            (rule) => rule.phone_number_id !== (numberId ?? null) || rule.phone !== (phone ?? null),
          );
      onChange();
    },
    list: () =>
      rules.map(({ phone_number_id, phone, left, knobs }) => ({
        ...(phone_number_id && { phone_number_id }),
        ...(phone && { phone }),
        ...(left !== null && { count: left }),
        ...knobs,
      })),
    take(numberId, phone) {
      if (rules.length === 0) return noKnobs;
      const found = matching(numberId, phone);
      const counted = found.filter((rule) => rule.left !== null);
      for (const rule of counted) rule.left!--;
      if (counted.length > 0) {
        rules = rules.filter((rule) => rule.left !== 0);
        onChange();
      }
      return Object.assign({}, ...found.map((rule) => rule.knobs));
    },
    peek(numberId, phone) {
      if (rules.length === 0) return noKnobs;
      return Object.assign({}, ...matching(numberId, phone).map((rule) => rule.knobs));
    },
  };
}

function specificity(rule: Rule): number {
  return (rule.left === null ? 0 : 4) + (rule.phone ? 2 : 0) + (rule.phone_number_id ? 1 : 0);
}
