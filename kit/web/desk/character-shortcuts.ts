import { useSyncExternalStore } from 'react'

// Staff can turn off single-key shortcuts on a device, because speech input could trigger them.

const storageKey = 'desk-single-keys'
const listeners = new Set<() => void>()

export function areCharacterShortcutsOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    // Without browser storage, the setting cannot be stored, so the default applies.
    return true
  }
}

export function setCharacterShortcuts(on: boolean): void {
  try {
    if (on) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
  } catch {
    // Without browser storage, the setting stays as it is.
  }
  for (const changed of listeners) changed()
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

export const useCharacterShortcuts = (): boolean => useSyncExternalStore(subscribe, areCharacterShortcutsOn, () => true)
