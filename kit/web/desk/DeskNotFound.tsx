import { Button } from '../widgets/Button.tsx'
import * as s from './DeskNotFound.module.css'

export function DeskNotFound({ children }: { children?: string }) {
  return (
    <div className={s.nothing}>
      <h1>Page not found</h1>
      <p className="muted">{children ?? 'The address is wrong, or this page no longer exists.'}</p>
      <Button kind="quiet" href="/">
        Back to Today
      </Button>
    </div>
  )
}
