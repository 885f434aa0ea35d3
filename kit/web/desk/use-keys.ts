import { useEffect, useEffectEvent } from 'react'
import { areSingleKeysOn } from './single-keys.ts'

/** What the page does at a key, by its name: `Ctrl+k`, `/`, `j`; `g t` is one after the other. */
export type KeyActs = Readonly<Record<string, (event: KeyboardEvent) => void>>

/** The second of two keys follows within this time, in milliseconds. */
const together = 1_000

/**
 * Listens to the keys of the whole page. Keys without Ctrl count outside fields only, with no window open over the page, and not at
 * all for who has switched them off (WCAG 2.1.4). On a Mac its own key takes the place of Ctrl.
 */
export function useKeys(acts: KeyActs): void {
  const act = useEffectEvent((name: string, event: KeyboardEvent): boolean => {
    const found = acts[name]
    if (found) event.preventDefault()
    found?.(event)
    return found !== undefined
  })
  useEffect(() => {
    let first = { key: '', at: 0 }
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return
      const key = event.key.toLowerCase()
      if (event.ctrlKey || event.metaKey) return void act(`Ctrl+${key}`, event)
      if (isTyped(event) || isCovered() || !areSingleKeysOn()) return
      const isSecond = event.timeStamp - first.at < together && act(`${first.key} ${key}`, event)
      if (!isSecond) act(key, event)
      first = { key, at: isSecond ? -Infinity : event.timeStamp }
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Where a letter is written, or chooses from a list. A chip of a row takes none: after a press on it the keys go on. */
const typed = 'input:not([type="radio"], [type="checkbox"]), select, textarea, [contenteditable], [role="menu"]'

const isTyped = ({ target }: KeyboardEvent): boolean => target instanceof Element && target.closest(typed) !== null

const isCovered = (): boolean => [...document.querySelectorAll('dialog')].some((dialog) => dialog.matches(':modal'))
