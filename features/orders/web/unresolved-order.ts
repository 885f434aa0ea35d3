import { useEffectEvent, useLayoutEffect, useState } from 'react'

type UnresolvedOrder = { order_code: string; purchase: string }

/**
 * The order whose payment has no known outcome yet. It is kept in session storage, so that polling continues after a
 * reload. `null` on the server.
 */
export function useUnresolvedOrder(
  storageId: string,
): [UnresolvedOrder | null, (order: UnresolvedOrder | null) => void] {
  const [order, setOrder] = useState<UnresolvedOrder | null>(null)
  const restoreOrder = useEffectEvent(() => setOrder(readStoredOrder(storageId)))
  useLayoutEffect(() => restoreOrder(), [storageId])
  return [
    order,
    (next) => {
      saveUnresolvedOrder(storageId, next)
      setOrder(next)
    },
  ]
}

/**
 * Saves the order in session storage. If the storage is full or disabled, the purchase's idempotency key still prevents a
 * second purchase.
 */
export function saveUnresolvedOrder(storageId: string, order: UnresolvedOrder | null): void {
  try {
    if (order) sessionStorage.setItem(getStorageKey(storageId), JSON.stringify(order))
    else sessionStorage.removeItem(getStorageKey(storageId))
  } catch {
    return
  }
}

function readStoredOrder(storageId: string): UnresolvedOrder | null {
  try {
    const { order_code, purchase } = JSON.parse(
      sessionStorage.getItem(getStorageKey(storageId)) ?? '{}',
    ) as Partial<UnresolvedOrder>
    return typeof order_code === 'string' && typeof purchase === 'string' ? { order_code, purchase } : null
  } catch {
    return null
  }
}

const getStorageKey = (storageId: string): string => `in-doubt:${storageId}`
