import { Button } from '../widgets/Button.tsx'
import { Icon } from '../widgets/Icon.tsx'
import s from './screens.module.css'

/** The error page (spec 2.11). */
export function ErrorScreen({ onRetry }: { onRetry?: () => void }) {
  return (
    <div className={s.screen}>
      <Icon name="warn" className={s.mark} />
      <h1>Something Went Wrong</h1>
      <p className={s.text}>{"Unfortunately, something didn't go as planned."}</p>
      <p className={s.text}>Please try again later.</p>
      {onRetry && <Button className={s.action} onClick={onRetry}>Try Again</Button>}
    </div>
  )
}
