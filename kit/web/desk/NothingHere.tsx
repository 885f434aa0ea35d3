import { Button } from '../widgets/Button.tsx'
import * as s from './NothingHere.module.css'

export function NothingHere({ children }: { children?: string }) {
  return (
    <div className={s.nothing}>
      <h1>There is nothing here</h1>
      <p className="muted">{children ?? 'The address is not right, or what was here is gone.'}</p>
      <Button kind="quiet" href="/">
        Back to the start
      </Button>
    </div>
  )
}
