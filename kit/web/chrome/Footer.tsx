import type { Brand, Layout } from '#kit/contract/bootstrap.ts'
import { Link } from '../Link.tsx'
import { usePath } from '../router/location.ts'
import { Logo } from '../widgets/Logo.tsx'
import s from './Footer.module.css'

/** The bottom of every page: the provider's menus and its copyright line. */
export function Footer({ layout, brand }: { layout: Layout; brand: Brand }) {
  const path = usePath()
  return (
    <footer className={s.footer}>
      <div className={s.inner}>
        <Logo brand={brand} />
        <div className={s.columns}>
          {layout.menus.footer.map(({ title, items }) => (
            <nav key={title} aria-label={title}>
              <h2>{title}</h2>
              <ul>
                {items.map(({ text, url }) => (
                  <li key={url}>
                    <Link href={url} aria-current={path === url ? 'page' : undefined}>
                      {text}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <p className={s.copyright}>{layout.copyright}</p>
      </div>
    </footer>
  )
}
