import { useSyncExternalStore } from 'react'

// Shortcuts of a single key can be switched off on a device, because speech input could trigger them.

const place = 'desk-single-keys'
const listeners = new Set<() => void>()

export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(place) !== 'off'
  } catch {
    // The setting cannot be stored without storage, so the default applies.
    return true
  }
}

export function switchSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(place)
    else localStorage.setItem(place, 'off')
  } catch {
    // The setting stays as it is without storage.
  }
  for (const changed of listeners) changed()
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, areSingleKeysOn, () => true)
