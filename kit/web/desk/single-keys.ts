import { useSyncExternalStore } from 'react'

// Who speaks to their computer does not want a word of theirs taken for keys: they can be switched off, on this device.

const place = 'desk-single-keys'
const listeners = new Set<() => void>()

export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(place) !== 'off'
  } catch {
    // Storage that is switched off has kept nothing.
    return true
  }
}

export function switchSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(place)
    else localStorage.setItem(place, 'off')
  } catch {
    // They stay as they are.
  }
  for (const changed of listeners) changed()
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, areSingleKeysOn, () => true)
