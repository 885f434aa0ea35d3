/** Every move a thing can make: what an event makes of a state. What is not in it cannot happen. */
export type Transitions<State extends string, Event extends string> = {
  readonly [From in State]: { readonly [On in Event]?: State }
}

/** Where an event leads, or null when it cannot be taken in this state. */
export const nextState = <State extends string, Event extends string>(
  moves: Transitions<State, Event>,
  state: State,
  event: Event,
): State | null => moves[state][event] ?? null

/**
 * Where an event leads, and from which states: what a compare-and-set needs.
 * @throws when it leads to no state, or to several
 */
export function movesOf<State extends string, Event extends string>(
  moves: Transitions<State, Event>,
  event: Event,
): { from: State[]; to: State } {
  const from = (Object.keys(moves) as State[]).filter((state) => moves[state][event])
  const [to, another] = new Set(from.map((state) => moves[state][event]))
  if (!to || another) throw new Error(`${event} leads to no state, or to several`)
  return { from, to }
}

/** Nothing follows. */
export const isFinal = <State extends string, Event extends string>(
  moves: Transitions<State, Event>,
  state: State,
): boolean => Object.keys(moves[state]).length === 0
