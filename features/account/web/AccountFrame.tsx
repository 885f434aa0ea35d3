import type { ReactNode } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { usePath } from '#kit/web/router/location.ts'
import { Button } from '#kit/web/widgets/Button.tsx'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { useUser } from '#features/auth/web/use-user.ts'
import * as s from './AccountFrame.module.css'

const accountMenu = [
  { text: 'Contact Details', url: '/account/contact-details/' },
  { text: 'Payment Method', url: '/account/payment-method/' },
  { text: 'Purchases', url: '/account/purchases/' },
  { text: 'Change Password', url: '/account/change-password/' },
  { text: 'Security', url: '/account/security/' },
  { text: 'Privacy', url: '/account/privacy/' },
]

export function AccountFrame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const user = useUser()
  // Hide the menu until the email address is verified, because every page in it would redirect the customer away.
  const isUnverified = user !== null && !user.email_verified
  return (
    <div className={isUnverified ? s.alone : s.frame}>
      {!isUnverified && <AccountMenu />}
      <div>
        <PageTitle lead={lead}>{title}</PageTitle>
        {children}
      </div>
    </div>
  )
}

function AccountMenu() {
  const path = usePath()
  return (
    <nav aria-label="Account">
      <ul className={s.menu}>
        {accountMenu.map(({ text, url }) => (
          <li key={url}>
            <Link href={url} className={s.link} aria-current={getAriaCurrent(path, url)}>
              {text}
            </Link>
          </li>
        ))}
        <li className={s.dashboard}>
          <Button kind="quiet" wide href="/">
            MY DASHBOARD
          </Button>
        </li>
      </ul>
    </nav>
  )
}

function getAriaCurrent(path: string, url: string): 'page' | 'true' | undefined {
  if (path === url) return 'page'
  return path.startsWith(url) ? 'true' : undefined
}
