import * as s from './KeyHint.module.css'

/** Which keys do the same, beside what they stand for: `Ctrl K`. Whoever hears the page is told by `aria-keyshortcuts`. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <kbd className={s.key} aria-hidden="true">
      {keys}
    </kbd>
  )
}
