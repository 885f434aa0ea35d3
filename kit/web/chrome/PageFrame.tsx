import type { ReactNode } from 'react'
import { Banner } from '../widgets/Banner.tsx'
import { Footer } from './Footer.tsx'
import { Header, type HeaderProps } from './Header.tsx'
import * as s from './PageFrame.module.css'

type Props = HeaderProps & {
  children: ReactNode
  notice?: string | null
  onNoticeRead?: () => void
}

export function PageFrame({ children, notice, onNoticeRead, ...header }: Props) {
  return (
    <div className={s.frame}>
      <a className={`visually-hidden ${s.skip}`} href="#main">
        Skip to the content
      </a>
      <Header {...header} />
      <div role="status" className={s.notice}>
        {notice && (
          <Banner kind="bad" onClose={onNoticeRead}>
            {notice}
          </Banner>
        )}
      </div>
      <main id="main" tabIndex={-1} className={s.main}>
        {children}
      </main>
      <Footer layout={header.layout} brand={header.brand} user={header.user} />
    </div>
  )
}
