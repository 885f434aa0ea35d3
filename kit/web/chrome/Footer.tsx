import type { Brand, Layout } from '#kit/contract/bootstrap.ts'
import { Logo } from '../widgets/Logo.tsx'
import { ContactLine } from './ContactLine.tsx'
import { MenuLink } from './MenuLink.tsx'
import { type MenuUser, listReachableItems } from './reachable-items.ts'
import * as s from './Footer.module.css'

type Props = { layout: Layout; brand: Brand; user: MenuUser }

/** Shows the menu columns and the copyright line. A signed-in customer sees them in a more compact form, without the logo. */
export function Footer({ layout, brand, user }: Props) {
  const columns = layout.menus.footer
    .map(({ title, items }) => ({ title, items: listReachableItems(items, user) }))
    .filter(({ items }) => items.length > 0)
  return (
    <footer className={`${s.footer} ${user ? s.compact : ''}`}>
      <div className={s.inner}>
        {!user && <Logo brand={brand} />}
        <div className={s.columns}>
          {columns.map(({ title, items }) => (
            <nav key={title} aria-label={title}>
              <h2>{title}</h2>
              <ul>
                {items.map((item) => (
                  <li key={item.url}>
                    <MenuLink item={item} />
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <ContactLine help={brand.help} />
        <p className={s.copyright}>{layout.copyright}</p>
      </div>
    </footer>
  )
}
