import { useMemo, useRef, useSyncExternalStore } from 'react'

/** What a form leaves in the history's state for the page that says it is bought: the order's code, and the service. */
type PaidOrder = { orderCode: string; uuid: string }

/**
 * The order that led to this page; null for a customer who has come without one, undefined while that cannot be
 * known: the server has no history.
 */
export function usePaidOrder(): PaidOrder | null | undefined {
  // As it was when the page opened: on the way to another one, which may still be loading, the history's state is that one's.
  const arrived = useRef<string>(undefined)
  const state = useSyncExternalStore(
    neverChanges,
    () => (arrived.current ??= JSON.stringify(history.state)),
    () => undefined,
  )
  return useMemo(() => (state === undefined ? undefined : orderIn(JSON.parse(state))), [state])
}

function orderIn(state: unknown): PaidOrder | null {
  const { orderCode, uuid } = (state ?? {}) as Partial<PaidOrder>
  return typeof orderCode === 'string' && typeof uuid === 'string' ? { orderCode, uuid } : null
}

const neverChanges = () => () => {}
