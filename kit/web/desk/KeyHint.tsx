import * as s from './KeyHint.module.css'

export function KeyHint({ keys }: { keys: string }) {
  return (
    <kbd className={s.key} aria-hidden="true">
      {keys}
    </kbd>
  )
}
