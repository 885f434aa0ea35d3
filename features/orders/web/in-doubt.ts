import { useEffectEvent, useLayoutEffect, useState } from 'react'

type InDoubt = { order_code: string; purchase: string }

/** Session storage keeps the order, so polling continues after a reload. `null` on the server. */
export function useInDoubt(place: string): [InDoubt | null, (order: InDoubt | null) => void] {
  const [order, setOrder] = useState<InDoubt | null>(null)
  const recall = useEffectEvent(() => setOrder(kept(place)))
  useLayoutEffect(() => recall(), [place])
  return [
    order,
    (next) => {
      saveInDoubt(place, next)
      setOrder(next)
    },
  ]
}

/** Storage may be full or switched off. The purchase's idempotency key still prevents a second purchase. */
export function saveInDoubt(place: string, order: InDoubt | null): void {
  try {
    if (order) sessionStorage.setItem(keyOf(place), JSON.stringify(order))
    else sessionStorage.removeItem(keyOf(place))
  } catch {
    return
  }
}

function kept(place: string): InDoubt | null {
  try {
    const { order_code, purchase } = JSON.parse(sessionStorage.getItem(keyOf(place)) ?? '{}') as Partial<InDoubt>
    return typeof order_code === 'string' && typeof purchase === 'string' ? { order_code, purchase } : null
  } catch {
    return null
  }
}

const keyOf = (place: string): string => `in-doubt:${place}`
