import * as s from './KeyHint.module.css'

/** Shows a keyboard shortcut, such as `Ctrl K`. Screen readers get it from `aria-keyshortcuts` instead. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <kbd className={s.key} aria-hidden="true">
      {keys}
    </kbd>
  )
}
