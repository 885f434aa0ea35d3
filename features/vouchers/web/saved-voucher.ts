import { useSyncExternalStore } from 'react'

const storageKey = 'voucher'

const listeners = new Set<() => void>()

export function readSavedVoucher(): string | null {
  try {
    return sessionStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** Saves a voucher code for this tab. If the storage is full or disabled, the customer must type the code again. */
export function saveVoucher(code: string): void {
  writeAndNotify(() => sessionStorage.setItem(storageKey, code))
}

export function clearVoucher(): void {
  writeAndNotify(() => sessionStorage.removeItem(storageKey))
}

export function useSavedVoucher(): string | null {
  return useSyncExternalStore(subscribe, readSavedVoucher, () => null)
}

function writeAndNotify(applyChange: () => void): void {
  try {
    applyChange()
  } catch {
    return
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
