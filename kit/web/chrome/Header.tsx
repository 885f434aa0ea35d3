import { useRef } from 'react'
import type { Brand, Layout } from '#kit/contract/bootstrap.ts'
import { Link } from '../Link.tsx'
import { Icon } from '../widgets/Icon.tsx'
import { Logo } from '../widgets/Logo.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { MenuLink } from './MenuLink.tsx'
import { type MenuUser, listReachableItems } from './reachable-items.ts'
import * as buttons from '../widgets/round.module.css'
import * as s from './Header.module.css'

export type HeaderProps = {
  layout: Layout
  brand: Brand
  user?: MenuUser
  onLogout?: () => void
}

export function Header({ layout, brand, user, onLogout }: HeaderProps) {
  const menu = useRef<HTMLElement>(null)
  const close = () => menu.current?.togglePopover?.(false)
  return (
    <header className={s.bar}>
      {/* On a phone, an open menu would cover the focused element. */}
      <div
        className={s.inner}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (relatedTarget && !currentTarget.contains(relatedTarget)) close()
        }}
      >
        <Link href="/" className={s.home} aria-label={`${brand.name}, home`}>
          <Logo brand={brand} />
        </Link>
        <button type="button" className={`${buttons.round} ${s.opener}`} aria-label="Menu" popoverTarget="site-menu">
          <Icon name="menu" />
        </button>
        <nav ref={menu} id="site-menu" popover="auto" className={s.menu} aria-label="Site">
          <ul>
            {listReachableItems(layout.menus.header, user).map((item) => (
              <li key={item.url}>
                <MenuLink item={item} onClick={close} />
              </li>
            ))}
            {!user && (
              <li>
                <MenuLink item={{ text: 'Login', url: '/login/' }} onClick={close} />
              </li>
            )}
            {user && (
              <li>
                <AccountMenu isVerified={user.email_verified} onChoose={close} />
              </li>
            )}
            {user && (
              <li>
                <button
                  type="button"
                  onClick={() => {
                    close()
                    onLogout?.()
                  }}
                >
                  Logout
                </button>
              </li>
            )}
          </ul>
        </nav>
      </div>
    </header>
  )
}
