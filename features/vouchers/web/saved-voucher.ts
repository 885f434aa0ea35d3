import { useSyncExternalStore } from 'react'

const key = 'voucher'

const listeners = new Set<() => void>()

export function savedVoucher(): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Storage may be full or disabled; then the customer types the code again. */
export function saveVoucher(code: string): void {
  change(() => sessionStorage.setItem(key, code))
}

export function clearVoucher(): void {
  change(() => sessionStorage.removeItem(key))
}

export function useSavedVoucher(): string | null {
  return useSyncExternalStore(subscribe, savedVoucher, () => null)
}

function change(write: () => void): void {
  try {
    write()
  } catch {
    return
  }
  for (const changed of listeners) changed()
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}
