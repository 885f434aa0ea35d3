import { useSyncExternalStore } from 'react'

// Shortcuts of a single key can be switched off on a device, because speech input could trigger them.

const storageKey = 'desk-single-keys'
const listeners = new Set<() => void>()

export function areCharacterShortcutsOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    // The setting cannot be stored without storage, so the default applies.
    return true
  }
}

export function setCharacterShortcuts(on: boolean): void {
  try {
    if (on) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
  } catch {
    // The setting stays as it is without storage.
  }
  for (const changed of listeners) changed()
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

export const useCharacterShortcuts = (): boolean => useSyncExternalStore(subscribe, areCharacterShortcutsOn, () => true)
