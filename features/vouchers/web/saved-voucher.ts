import { useSyncExternalStore } from 'react'

const key = 'voucher'

/** Told when the kept code changes; only ever filled in a browser. */
const listeners = new Set<() => void>()

/** The code this tab came with, kept on the way from the voucher's page to the step that asks for it. */
export function savedVoucher(): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Storage may be full or switched off: then the code is typed once more. */
export function saveVoucher(code: string): void {
  change(() => sessionStorage.setItem(key, code))
}

export function clearVoucher(): void {
  change(() => sessionStorage.removeItem(key))
}

/** The saved voucher, for a page; null while the server renders and until the page is alive. */
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
