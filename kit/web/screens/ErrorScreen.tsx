import type { ReactNode } from 'react'
import { useBootstrap } from '../bootstrap.tsx'
import { ContactLine } from '../chrome/ContactLine.tsx'
import { BusyButton } from '../widgets/BusyButton.tsx'
import { Icon } from '../widgets/Icon.tsx'
import * as s from './screens.module.css'

type Props = {
  onRetry?: () => void
  busy?: boolean
  children?: ReactNode
}

/** The error page (specification, section 2.11). */
export function ErrorScreen({ onRetry, busy = false, children }: Props) {
  const { brand } = useBootstrap()
  return (
    <div className={s.screen}>
      <Icon name="warn" className={s.mark} />
      <h1>Something Went Wrong</h1>
      <p className={s.text}>{"Unfortunately, something didn't go as planned."}</p>
      <p className={s.text}>Please try again later.</p>
      {children && <div className={s.text}>{children}</div>}
      {onRetry && (
        <BusyButton className={s.action} busy={busy} busyText="Trying Again" onClick={onRetry}>
          Try Again
        </BusyButton>
      )}
      <ContactLine help={brand.help} className={s.action} />
    </div>
  )
}
