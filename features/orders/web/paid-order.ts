import { useMemo, useRef, useSyncExternalStore } from 'react'

type PaidOrder = { orderCode: string; uuid: string }

/**
 * The paid order that led to this page; `null` if the customer got here some other way. `undefined` on the server, which
 * has no history state.
 */
export function usePaidOrder(): PaidOrder | null | undefined {
  // Read the history state only once, when the page opens. During a navigation, the history state already belongs to the next page.
  const initialState = useRef<string>(undefined)
  const state = useSyncExternalStore(
    emptySubscribe,
    () => (initialState.current ??= JSON.stringify(history.state)),
    () => undefined,
  )
  return useMemo(() => (state === undefined ? undefined : parsePaidOrder(JSON.parse(state))), [state])
}

function parsePaidOrder(state: unknown): PaidOrder | null {
  const { orderCode, uuid } = (state ?? {}) as Partial<PaidOrder>
  return typeof orderCode === 'string' && typeof uuid === 'string' ? { orderCode, uuid } : null
}

const emptySubscribe = () => () => {}
