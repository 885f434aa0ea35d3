import { Button } from '../widgets/Button.tsx'
import { Tail } from '../widgets/Tail.tsx'
import s from './screens.module.css'

/** For every address that is no page (spec 2.11). */
export function NotFoundScreen() {
  return (
    <div className={s.screen}>
      <Tail part={0} />
      <h1 className={s.long}>Unfortunately we could not find what you were looking for</h1>
      <Button kind="quiet" href="/" className={s.action}>Back to the start</Button>
    </div>
  )
}
