import { useEffect, useRef, useState } from 'react'
import { Icon } from '../widgets/Icon.tsx'
import { Link } from '../Link.tsx'
import { usePath } from '../router/location.ts'
import s from './Header.module.css'

const items = [
  { text: 'Contact Details', url: '/account/contact-details/' },
  { text: 'Payment Method', url: '/account/payment-method/' },
  { text: 'Change Password', url: '/account/change-password/' },
  { text: 'Security', url: '/account/security/' },
]

/** Account Settings: opens without a script; with it, a press elsewhere, Escape or a choice closes it. */
export function AccountMenu({ onChoose }: { onChoose: () => void }) {
  const ref = useRef<HTMLDetailsElement>(null)
  const [open, setOpen] = useState(false)
  const path = usePath()

  useEffect(() => {
    if (!open) return
    const listening = new AbortController()
    const leave = ({ target }: Event) => {
      if (!ref.current?.contains(target as Node)) setOpen(false)
    }
    const escape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      ref.current?.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', leave, listening)
    document.addEventListener('focusin', leave, listening)
    document.addEventListener('keydown', escape, listening)
    return () => listening.abort()
  }, [open])

  function choose() {
    setOpen(false)
    onChoose()
  }

  return (
    <details ref={ref} className={s.account} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Account Settings
        <Icon name="chevron" />
      </summary>
      <ul>
        {items.map(({ text, url }) => (
          <li key={url}>
            <Link href={url} onClick={choose} aria-current={path === url ? 'page' : undefined}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}
