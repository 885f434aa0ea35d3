export type Transitions<State extends string, Event extends string> = {
  readonly [From in State]: { readonly [On in Event]?: State }
}

/** Returns `null` when the present state does not allow the event. */
export const nextState = <State extends string, Event extends string>(
  moves: Transitions<State, Event>,
  state: State,
  event: Event,
): State | null => moves[state][event] ?? null

/**
 * The state that an event leads to, and the states that allow the event, for a compare-and-set.
 * @throws when the event leads to no state, or to several
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

export const isFinal = <State extends string, Event extends string>(
  moves: Transitions<State, Event>,
  state: State,
): boolean => Object.keys(moves[state]).length === 0
