import { useEffect, useEffectEvent } from 'react'
import { areCharacterShortcutsOn } from './character-shortcuts.ts'

export type KeyboardShortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>

/** Keys that are used only to start a sequence. */
const sequenceStartKeys = ['g']

/** Maximum time between the two keys in a shortcut sequence, in milliseconds. */
const maxSequencePauseMs = 1_000

/**
 * Listens for keyboard shortcuts on the whole page. Keys without Ctrl are ignored in text fields, while a modal window is open, and if the
 * user has turned them off (WCAG 2.1.4). On a Mac, the Command key counts as Ctrl.
 */
export function useShortcuts(acts: KeyboardShortcuts): void {
  const runShortcut = useEffectEvent((name: string, event: KeyboardEvent): boolean => {
    const found = acts[name]
    if (found) event.preventDefault()
    found?.(event)
    return found !== undefined
  })
  useEffect(() => {
    let first = { key: '', at: 0 }
    const handleShortcut = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return
      const key = event.key.toLowerCase()
      if (event.ctrlKey || event.metaKey) return void runShortcut(`Ctrl+${key}`, event)
      if (isTyping(event) || isModalOpen() || !areCharacterShortcutsOn()) return
      const isInTime = event.timeStamp - first.at < maxSequencePauseMs
      const isSequenceComplete = isInTime && runShortcut(`${first.key} ${key}`, event)
      // Each component listens for its own shortcuts, so a sequence may belong to a component other than this one.
      if (!isSequenceComplete && !(isInTime && sequenceStartKeys.includes(first.key))) runShortcut(key, event)
      first = { key, at: isSequenceComplete ? -Infinity : event.timeStamp }
    }
    document.addEventListener('keydown', handleShortcut)
    return () => document.removeEventListener('keydown', handleShortcut)
  }, [])
}

/**
 * Matches elements in which a typed letter enters text or selects a list option. Radio buttons and checkboxes are excluded, so that
 * shortcuts still work after a chip has been clicked.
 */
const typingElementSelector =
  'input:not([type="radio"], [type="checkbox"]), select, textarea, [contenteditable], [role="menu"]'

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest(typingElementSelector) !== null

const isModalOpen = (): boolean => [...document.querySelectorAll('dialog')].some((dialog) => dialog.matches(':modal'))
