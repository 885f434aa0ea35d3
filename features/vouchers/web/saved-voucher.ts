import { useSyncExternalStore } from 'react'

const key = 'voucher'

/** Called when the saved code changes. Filled only in a browser. */
const listeners = new Set<() => void>()

/** The code that this tab was opened with, kept until the step that needs it. */
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

/** The saved voucher code; `null` on the server and until hydration. */
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
