import { useRef, useState } from 'react'
import { Icon } from '../widgets/Icon.tsx'
import { useDismissal } from '../widgets/use-dismissal.ts'
import { MenuLink } from './MenuLink.tsx'
import * as s from './Header.module.css'

const accountPages = [
  { text: 'Contact Details', url: '/account/contact-details/' },
  { text: 'Payment Method', url: '/account/payment-method/' },
  { text: 'Purchases', url: '/account/purchases/' },
  { text: 'Change Password', url: '/account/change-password/' },
  { text: 'Security', url: '/account/security/' },
  { text: 'Privacy', url: '/account/privacy/' },
]

/** The pages that a customer can open before their email address is confirmed. */
const unverifiedUserPages = [
  { text: 'Confirm Your Email Address', url: '/verify/' },
  { text: 'Change Email', url: '/account/contact-details/change-email/' },
]

export function AccountMenu({ isVerified, onChoose }: { isVerified: boolean; onChoose: () => void }) {
  const ref = useRef<HTMLDetailsElement>(null)
  const [open, setOpen] = useState(false)
  useDismissal(ref, open, (byKey) => {
    setOpen(false)
    if (byKey) ref.current?.querySelector('summary')?.focus()
  })

  function closeMenu() {
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
        {(isVerified ? accountPages : unverifiedUserPages).map((item) => (
          <li key={item.url}>
            <MenuLink item={item} onClick={closeMenu} />
          </li>
        ))}
      </ul>
    </details>
  )
}
