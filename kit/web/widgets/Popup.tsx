import { type ReactNode, useRef, useState } from 'react'
import { Icon } from './Icon.tsx'
import { useDismissal } from './use-dismissal.ts'
import * as buttons from './round.module.css'
import * as s from './Popup.module.css'

export function Popup({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLSpanElement>(null)
  const [open, setOpen] = useState(false)
  useDismissal(ref, open, () => setOpen(false))
  return (
    <span ref={ref} className={s.popup}>
      <button
        type="button"
        className={`${buttons.round} ${s.button}`}
        aria-label={label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="help" />
      </button>
      <span role="status">{open && <span className={s.sheet}>{children}</span>}</span>
    </span>
  )
}
