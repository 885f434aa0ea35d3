import type { Brand, Layout, MenuItem } from '#kit/contract/bootstrap.ts'
import { Logo } from '../widgets/Logo.tsx'
import { ContactLine } from './ContactLine.tsx'
import { MenuLink } from './MenuLink.tsx'
import * as s from './Footer.module.css'

export function Footer({ layout, brand, isShort }: { layout: Layout; brand: Brand; isShort: boolean }) {
  const { footer, short_footer: short } = layout.menus
  const contact = <ContactLine help={brand.help} />
  const copyright = <p className={s.copyright}>{layout.copyright}</p>
  return (
    <footer className={s.footer}>
      {isShort ? (
        <div className={`${s.inner} ${s.short}`}>
          {contact}
          <nav aria-label={brand.shortName}>
            <MenuList items={short} />
          </nav>
          {copyright}
        </div>
      ) : (
        <div className={s.inner}>
          <Logo brand={brand} />
          <div className={s.columns}>
            {footer.map(({ title, items }) => (
              <nav key={title} aria-label={title}>
                <h2>{title}</h2>
                <MenuList items={items} />
              </nav>
            ))}
          </div>
          {contact}
          {copyright}
        </div>
      )}
    </footer>
  )
}

function MenuList({ items }: { items: readonly MenuItem[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item.url}>
          <MenuLink item={item} />
        </li>
      ))}
    </ul>
  )
}
