import type { ReactNode } from 'react'
import { Footer } from './Footer.tsx'
import { Header, type HeaderProps } from './Header.tsx'
import s from './PageFrame.module.css'

/** Every page between its header and its footer. */
export function PageFrame({ children, ...header }: HeaderProps & { children: ReactNode }) {
  return (
    <div className={s.frame}>
      <a className={`visually-hidden ${s.skip}`} href="#main">Skip to the content</a>
      <Header {...header} />
      <main id="main" tabIndex={-1} className={s.main}>{children}</main>
      <Footer layout={header.layout} brand={header.brand} />
    </div>
  )
}
